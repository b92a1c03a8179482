import type { DuckDBValue } from '@duckdb/node-api'
import type {
  FlipsOf,
  ResultsFilter,
  ResultsFlip,
  ResultsTurn,
} from '../../engine/schema/results.ts'
import { flipTableOrRefuse, flipsWhere, turnsWhere } from './conditions.ts'
import type { Results } from './results.ts'

interface Page {
  readonly filter: ResultsFilter
  /** Rows passed over, and rows told. */
  readonly from: number
  readonly most: number
}

const text = (cell: DuckDBValue | undefined): string => String(cell ?? '')
const textOrNull = (cell: DuckDBValue | undefined): string | null =>
  cell === null || cell === undefined ? null : String(cell)
/** A list comes as a text that our own separator joins. */
const list = (cell: DuckDBValue | undefined): readonly string[] =>
  text(cell) === '' ? [] : text(cell).split('\n')

const PLACE = 'file, row::DOUBLE, session, turn'
const placeOf = ([file, row, session, turn]: readonly DuckDBValue[]) => ({
  file: text(file),
  row: Number(row),
  session: text(session),
  turn: Number(turn),
})

/** A page of turns, in the order of the parts: session by session, turn by turn. */
export async function turnPage(
  results: Results,
  { filter, from, most }: Page,
  signal?: AbortSignal,
): Promise<readonly ResultsTurn[]> {
  const { sql, values } = turnsWhere(filter)
  const rows = await results.ask(
    `SELECT ${PLACE}, kind, chars, "primary", secondary, event, momentum, array_to_string(fired, chr(10))
     FROM turns WHERE ${sql} LIMIT ${most} OFFSET ${from}`,
    values,
    signal,
  )
  return rows.map((row) => {
    const [kind, chars, primary, secondary, event, momentum, fired] = row.slice(4)
    return {
      ...placeOf(row),
      kind: text(kind),
      chars: Number(chars),
      primary: text(primary),
      secondary: textOrNull(secondary),
      event: text(event),
      momentum: Number(momentum),
      fired: list(fired),
    }
  })
}

/** A page of flips, in the same order. */
export async function flipPage(
  results: Results,
  { filter, flips, from, most }: Page & { readonly flips: FlipsOf },
  signal?: AbortSignal,
): Promise<readonly ResultsFlip[]> {
  const table = flipTableOrRefuse(results, flips)
  const { sql, values } = flipsWhere(filter)
  const rows = await results.ask(
    `SELECT ${PLACE}, array_to_string(fields, chr(10)), cause, since, primary_was, primary_is, secondary_was, secondary_is
     FROM ${table} WHERE ${sql} LIMIT ${most} OFFSET ${from}`,
    values,
    signal,
  )
  return rows.map((row) => {
    const [fields, cause, since, primaryWas, primaryIs, secondaryWas, secondaryIs] = row.slice(4)
    return {
      ...placeOf(row),
      fields: list(fields),
      cause: text(cause),
      since: Number(since),
      primaryWas: text(primaryWas),
      primaryIs: text(primaryIs),
      secondaryWas: textOrNull(secondaryWas),
      secondaryIs: textOrNull(secondaryIs),
    }
  })
}
