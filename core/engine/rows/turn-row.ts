import { z } from 'zod'
import { nullConstants } from '../json-read.ts'
import { err, ok, parseJson, type Result } from '../result.ts'
import { EventKind } from '../schema/event-kind.ts'
import { allWords } from '../schema/issue-words.ts'
import { DECISION_COLUMNS } from './decision.ts'

/** [F110] Required members of a row. Further members pass through. */
const TurnRow = z.looseObject({
  session: z.union([z.string().min(1), z.int()]),
  /** Ascending within a session; numbers may be left out. */
  turn: z.int(),
  message: z.string(),
  /** Kind of the message; a user message if left out. */
  kind: EventKind.nullish(),
})

/** One row of input, checked. */
export interface RowIn {
  /** Equal keys: the same session. `1` and `"1"` are two. */
  readonly session: string
  readonly turn: number
  readonly kind: EventKind
  readonly message: string
  /** All members but the message as they were written, with commas between them. */
  readonly passed: string
}

/** Names of the members that are added to every row. */
export const ADDED_NAMES = [...Object.keys(DECISION_COLUMNS), 'config', 'engine'] as const

/**
 * Reads one line. The error names the wrong member.
 * @param prefix put before each added name
 */
export function readTurnRow(line: string, prefix: string): Result<RowIn, string> {
  const value = parseJson(line)
  if (!value.ok) return err(`not JSON: ${value.error}`)
  const row = TurnRow.safeParse(value.value)
  if (!row.success) return err(allWords(row.error, 'the line'))
  const { session, turn, kind, message } = row.data
  const taken = ADDED_NAMES.find((name) => Object.hasOwn(row.data, prefix + name))
  if (taken !== undefined)
    return err(`has a member "${prefix + taken}", which is added here: choose another --prefix`)
  const passed: string[] = []
  for (const member of membersOf(line)) if (member.name !== 'message') passed.push(member.text)
  return ok({
    session: JSON.stringify(session),
    turn,
    kind: kind ?? 'user',
    message,
    passed: nullConstants(passed.join(',')),
  })
}

/**
 * [F111] The members of a JSON object in their original notation, one by one: numbers keep all their digits, and
 * duplicate names are kept. Searches for quotes, so that a long text costs almost nothing.
 * @param text JSON of one object that JSON.parse has already accepted
 */
export function* membersOf(text: string): Generator<Member, void, undefined> {
  let at = text.indexOf('{') + 1
  for (;;) {
    const start = text.indexOf('"', at)
    if (start === -1) return
    const nameEnd = endOfString(text, start)
    const value = text.indexOf(':', nameEnd) + 1
    at = endOfValue(text, value)
    const name = JSON.parse(text.slice(start, nameEnd)) as string
    yield { name, text: text.slice(start, at).trimEnd() }
    // The comma, or the brace that ends the object.
    at += 1
  }
}

/** One member: its name, and `"name": value` as it is written. */
interface Member {
  readonly name: string
  readonly text: string
}

/** Behind the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote + 1
}

/** An odd number of backslashes precedes it. */
function isEscaped(text: string, quote: number): boolean {
  let before = quote
  while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1
  return (quote - before) % 2 === 1
}

/** At the comma or brace behind the value that begins at `from`. */
function endOfValue(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = endOfString(text, at) - 1
    else if (unit === BRACE || unit === BRACKET) depth += 1
    else if (unit === BRACE_END || unit === BRACKET_END) {
      if (depth === 0) return at
      depth -= 1
    } else if (unit === COMMA && depth === 0) return at
  }
  return text.length
}

const QUOTE = 0x22
const COMMA = 0x2c
const BRACKET = 0x5b
const BACKSLASH = 0x5c
const BRACKET_END = 0x5d
const BRACE = 0x7b
const BRACE_END = 0x7d
