import { z } from 'zod'
import { err, ok, parseJson, type Result } from '../result.ts'
import { EventKind } from '../schema/event-kind.ts'
import { allWords } from '../schema/issue-words.ts'
import { DECISION_COLUMNS } from './decision.ts'
import { membersOf } from './members.ts'

/** [F110] What a row must have. Further members pass through. */
const TurnRow = z.looseObject({
  session: z.union([z.string().min(1), z.int()]),
  /** Ascending within a session; numbers may be left out. */
  turn: z.int(),
  message: z.string(),
  /** What the message is; a person's where it is left out. */
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
 * Reads one line. The problem says which member is wrong.
 * @param prefix stands before each name that is added
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
    ...{ session: JSON.stringify(session), turn, kind: kind ?? 'user', message },
    passed: passed.join(','),
  })
}
