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

/** [F107] What such a file tells; null where it is damaged, or another matcher's. */
export function adviceOfText(text: string): KnownAdvice | null {
  try {
    const file = File.parse(JSON.parse(text))
    if (file.engine !== engineName() || file.sum !== sumOf(file.kept)) return null
    return Kept.parse(JSON.parse(file.kept))
  } catch {
    // No file of ours: the advice is worked out anew.
    return null
  }
}

/** [F107] Takes over the advice that ships, at the first call. What is missing is worked out anew. */
export function learnShippedAdvice(): void {
  const folder = takeShippedFolder()
  if (folder === null) return
  try {
    learnAdvice(adviceOfText(readTextSync(join(folder, ADVICE_FILE))) ?? [])
  } catch {
    // There is none.
  }
}
