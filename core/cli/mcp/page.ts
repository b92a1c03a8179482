import { z } from 'zod'
import { withoutCodes } from '../../engine/terminal-codes.ts'
import { CommandError } from '../kit/output.ts'

/** [F156] UTF-8 bytes that the items of a list may take, as data and as text together: an answer stays below 8 KB. */
const ROOM = 5200

export const CURSOR = {
  cursor: z
    .string()
    .max(20)
    .optional()
    .describe('To go on: `next` of the answer before, with everything else as it was.'),
}
export const NEXT = {
  next: z.string().nullable().describe('Cursor of the rest; null: that was all.'),
}

/** A part of a list. */
interface Page<T> {
  readonly shown: readonly T[]
  readonly lines: readonly string[]
  readonly next: string | null
}

/** Number of the first requested item. */
export function startOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  if (/^\d{1,9}$/u.test(cursor)) return Number(cursor)
  const advice = 'Repeat `next` of the answer before, or leave it out'
  throw new CommandError({ what: 'this is no cursor', where: `cursor "${cursor}"`, do: advice })
}

const bytes = (text: string): number => Buffer.byteLength(text)

/**
 * [F156] As many items as there is room for, one at least.
 * @param from number of the first of `items` in the whole list
 */
export function pageOf<T>(
  items: readonly T[],
  lineOf: (item: T) => string,
  { from = 0, room = ROOM, more = false }: { from?: number; room?: number; more?: boolean } = {},
): Page<T> {
  const shown: T[] = []
  const lines: string[] = []
  let left = room
  for (const item of items) {
    const line = lineOf(item)
    left -= bytes(JSON.stringify(item)) + bytes(line) + 2
    if (left < 0 && shown.length > 0) break
    shown.push(item)
    lines.push(line)
  }
  const isAll = shown.length === items.length && !more
  return { shown, lines, next: isAll ? null : String(from + shown.length) }
}

/** The same for a list that is in memory. */
export function pageFrom<T>(
  all: readonly T[],
  cursor: string | undefined,
  lineOf: (item: T) => string,
  room?: number,
): Page<T> {
  const from = startOf(cursor)
  return pageOf(all.slice(from), lineOf, { from, ...(room === undefined ? {} : { room }) })
}

/** The head of a text as it is, with … for the rest. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}

/** The head of a text on one line, without codes of the terminal (B25), with … for the rest. */
export function clipped(text: string, most: number): string {
  const flat = withoutCodes(text).replaceAll(/\s+/gu, ' ').trim()
  return flat.length <= most ? flat : `${flat.slice(0, most - 1)}…`
}
