import { randomBytes } from 'node:crypto'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import type * as Sqlite from 'node:sqlite'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { refusal } from '../../../platform/threads/refusal.ts'
import { Damage, type Extent } from './vector-files.ts'

/** The single row that describes the store. Uncommitted data does not exist. */
export interface StoreRow {
  /** Drawn when the store was made: two stores never have the same versions. */
  readonly name: string
  readonly embedder: string | null
  readonly dimensions: number | null
  readonly generation: number
  readonly rows: number
  readonly crc: number
  readonly chunks: number
  readonly changes: number
}

/** "TSVS" */
const APPLICATION = 0x54_53_56_53
const LAYOUT = 1
const DATABASE = 'store.db'
/** Maximum time that a process waits while another one writes, in milliseconds. */
const PATIENCE_MS = 5000
/** Small databases are checked as a whole when they are opened. */
const CHECKED_PAGES = 2048

/**
 * A chunk's slot is the row of its vector, and its row in the word index. `word_index` answers which chunks have a word: it is given the words of lexical.ts, which are letters
 * and digits only, so the plainest tokenizer parts them at blanks and nowhere else.
 */
const SCHEMA = `
CREATE TABLE store (
  id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL, embedder TEXT, dimensions INTEGER,
  generation INTEGER NOT NULL, rows INTEGER NOT NULL, crc INTEGER NOT NULL,
  chunks INTEGER NOT NULL, changes INTEGER NOT NULL
) STRICT;
CREATE TABLE chunks (
  slot INTEGER PRIMARY KEY, filename TEXT NOT NULL, chunk_idx INTEGER NOT NULL, text TEXT NOT NULL,
  heading TEXT, line_from INTEGER, line_to INTEGER, hash TEXT NOT NULL, words BLOB NOT NULL,
  UNIQUE (filename, chunk_idx)
) STRICT;
CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE, chunks INTEGER NOT NULL) STRICT;
CREATE TABLE dropped (slot INTEGER PRIMARY KEY) STRICT;
CREATE VIRTUAL TABLE word_index USING fts5(
  words, content='', contentless_delete=1, detail=none, tokenize='ascii'
);
`

/** A database with its statements, each prepared once. */
export class Database {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(path: string) {
    const { DatabaseSync: Opened } = sqlite()
    this.#db = new Opened(path, { timeout: PATIENCE_MS })
  }

  prepare(sql: string): StatementSync {
    const kept = this.#statements.get(sql)
    if (kept !== undefined) return kept
    const statement = this.#db.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  exec(sql: string): void {
    this.#db.exec(sql)
  }

  /** First column of the first row, as a number. */
  number(sql: string): number {
    return Number(Object.values(this.prepare(sql).get() ?? {})[0] ?? 0)
  }

  /** Runs `work` in a transaction, all or nothing. */
  transaction<T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => T): T {
    this.#db.exec(begin)
    try {
      const value = work()
      this.#db.exec('COMMIT')
      return value
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw error
    }
  }

  close(): void {
    this.#db.close()
  }
}

/**
 * [F123] Loaded when it is needed, so that a Node without SQLite (before 22.13) runs everything else. Throws a sentence
 * that says what to do.
 */
function sqlite(): typeof Sqlite {
  try {
    // Before 22.13 it is there, but only for those who ask by a flag.
    if (isBuiltin('node:sqlite')) return process.getBuiltinModule('node:sqlite')
  } catch {
    // As with a module that there is not.
  }
  throw refusal({
    what: `Node ${process.versions.node} has no SQLite, which keeps the vectors of collections`,
    where: 'node:sqlite',
    do: 'Run Turnscope with Node 22.13 or newer; everything but collections works with this one',
  })
}

/** Opens or creates the database of a store. Throws Damage if the file is not such a database. */
export function openDatabase(folder: string): Database {
  const db = new Database(join(folder, DATABASE))
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    if (isBlank(db)) create(db)
    check(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function isBlank(db: Database): boolean {
  return db.number('SELECT count(*) FROM sqlite_schema') === 0
}

function create(db: Database): void {
  db.transaction('BEGIN IMMEDIATE', () => {
    // Another process may have been faster.
    if (!isBlank(db)) return
    db.exec(SCHEMA)
    db.exec(`PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${LAYOUT}`)
    const name = randomBytes(6).toString('hex')
    db.prepare('INSERT INTO store VALUES (1, ?, NULL, NULL, 1, 0, 0, 0, 0)').run(name)
  })
}

function check(db: Database): void {
  if (db.number('PRAGMA application_id') !== APPLICATION)
    throw new Damage('its database was made by another program')
  if (db.number('PRAGMA user_version') !== LAYOUT)
    throw new Damage('its database has the layout of another version')
  if (db.number('PRAGMA page_count') <= CHECKED_PAGES) {
    const found = db.prepare('PRAGMA quick_check(1)').get()
    if (found?.['quick_check'] !== 'ok') throw new Damage('its database is damaged')
  }
  const store = readStore(db)
  const chunks = db.number('SELECT count(*) FROM chunks')
  const dropped = db.number('SELECT count(*) FROM dropped')
  if (chunks !== store.chunks || chunks + dropped !== store.rows)
    throw new Damage('its chunks do not fit its vectors')
}

export function readStore(db: Database): StoreRow {
  const row = db.prepare('SELECT * FROM store WHERE id = 1').get()
  if (row === undefined) throw new Damage('its database has no store')
  // The table is STRICT and was made above: its columns have these types.
  return row as unknown as StoreRow
}

export function writeStore(db: Database, store: Omit<StoreRow, 'name'>): void {
  db.prepare(
    `UPDATE store SET embedder = ?, dimensions = ?, generation = ?, rows = ?, crc = ?, chunks = ?,
     changes = ? WHERE id = 1`,
  ).run(
    store.embedder,
    store.dimensions,
    store.generation,
    store.rows,
    store.crc,
    store.chunks,
    store.changes,
  )
}

/** The expected state of the files; null for a store without vectors. */
export function extentOf(store: StoreRow): Extent | null {
  const { generation, dimensions, rows, crc } = store
  return dimensions === null ? null : { generation, dimensions, rows, crc }
}
