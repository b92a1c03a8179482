import type * as Sqlite from 'node:sqlite'
import { messageOf } from '../../engine/result.ts'
import { byteRange, byteSize, type ByteInput } from '../platform/files/byte-input.ts'
import { FileRefused } from '../platform/files/file-refused.ts'
import { existsSync, rm } from '../platform/files/fenced-fs.ts'
import { OpenFile } from '../platform/files/open-file.ts'
import { processFolder } from '../platform/files/process-folder.ts'
import { copyOf } from './sqlite-copy.ts'

const MAGIC = 'SQLite format 3\0'

/** [I205] Bytes of a database that is copied, and of one value in it. */
export interface SqliteLimits {
  readonly file: number
  readonly value: number
}

export const SQLITE_LIMITS: SqliteLimits = { file: 4_000_000_000, value: 100_000_000 }

/** Code of the refusal of a database whose tables no store has. */
export const UNKNOWN_STORE = 'ESQLITE_UNKNOWN'

/** Whether a file begins as a SQLite database does. */
export function isSqlite(start: Uint8Array): boolean {
  return (
    Buffer.from(start.buffer, start.byteOffset, Math.min(16, start.length)).toString('latin1') ===
    MAGIC
  )
}

/** The tables of a database, by name, with their columns. */
export type Tables = ReadonlyMap<string, readonly string[]>

export type Row = Readonly<Record<string, unknown>>

/** Query for rows. All names are constants of a store. */
export interface Question {
  readonly table: string
  readonly columns: readonly string[]
  readonly order?: readonly string[]
  /** Rows whose text of this column begins so. */
  readonly prefix?: { readonly column: string; readonly text: string }
}

/** A copy of a database that is open. */
export interface Database {
  readonly tables: Tables
  /** Rows of a table, one at a time. Columns that the table lacks are absent. */
  readonly rows: (question: Question) => Iterable<Row>
}

/** First bytes of a database that are searched for names of tables. */
const NAMED_BYTES = 4_000_000

/** The tables that the first bytes of a database name; also on systems without SQLite. */
export async function namedTables(input: ByteInput): Promise<readonly string[]> {
  const text = (await byteRange(input, 0, NAMED_BYTES)).toString('latin1')
  const found = text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?["'`[]?(\w{1,100})/giu)
  const names = [...found].map(([, name = '']) => name)
  return [...new Set(names.filter((name) => !name.startsWith('sqlite_')))]
}

/** A page this small may cut a name of a table in two. */
const CUTTING_PAGE = 512

/**
 * [I207] All tables of a small database, without a copy of it; null if they may not be all. Texts of its rows may add
 * names. A log beside it may have further tables.
 */
export async function allNamedTables(input: ByteInput): Promise<readonly string[] | null> {
  if ((await byteSize(input)) > NAMED_BYTES) return null
  const size = await byteRange(input, 16, 2)
  if (size.length < 2 || size.readUInt16BE() === CUTTING_PAGE) return null
  const path = input instanceof OpenFile ? input.path : input
  if (typeof path === 'string' && existsSync(`${path}-wal`)) return null
  const names = await namedTables(input)
  return names.length === 0 ? null : names
}

/** Node's SQLite, or null if this Node has none. */
function sqliteHere(): typeof Sqlite | null {
  try {
    // A static import would end the program on a Node without it, and an exported page has no such module.
    // Its types do not say that an older Node returns undefined.
    const found = process.getBuiltinModule('node:sqlite') as typeof Sqlite | undefined
    return found ?? null
  } catch {
    return null
  }
}

/** [I205] Whether this Node can read databases. */
export const hasSqlite = (): boolean => sqliteHere() !== null

/**
 * [I205] Uses a private copy of a database and of its write-ahead log, and removes the copy. The copy is read only by
 * tables of fixed names: views, triggers and virtual tables are never used.
 */
export async function* withDatabase<Value>(
  input: ByteInput,
  use: (database: Database) => Iterable<Value>,
  limits: SqliteLimits = SQLITE_LIMITS,
): AsyncGenerator<Value, void> {
  const sqlite = sqliteHere()
  if (sqlite === null) throw new Error('this Node has no SQLite')
  const folder = processFolder('turnscope-sqlite')
  try {
    await refuseLarge(input, limits)
    const copy = await copyOf(input, folder)
    const opened = opening(
      () =>
        new sqlite.DatabaseSync(copy, {
          allowExtension: false,
          enableForeignKeyConstraints: false,
        }),
    )
    try {
      yield* use(opening(() => asDatabase(opened, limits)))
    } catch (error) {
      if (error instanceof FileRefused || !isSqliteError(error)) throw error
      throw damaged(error)
    } finally {
      opened.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function refuseLarge(input: ByteInput, limits: SqliteLimits): Promise<void> {
  const size = await byteSize(input)
  if (size > limits.file)
    throw new FileRefused(
      'ESQLITE',
      `the database has ${Math.ceil(size / 1_000_000)} MB, at most ${Math.floor(limits.file / 1_000_000)} MB are copied`,
      'Export the session that you need from its agent, and open that file',
    )
}

function opening<Value>(open: () => Value): Value {
  try {
    return open()
  } catch (error) {
    throw damaged(error)
  }
}

function damaged(error: unknown): FileRefused {
  return new FileRefused(
    'ESQLITE',
    `this SQLite database cannot be read: ${messageOf(error).slice(0, 200)}`,
    'Close the program that writes it, copy the database together with its -wal file, and open the copy',
  )
}

function isSqliteError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const leftOut = new WeakMap<Row, number>()

/** [I205] Values of these rows that were left out, because they are beyond the limit of bytes. */
export function leftOutOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + (leftOut.get(row) ?? 0), 0)
}

/** Column of a row that counts its values beyond the limit. No table that is read has one of this name. */
const LEFT_OUT = 'turnscope left out'

function asDatabase(database: Sqlite.DatabaseSync, { value }: SqliteLimits): Database {
  database.exec('PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON')
  const tables = tablesOf(database)
  const bytesOf = bytesIn(database)
  return {
    tables,
    *rows({ table, columns, order = [], prefix }) {
      const has = tables.get(table) ?? []
      const read = columns.filter((column) => has.includes(column))
      if (read.length === 0) return
      // A value beyond the limit is null and counted: the session that it belongs to lacks it.
      const fields = read.map(
        (column) =>
          `CASE WHEN ${bytesOf(column)} <= ${value} THEN ${quoted(column)} END AS ${quoted(column)}`,
      )
      const beyond = read
        .map((column) => `(coalesce(${bytesOf(column)}, 0) > ${value})`)
        .join(' + ')
      const where =
        prefix === undefined
          ? ''
          : ` WHERE substr(${quoted(prefix.column)}, 1, ${prefix.text.length}) = ?`
      const by = order
        .filter((column) => has.includes(column))
        .map((column) => `${quoted(table)}.${quoted(column)}`)
      const sql = `SELECT ${fields.join(', ')}, ${beyond} AS ${quoted(LEFT_OUT)} FROM ${quoted(table)}${where}${by.length === 0 ? '' : ` ORDER BY ${by.join(', ')}`}`
      const statement = database.prepare(sql)
      statement.setReadBigInts(false)
      const found = prefix === undefined ? statement.iterate() : statement.iterate(prefix.text)
      for (const { [LEFT_OUT]: count, ...row } of found as Iterable<Row>) {
        if (Number(count) > 0) leftOut.set(row, Number(count))
        yield row
      }
    },
  }
}

/** Bytes of a column in SQL. `length` of a text counts characters, and only those before a NUL. */
function bytesIn(database: Sqlite.DatabaseSync): (column: string) => string {
  const known = database
    .prepare("SELECT 1 FROM pragma_function_list WHERE name = 'octet_length' LIMIT 1")
    .get()
  return known === undefined
    ? (column) => `length(CAST(${quoted(column)} AS BLOB))`
    : (column) => `octet_length(${quoted(column)})`
}

/** Ordinary tables only. */
function tablesOf(database: Sqlite.DatabaseSync): Tables {
  const listed = database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' AND name NOT LIKE 'sqlite%' LIMIT 500",
    )
    .all()
  const names = listed.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
  return new Map(
    names.map((name) => {
      const columns = database.prepare(`PRAGMA table_info(${quoted(name)})`).all()
      return [
        name,
        columns.flatMap(({ name: column }) => (typeof column === 'string' ? [column] : [])),
      ]
    }),
  )
}
