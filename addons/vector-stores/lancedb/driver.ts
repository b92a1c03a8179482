import { randomUUID } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import type {
  ChunkRecord,
  Query,
  StoreStats,
  VectorStore,
} from '../../../core/engine/probe/ports.ts'
import { type Result, err, ok } from '../../../core/engine/result.ts'
import type { OpenDriver, StoreProblem } from '../../../core/host/probe/ports.ts'
import {
  type Found,
  type QueryWords,
  bestCovered,
  coverOf,
  mergeFound,
  weighWords,
} from '../../../core/host/probe/store/candidates.ts'
import {
  type Batch,
  Refused,
  checkBatch,
  checkQueries,
  guarded,
  latestOf,
} from '../../../core/host/probe/store/checks.ts'
import { lexicalWords } from '../../../core/host/probe/store/lexical.ts'
import { foreign, unreachable } from '../../../core/host/probe/store/problems.ts'
import { existingLance } from './existing.ts'
import { type Arrow, type Lance, type LanceTable, loadLance } from './package.ts'
import {
  CHUNK,
  chunkOfRow,
  filenameOfRow,
  foundOfRow,
  ofFiles,
  rowOf,
  schemaOf,
  termsOfRow,
  withWord,
} from './rows.ts'

/** Folder whose `node_modules` holds the package. */
const PACKAGE_ENV = 'TURNSCOPE_LANCEDB'
/** Changes after which the table's many small files are made one. */
const TIDY_AFTER = 32
const MOST_TABLES = 10_000

/**
 * [D38] A collection in a LanceDB table. The package is not shipped: it is taken from the application's
 * folder, or from where TURNSCOPE_LANCEDB says ([D60]). Search is exact as long as the table has no vector index.
 */
export const openLance: OpenDriver<'lancedb'> = async ({ collection, store, folder, env }) => {
  try {
    const named = env[PACKAGE_ENV] === '' ? undefined : env[PACKAGE_ENV]
    if (named !== undefined && !isAbsolute(named)) return err(relative(collection))
    const loaded = loadLance(named)
    if (loaded === null) return err(missing(collection))
    const isAddress = /^[a-z0-9+]+:\/\//iu.test(store.uri)
    const uri = isAddress ? store.uri : resolve(folder, store.uri)
    // 0: writes of other processes are visible immediately.
    const connection = await loaded.lance.connect(uri, { readConsistencyInterval: 0 })
    const path = isAddress ? null : join(uri, `${store.table}.lance`)
    if (store.existing !== undefined)
      return ok(
        existingLance(connection, store.table, {
          collection,
          index: store.existing,
          problemOf: (error) => problemOf(collection, error),
        }),
      )
    return ok(new LanceStore({ ...loaded, collection, connection, path, name: store.table }))
  } catch (error) {
    return err(problemOf(collection, error))
  }
}

function missing(collection: string): StoreProblem {
  return {
    kind: 'missing_package',
    what: 'the package @lancedb/lancedb is neither in the application nor in a folder that you named',
    where: `store of ${collection}`,
    do: `Run "npm install @lancedb/lancedb" in a folder of yours and set ${PACKAGE_ENV} to its full path; a package in a workspace is never run`,
  }
}

/** A relative folder begins in the working directory, which may be a stranger's. */
function relative(collection: string): StoreProblem {
  return {
    kind: 'refused',
    what: `${PACKAGE_ENV} is not a full path`,
    where: `store of ${collection}`,
    do: `Set ${PACKAGE_ENV} to the full path of the folder in which you installed @lancedb/lancedb`,
  }
}

function problemOf(collection: string, error: unknown): StoreProblem {
  const what = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  return unreachable(collection, what, 'Check the address of the table and the rights to it')
}

interface Opened {
  readonly collection: string
  /** Of the table. */
  readonly name: string
  readonly lance: Lance
  readonly arrow: Arrow
  readonly connection: Awaited<ReturnType<Lance['connect']>>
  /** Folder of the table; null if it is not on this machine. */
  readonly path: string | null
}

interface State {
  readonly embedder: string
  readonly dimensions: number
  readonly name: string
}

class LanceStore implements VectorStore {
  readonly #opened: Opened
  /** Null before the first chunk: an empty collection has no table. */
  #table: LanceTable | null = null
  #writes = 0

  constructor(opened: Opened) {
    this.#opened = opened
  }

  stats = (): Promise<Result<StoreStats>> =>
    this.#guarded(async () => {
      const table = await this.#find()
      if (table === null) {
        const none = { embedder: null, dimensions: null, version: 'empty' }
        return { ...none, chunks: 0, documents: 0, bytes: 0 }
      }
      const { embedder, dimensions, name } = await stateOf(table)
      const chunks = await table.countRows()
      const names = await table.query().select(['filename']).toArray()
      const documents = new Set(names.map(filenameOfRow)).size
      const { path } = this.#opened
      const bytes = path === null ? chunks * dimensions * 4 : await sizeOf(path)
      const version = `${name}.${await table.version()}`
      return { embedder, dimensions, version, chunks, documents, bytes }
    })

  upsert = (embedder: string, given: Batch): Promise<Result<null>> =>
    this.#guarded(async () => {
      const batch = latestOf(given)
      if (batch.length === 0) return null
      const { lance, arrow, collection, connection } = this.#opened
      const found = await this.#find()
      const state = found === null ? { embedder: null, dimensions: null } : await stateOf(found)
      const dimensions = checkBatch(collection, embedder, batch, state)
      const metadata = new Map(
        Object.entries({ embedder, dimensions: `${dimensions}`, name: randomUUID() }),
      )
      const schema = schemaOf(arrow, dimensions, metadata)
      const table = found ?? (await connection.createEmptyTable(this.#opened.name, schema))
      this.#table = table
      await table
        .mergeInsert(['filename', 'chunk_idx'])
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .execute(lance.makeArrowTable(batch.map(rowOf), { schema }))
      await this.#tidy(table)
      return null
    })

  remove = (filenames: readonly string[]): Promise<Result<null>> =>
    this.#guarded(async () => {
      const table = await this.#find()
      const leaving = (await table?.countRows(ofFiles(filenames))) ?? 0
      if (table === null || leaving === 0) return null
      if (leaving === (await table.countRows())) {
        // An emptied collection accepts any embedder, so its table is dropped and recreated.
        this.#forget()
        await this.#opened.connection.dropTable(this.#opened.name)
        return null
      }
      await table.delete(ofFiles(filenames))
      await this.#tidy(table)
      return null
    })

  search: VectorStore['search'] = (queries, { k, filenames }) =>
    this.#guarded(async () => {
      const table = await this.#find()
      if (table === null || k < 1) return queries.map(() => [])
      checkQueries(this.#opened.collection, queries, (await stateOf(table)).dimensions)
      const filter = filenames === undefined ? [] : [ofFiles(filenames)]
      const all = await table.countRows()
      return Promise.all(
        queries.map(async (query) => {
          const words = await weigh(table, query.text, all)
          const near = await nearest(table, query, k, filter)
          const covered = await best(table, { query, words }, k, filter)
          return mergeFound([...near, ...covered], words)
        }),
      )
    })

  chunks = (filename: string, from: number, to: number): Promise<Result<readonly ChunkRecord[]>> =>
    this.#guarded(async () => {
      const table = await this.#find()
      if (table === null) return []
      const range = `chunk_idx >= ${Math.trunc(from)} AND chunk_idx < ${Math.trunc(to)}`
      const where = `${ofFiles([filename])} AND ${range}`
      const rows = await table.query().select(CHUNK).where(where).toArray()
      return rows.map(chunkOfRow).toSorted((a, b) => a.chunk_idx - b.chunk_idx)
    })

  close = (): Promise<void> => {
    this.#forget()
    this.#opened.connection.close()
    return Promise.resolve()
  }

  #guarded<T>(work: () => Promise<T>): Promise<Result<T>> {
    return guarded(work, (error) => problemOf(this.#opened.collection, error))
  }

  async #find(): Promise<LanceTable | null> {
    if (this.#table !== null) return this.#table
    const { connection, name } = this.#opened
    const names = await connection.tableNames({ limit: MOST_TABLES })
    const table = names.includes(name) ? await connection.openTable(name) : null
    // [D61] Checked before anything is read from it or written to it.
    if (table !== null && (await readState(table)) === null) {
      table.close()
      throw new Refused(foreign(this.#opened.collection, name))
    }
    this.#table = table
    return table
  }

  #forget(): void {
    this.#table?.close()
    this.#table = null
  }

  async #tidy(table: LanceTable): Promise<void> {
    this.#writes += 1
    if (this.#writes % TIDY_AFTER === 0) await table.optimize()
  }
}

async function stateOf(table: LanceTable): Promise<State> {
  const state = await readState(table)
  if (state === null) throw new Error('the table was not made by Turnscope')
  return state
}

/** State in the metadata of a table; null if Turnscope did not create it. */
async function readState(table: LanceTable): Promise<State | null> {
  const { metadata } = await table.schema()
  const [embedder, dimensions, name] = ['embedder', 'dimensions', 'name'].map((key) =>
    metadata.get(key),
  )
  if (embedder === undefined || dimensions === undefined || name === undefined) return null
  return { embedder, dimensions: Number(dimensions), name }
}

async function weigh(table: LanceTable, text: string, all: number): Promise<QueryWords> {
  const counts = await Promise.all(
    lexicalWords(text).map(async (word) => [word, await table.countRows(withWord(word))] as const),
  )
  const having = new Map(counts)
  return weighWords(text, all, (word) => having.get(word) ?? 0)
}

async function nearest(
  table: LanceTable,
  { vector }: Query,
  limit: number,
  filter: readonly string[],
): Promise<readonly Found[]> {
  const all = table.query().nearestTo(vector).column('vector').distanceType('cosine').limit(limit)
  const query = filter.length === 0 ? all : all.where(filter.join(' AND '))
  const rows = await query.select([...CHUNK, 'terms', 'vector', '_distance']).toArray()
  return rows.map((row) => foundOfRow(row, vector))
}

/**
 * The `k` best by words. Chunks are looked up word by word, rarest first, until the words that are left
 * cannot lift another over the k-th best; of each set of words that is good enough, the nearest count.
 */
async function best(
  table: LanceTable,
  { query, words }: { readonly query: Query; readonly words: QueryWords },
  k: number,
  filter: readonly string[],
): Promise<readonly Found[]> {
  const found: Array<ReturnType<typeof coverOf>> = []
  let rest = words.words.reduce((sum, word) => sum + words.weight(word), 0)
  const seen: string[] = []
  for (const word of words.words) {
    const kth = found.toSorted((a, b) => b.sum - a.sum)[k - 1]?.sum ?? 0
    if (kth > rest) break
    const isNew = seen.map((one) => `NOT ${withWord(one)}`)
    const where = [withWord(word), ...isNew, ...filter].join(' AND ')
    const rows = await table.query().select(['terms']).where(where).toArray()
    found.push(...rows.map((row) => coverOf(termsOfRow(row), words)))
    seen.push(word)
    rest -= words.weight(word)
  }
  const ranked = found.toSorted((a, b) => b.sum - a.sum)
  const last = ranked[Math.min(k, ranked.length) - 1]?.sum ?? 0
  const good = ranked.filter(({ sum }) => sum >= last)
  const sets = new Map(good.map(({ has }) => [has.join(' '), has]))
  const answers = await Promise.all(
    Array.from(sets.values(), (has) =>
      nearest(table, query, 2 * k, [...has.map(withWord), ...filter]),
    ),
  )
  return bestCovered(answers.flat(), words, k)
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
