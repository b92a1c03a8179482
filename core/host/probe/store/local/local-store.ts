import {
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from '../../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import type {
  Candidate,
  ChunkRecord,
  Query,
  StoreStats,
  VectorStore,
} from '../../../../engine/probe/ports.ts'
import { type Result, err, ok } from '../../../../engine/result.ts'
import type { OpenDriver, StoreProblem } from '../../ports.ts'
import { linesOf } from '../candidates.ts'
import { checkBatch, checkQueries, latestOf, Refused } from '../checks.ts'
import { stopped, damaged } from '../problems.ts'
import { Words } from './coverage.ts'
import {
  type Database,
  type StoreRow,
  extentOf,
  openDatabase,
  readStore,
  writeStore,
} from './database.ts'
import { Stopped } from './nearest.ts'
import { findCandidates } from './search.ts'
import { RowDamage, VectorFiles, fileNames, Damage } from './vector-files.ts'
import { type Written, dropFiles, liveSlots, putChunks, renumber } from './write.ts'
import { RpcError } from '../../../../wire/rpc.ts'
import { readTextSync } from '../../../platform/files/regular-file.ts'

type Options = Parameters<VectorStore['search']>[1]
type Batch = Parameters<VectorStore['upsert']>[1]

/** Files are not rewritten for fewer dropped rows than this. */
const FEW_DROPPED = 1024

/**
 * [D30] A collection in a folder: `store.db` has chunks, words and the valid state; vector-files.ts has the vectors.
 * Any number of processes may read while one writes. Calls run one after the other.
 */
class LocalStore implements VectorStore {
  readonly #collection: string
  readonly #folder: string
  readonly #db: Database
  #files: VectorFiles | null = null
  /** State that files and words in memory belong to. */
  #seen: StoreRow | null = null
  #words: Words | null = null
  #last: Promise<unknown> = Promise.resolve()
  #isOpen = true
  #damage: StoreProblem | null = null

  constructor(collection: string, folder: string, db: Database) {
    this.#collection = collection
    this.#folder = folder
    this.#db = db
  }

  /** Reads the existing data. Throws the problems that `openLocalStore` returns. */
  start(): void {
    const cut = () => {
      this.#sync()
      this.#files?.cutTail()
      this.#removeOldFiles()
    }
    // Without the right to write there is nothing to clean up, and everything to read.
    try {
      this.#db.transaction('BEGIN IMMEDIATE', cut)
    } catch (error) {
      if (problemOf(this.#collection, error).kind === 'damaged') throw error
      this.#db.transaction('BEGIN', () => this.#sync())
    }
  }

  stats = (): Promise<Result<StoreStats>> =>
    this.#inTurn(() =>
      this.#db.transaction('BEGIN', () => {
        const { embedder, dimensions, chunks, name, changes } = this.#sync()
        const documents = this.#db.number('SELECT count(DISTINCT filename) FROM chunks')
        const bytes = this.#bytes()
        return { chunks, documents, bytes, dimensions, embedder, version: `${name}.${changes}` }
      }),
    )

  upsert = (embedder: string, batch: Batch): Promise<Result<null>> =>
    this.#inTurn(() => {
      if (batch.length === 0) return null
      const rows = latestOf(batch)
      this.#write((store) => {
        const dimensions = checkBatch(this.#collection, embedder, rows, store)
        const extent = { ...store, dimensions }
        this.#files ??= new VectorFiles(this.#folder, extent)
        this.#files.append(rows.map(({ vector }) => vector))
        const chunks = rows.map(({ chunk }) => chunk)
        return [{ ...extent, embedder }, putChunks(this.#db, chunks, store.rows)]
      })
      return null
    })

  remove = (filenames: readonly string[]): Promise<Result<null>> =>
    this.#inTurn(() => {
      if (filenames.length > 0) this.#write((store) => [store, dropFiles(this.#db, filenames)])
      return null
    })

  search = (
    queries: readonly Query[],
    options: Options,
  ): Promise<Result<ReadonlyArray<readonly Candidate[]>>> =>
    this.#inTurn(async () => {
      // One snapshot of the database, from the first look to the last.
      this.#db.exec('BEGIN')
      try {
        const { chunks, dimensions } = this.#sync()
        const files = this.#files
        const words = this.#words
        if (chunks === 0 || files === null || words === null) return queries.map(() => [])
        checkQueries(this.#collection, queries, dimensions ?? 0)
        return await findCandidates({ db: this.#db, files, words }, queries, options)
      } finally {
        this.#db.exec('COMMIT')
      }
    })

  chunks = (filename: string, from: number, to: number): Promise<Result<readonly ChunkRecord[]>> =>
    this.#inTurn(() =>
      this.#db
        .prepare(
          `SELECT chunk_idx, text, heading, line_from, line_to, hash FROM chunks
           WHERE filename = ? AND chunk_idx >= ? AND chunk_idx < ? ORDER BY chunk_idx`,
        )
        .all(filename, from, to)
        .map((row) => ({
          filename,
          chunk_idx: Number(row['chunk_idx']),
          text: String(row['text']),
          heading: row['heading'] === null ? null : String(row['heading']),
          lines: linesOf(row['line_from'], row['line_to']),
          hash: String(row['hash']),
        })),
    )

  close = async (): Promise<void> => {
    await this.#last
    this.shut()
  }

  /** Closes immediately. */
  shut(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    try {
      this.#files?.close()
    } finally {
      this.#db.close()
    }
  }

  /** Runs after the earlier calls. Disk failures become results. */
  #inTurn<T>(work: () => T | Promise<T>): Promise<Result<T>> {
    const run = async (): Promise<Result<T>> => {
      if (this.#damage !== null) return err(this.#damage)
      try {
        return ok(await work())
      } catch (error) {
        if (error instanceof Stopped) return stopped(this.#collection)
        if (error instanceof Refused) return err(error.problem)
        const problem = problemOf(this.#collection, error)
        if (error instanceof RowDamage) this.#markDamaged(problem)
        return err(problem)
      }
    }
    const result = this.#last.then(run)
    this.#last = result.catch(() => null)
    return result
  }

  /** [D33] From now on nothing else is answered, also not after the next opening. */
  #markDamaged(problem: StoreProblem): void {
    this.#damage = problem
    markDamaged(this.#folder, problem.what)
  }

  /** Brings memory to the state of the database, in the transaction that is open. */
  #sync(): StoreRow {
    const store = readStore(this.#db)
    if (store.changes === this.#seen?.changes && store.name === this.#seen.name) return store
    const extent = extentOf(store)
    if (extent?.generation !== this.#files?.generation) this.#forget()
    if (extent !== null) {
      this.#files ??= new VectorFiles(this.#folder, extent)
      this.#files.load(extent)
      for (const { slot } of this.#db.prepare('SELECT slot FROM dropped').all())
        this.#files.drop(Number(slot))
    }
    this.#note(store)
    return store
  }

  #note(store: StoreRow): void {
    this.#seen = store
    this.#words = new Words(this.#db, store)
  }

  #forget(): void {
    const files = this.#files
    // Even a close that fails gives the descriptors back: they may be those of other files by then.
    this.#files = null
    this.#seen = null
    files?.close()
  }

  /** One change, all or nothing. Vectors are written to disk before the database makes them valid. */
  #write(change: (store: StoreRow) => readonly [StoreRow, Written]): void {
    try {
      const written = this.#db.transaction('BEGIN IMMEDIATE', () => {
        const [store, { added, dropped }] = change(this.#sync())
        for (const slot of dropped) this.#files?.drop(slot)
        const chunks = store.chunks + added - dropped.length
        if (added === 0 && dropped.length === 0) return store
        const extent = this.#files?.extent ?? { rows: 0, crc: 0 }
        const next = { ...store, ...extent, chunks, changes: store.changes + 1 }
        const final = this.#compact(next)
        writeStore(this.#db, final)
        return final
      })
      this.#note(written)
      if (written.generation !== this.#files?.generation) this.#forget()
      this.#removeOldFiles()
    } catch (error) {
      // The appended data is not committed, so memory is read again from the committed state.
      this.#forget()
      throw error
    }
  }

  /** [D33] If most rows are dropped, the live ones move to new files. An empty store forgets its embedder. */
  #compact(store: StoreRow): StoreRow {
    const dropped = store.rows - store.chunks
    if (store.chunks === 0) {
      this.#db.exec(`DELETE FROM dropped; DELETE FROM words;
        INSERT INTO word_index (word_index) VALUES ('delete-all')`)
      const empty = { embedder: null, dimensions: null, rows: 0, crc: 0 }
      return { ...store, ...empty, generation: store.generation + 1 }
    }
    if (dropped < FEW_DROPPED || dropped < store.chunks || this.#files === null) return store
    const old = this.#files
    const generation = store.generation + 1
    const files = new VectorFiles(this.#folder, { ...old.extent, generation, rows: 0, crc: 0 })
    try {
      const slots = liveSlots(this.#db)
      for (let from = 0; from < slots.length; from += FEW_DROPPED) {
        const part = slots.slice(from, from + FEW_DROPPED)
        files.append(part.map((slot) => old.vector(slot).slice()))
      }
      renumber(this.#db, slots)
      return { ...store, ...files.extent }
    } finally {
      files.close()
    }
  }

  /** Files of other generations: left by a compaction, or by one that did not end. */
  #removeOldFiles(): void {
    const kept = new Set(fileNames(readStore(this.#db).generation))
    for (const name of readdirSync(this.#folder)) {
      if (!/^vectors-\d+\.(?:f32|codes)$/u.test(name) || kept.has(name)) continue
      try {
        rmSync(join(this.#folder, name), { force: true })
      } catch {
        // Windows keeps files that another process has open: the next opening tries again.
      }
    }
  }

  #bytes(): number {
    const sizes = readdirSync(this.#folder).map(
      (name) => statSync(join(this.#folder, name), { throwIfNoEntry: false })?.size ?? 0,
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  }
}

/** Opens the local store of a collection in its folder, which is made when it is missing. */
export const openLocalStore: OpenDriver<'local'> = ({ collection, folder }) => {
  try {
    mkdirSync(folder, { recursive: true })
    checkMark(folder)
    const store = new LocalStore(collection, folder, openDatabase(folder))
    try {
      store.start()
    } catch (error) {
      store.shut()
      throw error
    }
    return Promise.resolve(ok(store))
  } catch (error) {
    return Promise.resolve(err(problemOf(collection, error)))
  }
}

/** Primary result codes of SQLite: https://sqlite.org/rescode.html */
const SQLITE = { error: 1, busy: 5, locked: 6, corrupt: 11, schema: 17, format: 26 } as const

const OF_SQLITE: ReadonlyMap<number, 'damaged' | 'busy'> = new Map([
  [SQLITE.error, 'damaged'],
  [SQLITE.corrupt, 'damaged'],
  [SQLITE.schema, 'damaged'],
  [SQLITE.format, 'damaged'],
  [SQLITE.busy, 'busy'],
  [SQLITE.locked, 'busy'],
])

/** Describes a failure of a store on disk, with its kind. Rethrows errors in our own code. */
function problemOf(collection: string, error: unknown): StoreProblem {
  if (error instanceof Damage) return damaged(collection, error.message)
  const where = `store of ${collection}`
  // [F123] It says itself what to do.
  if (error instanceof RpcError && error.code === 'REFUSED')
    return { kind: 'unreachable', what: error.what, where, do: error.do ?? '' }
  const code = codeOf(error)
  if (code === null || !(error instanceof Error)) throw error
  const what = error.message
  if (code === 'ENOENT') return damaged(collection, 'a file of it is missing')
  if (code === 'damaged') return damaged(collection, `its database cannot be read: ${what}`)
  if (code === 'busy') {
    const away = 'Wait until it has finished, then try again'
    return { kind: 'refused', what: 'another process is writing to it', where, do: away }
  }
  return { kind: 'unreachable', what, where, do: 'Check the folder: rights, and space on the disk' }
}

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('errcode' in error && typeof error.errcode === 'number')
    return OF_SQLITE.get(error.errcode & 0xff) ?? ''
  return 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** Says that the store was found damaged while it was open. */
const MARK = 'damaged'

function markDamaged(folder: string, what: string): void {
  try {
    writeFileSync(join(folder, MARK), what)
  } catch {
    // The folder is gone or full: the next one who opens it will see for themselves.
  }
}

/** Throws Damage if the store is already marked as damaged. */
function checkMark(folder: string): void {
  let what: string
  try {
    what = readTextSync(join(folder, MARK))
  } catch {
    return
  }
  throw new Damage(what)
}
