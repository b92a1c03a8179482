import type { DuckDBDataChunk } from '@duckdb/node-api'
import { EventKind } from '../../engine/schema/event-kind.ts'
import { refusal } from '../platform/threads/refusal.ts'
import { type Database, quoted } from './duckdb.ts'

/** One row of a part, in the order of sessions and turns. */
export interface PartRow {
  readonly session: string
  /** 0-based number of the row in its session: what `pipe` calls the turn. */
  readonly turn: number
  readonly kind: EventKind
  readonly message: string
  /** Index into the files of the plan. */
  readonly file: number
  /** 0-based row of the file. */
  readonly row: number
}

/**
 * All rows of a part, some thousands at a time. Of few sessions, a part may have none.
 * @param database asked nothing else meanwhile: any other statement on its connection ends the rows, and says nothing
 * @throws RpcError when fewer rows came than the part has
 */
export async function* partRows(
  { connection, rows: ask }: Database,
  glob: string,
): AsyncGenerator<readonly PartRow[], void, undefined> {
  const found = await ask(`SELECT file FROM glob(${quoted(glob)}) LIMIT 1`)
  if (found.length === 0) return
  const [[total] = []] = await ask(
    `SELECT sum(num_rows)::DOUBLE FROM parquet_file_metadata(${quoted(glob)})`,
  )
  let read = 0
  const result = await connection.stream(
    `SELECT session, kind, message, file, row::DOUBLE AS row
     FROM read_parquet(${quoted(glob)}, hive_partitioning = false, union_by_name = false)
     ORDER BY session, place NULLS FIRST, file, seq`,
  )
  let session: string | null = null
  let turn = 0
  for (;;) {
    const chunk = await result.fetchChunk()
    if (chunk === null || chunk.rowCount === 0) break
    read += chunk.rowCount
    const rows = rowsOf(chunk).map((row): PartRow => {
      turn = row.session === session ? turn + 1 : 0
      session = row.session
      return { ...row, turn }
    })
    yield rows
  }
  if (read !== total)
    throw refusal({
      what: `only ${read} of ${String(total)} rows were read`,
      where: glob,
      do: 'Start the same command again, and report this: it is a fault of Turnscope',
    })
}

const KINDS: ReadonlyMap<unknown, EventKind> = new Map(
  EventKind.options.map((kind) => [kind, kind]),
)

/** A chunk column by column: asking each cell of each row for its vector costs more. */
function rowsOf(chunk: DuckDBDataChunk): ReadonlyArray<Omit<PartRow, 'turn'>> {
  const [session = [], kind = [], message = [], file = [], row = []] = chunk.getColumns()
  return session.map((name, at) => ({
    session: String(name),
    // Written by us, from a list of kinds.
    kind: KINDS.get(kind[at]) ?? 'meta',
    // [F114] No text: a call of a tool, for one. It acts, and is classified as an empty text.
    message: String(message[at] ?? ''),
    file: Number(file[at]),
    row: Number(row[at]),
  }))
}
