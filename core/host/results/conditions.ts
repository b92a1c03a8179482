import type { FlipsOf, ResultsFilter } from '../../engine/schema/results.ts'
import { refusal } from '../platform/threads/refusal.ts'
import type { Results, Values } from './results.ts'

/** [F143] A condition whose texts are values, never part of the statement. */
export interface Condition {
  readonly sql: string
  readonly values: Values
}

type Part = readonly [sql: string, value: string | null, times?: number]

function allOf(parts: readonly Part[]): Condition {
  const held = parts.filter(([, value]) => value !== null)
  return {
    sql: ['true', ...held.map(([sql]) => sql)].join(' AND '),
    values: held.flatMap(([, value, times = 1]) =>
      Array.from({ length: times }, () => value ?? ''),
    ),
  }
}

const placed = ({ file, session }: ResultsFilter): readonly Part[] => [
  ['file = ?', file],
  ['contains(lower(session), lower(?))', session],
]

/** Turns with a text; those without one are counted apart. */
export const SAID = 'chars > 0'

/** Turns that a filter lets through. */
export function turnsWhere(filter: ResultsFilter): Condition {
  return allOf([['"primary" = ?', filter.domain], ...placed(filter)])
}

/** Flips that a filter lets through. */
export function flipsWhere(filter: ResultsFilter): Condition {
  return allOf([
    ['(primary_was = ? OR primary_is = ?)', filter.domain, 2],
    ['primary_was = ?', filter.from],
    ['primary_is = ?', filter.to],
    ['cause = ?', filter.cause],
    ...placed(filter),
  ])
}

/** The table of the requested flips. Null if the batch compared nothing. Refuses an edit that was replaced. */
export function flipTable({ has, files }: Results, of: FlipsOf): string | null {
  if (of === 'against') return has.against ? 'flips' : null
  if (of === has.edit) return 'edited'
  throw refusal({
    what: 'another edit was tried on these results since, perhaps in another window',
    where: files.folder,
    do: 'Try yours again',
  })
}

/** The same, for callers that need rows of it. */
export function flipTableOrRefuse(results: Results, of: FlipsOf): string {
  const table = flipTable(results, of)
  if (table !== null) return table
  throw refusal({
    what: 'this batch compared nothing',
    where: results.files.folder,
    do: 'Run it with --against, or try an edit on the results',
  })
}
