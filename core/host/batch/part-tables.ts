import type { DuckDBAppender } from '@duckdb/node-api'
import { DECISION_COLUMNS } from '../../engine/rows/decision.ts'
import { mkdir, rename, rm } from '../platform/files/fenced-fs.ts'
import { dirname } from 'node:path'
import { type Database, quoted } from './duckdb.ts'
import type { PartRow } from './part-rows.ts'

type Cell = string | number | null | readonly string[]
export type Cells = readonly Cell[]

/** A column of a result: its type in Parquet, and how a cell is appended. */
interface ResultColumn {
  readonly name: string
  readonly type: 'VARCHAR' | 'INTEGER' | 'BIGINT' | 'DOUBLE' | 'VARCHAR[]'
}

/** Place of a turn: the file and 0-based row of the source, its session, and its 1-based number among the turns. */
const PLACE = [
  { name: 'file', type: 'VARCHAR' },
  { name: 'row', type: 'BIGINT' },
  { name: 'session', type: 'VARCHAR' },
  { name: 'turn', type: 'INTEGER' },
] as const satisfies readonly ResultColumn[]

export function placeCells(files: readonly string[], row: PartRow, turn: number): Cells {
  return [files[row.file] ?? '', row.row, row.session, turn]
}

const DECISION: readonly ResultColumn[] = Object.entries(DECISION_COLUMNS).map(
  ([name, { type }]) => ({ name, type }),
)

/** [F117] Columns of `turns/*.parquet`. */
export const TURN_COLUMNS: readonly ResultColumn[] = [
  ...PLACE,
  { name: 'kind', type: 'VARCHAR' },
  { name: 'chars', type: 'INTEGER' },
  ...DECISION,
]

/** [F117] Columns of `flips/*.parquet`. */
export const FLIP_COLUMNS: readonly ResultColumn[] = [
  ...PLACE,
  { name: 'fields', type: 'VARCHAR[]' },
  { name: 'cause', type: 'VARCHAR' },
  { name: 'since', type: 'INTEGER' },
  { name: 'primary_was', type: 'VARCHAR' },
  { name: 'primary_is', type: 'VARCHAR' },
  { name: 'secondary_was', type: 'VARCHAR' },
  { name: 'secondary_is', type: 'VARCHAR' },
]

/** Rows of a result while its part is worked on. */
interface ResultTable {
  readonly add: (cells: Cells) => void
  /** Writes the file, whole or not at all. Answers the number of rows. */
  readonly write: (path: string) => Promise<number>
}

/** Rows kept by the appender before they go into the table. */
const PORTION = 20_000

/** Makes an empty table. Its rows are written in the order in which they are added. */
export async function createResultTable(
  database: Database,
  name: 'turns' | 'flips',
  columns: readonly ResultColumn[],
): Promise<ResultTable> {
  const list = columns.map(({ name: of, type }) => `"${of}" ${KEPT_AS[type]}`).join(', ')
  const cells = columns
    .map(({ name: of, type }) => `CAST("${of}" AS ${type}) AS "${of}"`)
    .join(', ')
  await database.run(`CREATE OR REPLACE TABLE ${name} (${list})`)
  const appender = await database.connection.createAppender(name)
  let rows = 0
  return {
    add: (cells) => {
      for (const [at, { type }] of columns.entries()) {
        const cell = cells[at] ?? null
        if (cell === null) appender.appendNull()
        else APPEND[type](appender, cell)
      }
      appender.endRow()
      rows += 1
      if (rows % PORTION === 0) appender.flushSync()
    },
    write: async (path) => {
      appender.closeSync()
      await mkdir(dirname(path), { recursive: true })
      const partial = `${path}.partial`
      await rm(partial, { force: true })
      await database.run(
        `COPY (SELECT ${cells} FROM ${name}) TO ${quoted(partial)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)`,
      )
      await database.run(`DROP TABLE ${name}`)
      await rename(partial, path)
      return rows
    },
  }
}

/** The type of a column until its file is written: a list is kept as its JSON, since appending lists is slow. */
const KEPT_AS: Readonly<Record<ResultColumn['type'], string>> = {
  VARCHAR: 'VARCHAR',
  INTEGER: 'INTEGER',
  BIGINT: 'BIGINT',
  DOUBLE: 'DOUBLE',
  'VARCHAR[]': 'JSON',
}

/** Functions that append a cell, by column type. */
const APPEND: Readonly<
  Record<ResultColumn['type'], (to: DuckDBAppender, cell: NonNullable<Cell>) => void>
> = {
  VARCHAR: (to, cell) => to.appendVarchar(String(cell)),
  INTEGER: (to, cell) => to.appendInteger(Number(cell)),
  BIGINT: (to, cell) => to.appendBigInt(BigInt(Number(cell))),
  DOUBLE: (to, cell) => to.appendDouble(Number(cell)),
  'VARCHAR[]': (to, cell) => to.appendVarchar(listText([cell].flat().map(String))),
}

/** Most lists are empty. Lone surrogates, which JSON cannot pass to DuckDB, are replaced as in other texts. */
function listText(list: readonly string[]): string {
  return list.length === 0 ? '[]' : JSON.stringify(list.map((text) => text.toWellFormed()))
}
