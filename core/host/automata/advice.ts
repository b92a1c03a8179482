import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { type KnownAdvice, learnAdvice } from '../../engine/lab/lint/lint-static.ts'
import { readTextSync } from '../platform/files/regular-file.ts'
import { takeShippedFolder } from '../platform/automata-places.ts'
import { engineName } from './stamp.ts'

/** Name of the file beside the automata that ship. */
export const ADVICE_FILE = 'advice.json'

const Advice = z.object({
  rule: z.enum(['super-linear', 'dialect', 'cannot-match']),
  severity: z.enum(['error', 'warning', 'info']),
  what: z.string(),
  do: z.string(),
  column: z.int().positive(),
})
const File = z.object({
  engine: z.string(),
  /** Hash of the text of `kept`. */
  sum: z.string(),
  kept: z.string(),
})
const Kept = z.array(z.tuple([z.string(), z.array(Advice)]))

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** [F107] Content of the file. */
export function adviceText(known: KnownAdvice): string {
  const kept = JSON.stringify(known)
  return `${JSON.stringify({ engine: engineName(), sum: sumOf(kept), kept })}\n`
}

/** [F107] The advice in such a file. Null if the file is damaged or belongs to a different matcher. */
export function adviceOfText(text: string): KnownAdvice | null {
  try {
    const file = File.parse(JSON.parse(text))
    if (file.engine !== engineName() || file.sum !== sumOf(file.kept)) return null
    return Kept.parse(JSON.parse(file.kept))
  } catch {
    // Not our file format: the advice is computed again.
    return null
  }
}

/** [F107] Loads the shipped advice, at the first call. Missing advice is computed. */
export function learnShippedAdvice(): void {
  const folder = takeShippedFolder()
  if (folder === null) return
  try {
    learnAdvice(adviceOfText(readTextSync(join(folder, ADVICE_FILE))) ?? [])
  } catch {
    // The file does not exist.
  }
}
