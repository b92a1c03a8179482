import { rm, writeFile } from '../platform/files/fenced-fs.ts'
import { basename, join } from 'node:path'
import { EventKind } from '../../engine/schema/event-kind.ts'
import { partOf } from '../batch/write-parts.ts'
import { databaseFailure, openDatabase, quoted } from '../batch/duckdb.ts'
import { foldersOf } from '../batch/folders.ts'
import { askTable, plainLine } from '../batch/plain-lines.ts'
import { hasPlaces } from '../batch/line-starts.ts'
import { type OrderType, type Table, normalized } from '../batch/tables.ts'
import { refusal } from '../platform/threads/refusal.ts'
import type { LinePlaces } from './line-places.ts'
import type { Results } from './results.ts'
import type { SourceFile } from './source-file.ts'

/** A row of a table, as an event of its session. */
export interface SourceRow {
  /** 0-based row of the source. */
  readonly row: number
  readonly kind: EventKind
  readonly message: string
}

interface Wanted {
  readonly source: SourceFile
  readonly session: string
  /** Lines of an uncompressed file of JSON lines. */
  readonly lines: () => Promise<LinePlaces>
  /** A folder for temporary files. */
  readonly scratch: string
}

const MEMORY_MB = 400
/** Rows read before the first turn and after the last one, because they may contain events that are not turns. */
const AROUND = 200
/** If the turns of a session are further apart than this, only the turns are read. */
const MOST_BETWEEN = 50_000

/** [F142] The rows of one session of a table, in the order in which the batch took them. */
export async function sessionRows(results: Results, wanted: Wanted): Promise<readonly SourceRow[]> {
  const { planned, path } = wanted.source
  if (planned.kind === 'transcript' || planned.columns === undefined)
    throw refusal({ what: 'this source is no table', where: path, do: 'Open the file itself' })
  const table = { path, kind: planned.kind, columns: planned.columns }
  const { order } = results.files.manifest.plan
  const rows = hasPlaces(table.kind, path)
    ? await rowsOfLines(results, table, order, wanted)
    : await rowsOfTable(table, order, wanted)
  if (rows.length > 0) return rows
  throw refusal({
    what: `there is no row of session "${wanted.session}" in this source any more`,
    where: path,
    do: 'Run the batch again',
  })
}

type Asked = Pick<Wanted, 'session' | 'scratch'>

/** [F134] Of packed lines that the database cannot read, a copy is asked, as the batch did. */
async function rowsOfTable(
  table: Table,
  order: OrderType,
  asked: Asked,
): Promise<readonly SourceRow[]> {
  const ask = (path: string) => rowsIn({ ...table, path }, order, asked)
  try {
    return await askTable(table, ask, Infinity)
  } catch (error) {
    throw databaseFailure(error, table.path)
  }
}

/** Asks a database that may read this one file. */
async function rowsIn(
  table: Table,
  order: OrderType,
  { session, scratch }: Asked,
): Promise<readonly SourceRow[]> {
  const database = await openDatabase({ threads: 2, memoryMb: MEMORY_MB, scratch })
  try {
    await database.run(`SET allowed_paths = [${quoted(table.path)}]`)
    await database.run('SET enable_external_access = false')
    const reader = await database.connection.runAndReadAll(
      `SELECT row::DOUBLE, kind, coalesce(message, '') FROM (${normalized(table, 0, order)})
       WHERE session = ? AND reason IS NULL ORDER BY place NULLS FIRST, seq`,
      [session],
    )
    return reader.getRows().map(([row, kind, message]) => ({
      row: Number(row),
      kind: EventKind.catch('meta').parse(kind),
      message: String(message),
    }))
  } finally {
    database.close()
  }
}

/**
 * Rows of the turns of a session, ascending. A session is in the part that its hash selects. If it is not there, all
 * parts are queried, because the database that divided it may use a different hash.
 */
async function turnsOf(
  { ask, files }: Results,
  { planned }: SourceFile,
  session: string,
): Promise<readonly number[]> {
  const rowsIn = async (table: string): Promise<readonly number[]> => {
    const found = await ask(
      `SELECT row::DOUBLE FROM ${table} WHERE file = ? AND session = ? ORDER BY row`,
      [planned.path, session],
    )
    return found.map(([row]) => Number(row))
  }
  const [[part] = []] = await ask(`SELECT ${partOf('?::VARCHAR', files.manifest.plan.parts)}`, [
    session,
  ])
  const name = basename(foldersOf(files.folder).turns(Number(part)))
  const path = files.turns.find((each) => basename(each) === name)
  const near = path === undefined ? [] : await rowsIn(`read_parquet(${quoted(path)})`)
  return near.length > 0 ? near : rowsIn('turns')
}

const LINE_FEED = 10
const FEED = Buffer.of(LINE_FEED)

const withoutFeed = (line: Buffer): Buffer =>
  line.at(-1) === LINE_FEED ? line.subarray(0, -1) : line

/** For files of lines, reads only the lines around the session, so that a large file is not read completely. */
async function rowsOfLines(
  results: Results,
  table: Table,
  order: OrderType,
  { source, session, scratch, lines: open }: Wanted,
): Promise<readonly SourceRow[]> {
  const turns = await turnsOf(results, source, session)
  const first = turns[0] ?? 0
  const last = turns.at(-1) ?? 0
  const from = Math.max(0, first - AROUND)
  const lines =
    last - first > MOST_BETWEEN
      ? turns
      : Array.from({ length: last + AROUND - from + 1 }, (_, at) => from + at)
  const part = join(scratch, 'session.jsonl')
  try {
    const some = await (await open()).read(lines, mayHoldSession(session))
    await writeFile(
      part,
      Buffer.concat(some.flatMap(({ bytes }) => [plainLine(withoutFeed(bytes)), FEED])),
      { mode: 0o600 },
    )
    const rows = await rowsOfTable({ ...table, path: part }, order, { session, scratch })
    return rows.map((row) => ({ ...row, row: some[row.row]?.number ?? row.row }))
  } finally {
    await rm(part, { force: true })
  }
}

/** Start of the JSON escape for a character below U+0100 that is not written literally. */
const ESCAPE = Buffer.from('\\u00')
/** Numbers, words and structures of JSON may be written in many ways; a text of letters and digits in one or escaped. */
const IS_PLAIN_TEXT = /^(?![-+.\d]+(?:e[-+]?\d+)?$)(?!(?:true|false|null)$)[^[{]/iu

/**
 * Which lines of JSON may belong to a session: never false for one that does, false for most others. Whether a line
 * holds a word is known long before it is parsed.
 */
export function mayHoldSession(session: string): (line: Buffer) => boolean {
  const word = longestWord(session)
  return word === null ? () => true : (line) => line.includes(word) || line.includes(ESCAPE)
}

/** The longest run of ASCII letters and digits. Null if the text may be written differently in a line. */
function longestWord(session: string): Buffer | null {
  if (!IS_PLAIN_TEXT.test(session)) return null
  const words = session.match(/[a-z\d]+/giu) ?? []
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
  return longest === '' ? null : Buffer.from(longest)
}
