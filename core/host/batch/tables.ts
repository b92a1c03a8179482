import {
  COLUMN_PARTS,
  KIND_WORDS,
  type ColumnPart,
  type TurnColumns,
} from '../../engine/rows/column-names.ts'
import { EventKind } from '../../engine/schema/event-kind.ts'
import { named, quoted } from './duckdb.ts'

/** Files that DuckDB reads, by how. */
export type TableKind = 'parquet' | 'csv' | 'lines'

/** Type that the column which orders turns is compared as. All files of a batch use the same type. */
export type OrderType = 'HUGEINT' | 'DOUBLE' | 'TIMESTAMP' | 'VARCHAR'

/** A file that DuckDB reads. */
export interface Table {
  readonly path: string
  readonly kind: TableKind
  readonly columns: TurnColumns
}

/** Lines longer than this are bad lines. */
export const LONGEST_LINE = 16 * 1024 * 1024

/** [F134] Why a line is not a row. The first two replace a line that DuckDB cannot read. */
export const LINE_FAULTS = {
  long: 'longer than 16 MB',
  encoding: 'not UTF-8',
  json: 'not JSON',
} as const

/** Why a line of which nothing could be told is no row. */
const FAULT = `CASE WHEN text IN (${[LINE_FAULTS.long, LINE_FAULTS.encoding].map(quoted).join(', ')}) THEN text ELSE ${quoted(LINE_FAULTS.json)} END`

/** Name of the table in which DuckDB records unusable lines of CSV files. */
export const REJECTS = 'unusable_lines'

/** Unchanged lines of a file, including blank ones (as NULL), so that row numbers equal line numbers of the file. */
function textLines(path: string): string {
  return `(SELECT row_number() OVER () - 1 AS row, text
    FROM read_csv(${quoted(path)}, columns = {'text': 'VARCHAR'}, auto_detect = false, header = false,
      delim = chr(1), quote = '', escape = '', max_line_size = ${LONGEST_LINE}, buffer_size = ${2 * LONGEST_LINE}))`
}

/** Lines of a file as `line`. Lines that are not JSON are NULL. */
export function lineTable(path: string): string {
  return `(SELECT CASE WHEN json_valid(text) THEN text END AS line FROM ${textLines(path)})`
}

/** The path of a member whose name is the value of a column. */
export function memberPath(column: string): string {
  return `'$."' || replace(replace(${column}, '\\', '\\\\'), '"', '\\"') || '"'`
}

/**
 * Columns `row`, `session`, `turn`, `message`, `kind` as texts, and `broken`: the reason that the row cannot be read,
 * or NULL.
 * @param where a condition on `row`: other lines are not parsed
 */
function readAsTexts({ path, kind, columns }: Table, where = 'true'): string {
  const list = (cell: (column: string) => string) =>
    COLUMN_PARTS.map((part) => `${cellOf(columns, part, cell)} AS ${part}`).join(', ')
  switch (kind) {
    case 'parquet':
      return `SELECT * FROM (SELECT file_row_number AS row, NULL AS broken, ${list((column) => `CAST(${named(column)} AS VARCHAR)`)}
        FROM read_parquet(${quoted(path)}, file_row_number = true)) WHERE ${where}`
    case 'csv':
      return `SELECT * FROM (SELECT row_number() OVER () - 1 AS row, NULL AS broken, ${list(named)}
        FROM read_csv(${quoted(path)}, header = true, all_varchar = true, max_line_size = ${LONGEST_LINE}, buffer_size = ${2 * LONGEST_LINE},
          store_rejects = true, rejects_table = '${REJECTS}', rejects_scan = '${REJECTS}_scans')) WHERE ${where}`
    case 'lines': {
      // Reads all members of a line together: reading each separately would parse the line again.
      const names = COLUMN_PARTS.map((part) => columns[part]).filter((column) => column !== null)
      const paths = names.map((column) => memberPath(quoted(column))).join(', ')
      const member = (column: string) => `members[${names.indexOf(column) + 1}]`
      // A line that begins as an object is not blank, so it is not trimmed: trimming all texts would take longer than
      // reading them. The condition does not use the members, because the database would then extract them twice.
      return `SELECT row, CASE WHEN members IS NULL THEN ${FAULT} END AS broken, ${list(member)} FROM (
          SELECT row, text, TRY(json_extract_string(text, [${paths}])) AS members FROM ${textLines(path)}
          WHERE ${where} AND text IS NOT NULL AND CASE WHEN starts_with(text, '{') THEN true ELSE trim(text) <> '' END)`
    }
  }
}

function cellOf(columns: TurnColumns, part: ColumnPart, cell: (column: string) => string): string {
  const column = columns[part]
  return column === null ? 'NULL' : cell(column)
}

const KINDS: ReadonlyArray<readonly [string, string]> = [
  ...EventKind.options.map((kind) => [kind, kind] as const),
  ...Object.entries(KIND_WORDS),
]

/** Maps words for kinds (`assistant`) to kinds. NULL: an unknown word. */
const KIND_CASE = `CASE ${KINDS.map(([word, kind]) => `WHEN lower(kind) = ${quoted(word)} THEN ${quoted(kind)}`).join(' ')} END`

/**
 * [F114] The rows of a table in the common shape: `file`, `row` (0-based), `session`, `place` (sort key of its turns;
 * NULL: `seq`), `seq`, `kind`, `message`, and `reason`: why a row cannot be used, or NULL.
 * @param where a condition on `row`
 */
export function normalized(table: Table, file: number, order: OrderType, where = 'true'): string {
  const { kind, turn } = table.columns
  const place = turn === null ? `CAST(NULL AS ${order})` : `TRY_CAST(turn AS ${order})`
  return `SELECT ${file}::INTEGER AS file, row, session, ${place} AS place, row AS seq,
      ${kind === null ? "'user'" : KIND_CASE} AS kind, message,
      CASE WHEN broken IS NOT NULL THEN broken
        WHEN coalesce(session, '') = '' THEN 'no session'
        ${turn === null ? '' : `WHEN ${place} IS NULL THEN 'the turn ' || coalesce('"' || turn || '" cannot be compared with the others', 'is missing')`}
        ${kind === null ? '' : `WHEN ${KIND_CASE} IS NULL THEN 'the kind ' || coalesce('"' || kind || '" is not known', 'is missing')`}
      END AS reason
    FROM (${readAsTexts(table, where)})`
}

/** The narrowest type as which the turns of the first rows of a table can be compared. */
export function orderQuery(table: Table): string {
  const types = ['HUGEINT', 'DOUBLE', 'TIMESTAMP']
  // One bad value must not make texts of all numbers.
  const tests = types.map(
    (type) => `count(TRY_CAST(turn AS ${type})) >= ${MOST_FIT} * count(*) AND count(*) > 0`,
  )
  return `SELECT ${tests.join(', ')} FROM (${readAsTexts(table)} LIMIT 1000) WHERE turn IS NOT NULL`
}

/** Share of the first turns that a type must fit. */
const MOST_FIT = 0.9

/** Types in order: each can hold the values of the types before it, judged by their texts. */
export const ORDER_TYPES: readonly OrderType[] = ['HUGEINT', 'DOUBLE', 'TIMESTAMP', 'VARCHAR']
