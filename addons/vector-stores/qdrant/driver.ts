import { randomUUID } from 'node:crypto'
import type { QdrantClient } from '@qdrant/js-client-rest'
import { z } from 'zod'
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
import { foreign, setting, unreachable } from '../../../core/host/probe/store/problems.ts'
import { valueFor } from '../../../core/host/platform/trust/gate.ts'
import { existingCollection } from './existing.ts'
import {
  DENSE,
  SPARSE,
  chunkOfPoint,
  foundOfPoint,
  ofFiles,
  pointOf,
  sparseOf,
  withWord,
} from './points.ts'

/** Stored state, in the single point of a separate collection. */
const State = z.object({
  embedder: z.string().nullable(),
  dimensions: z.int().nullable(),
  name: z.string(),
  changes: z.int(),
  /** Whether the collection of chunks was not there when we began to make it: then it is ours. */
  claimed: z.boolean().default(false),
})
type State = z.infer<typeof State>

const STATE_POINT = 1
const BATCH = 256
const TIMEOUT_MS = 30_000
/** Files counted for the statistics. */
const MOST_FILES = 1_000_000

/**
 * [D38] A collection on a Qdrant server: nearest by exact dense search, best covered by a sparse
 * vector of words. The server has no transactions: one writer at a time, and the version changes
 * before and after every change, so that no answer of a half-done one is kept.
 */
export const openQdrant: OpenDriver<'qdrant'> = async ({ collection, store, env, permit }) => {
  const { url, keyEnv } = store
  const where = `store of ${collection}`
  const key = keyEnv === undefined ? ok(null) : valueFor(permit, keyEnv, { env, where })
  if (!key.ok) return err({ ...key.error, kind: 'refused' })
  if (keyEnv !== undefined && key.value === null)
    return err(setting(collection, keyEnv, 'the API key of Qdrant'))
  const { pathname, origin, port } = new URL(url)
  const { QdrantClient } = await import('@qdrant/js-client-rest')
  const prefix = pathname.replace(/\/+$/u, '')
  const client = new QdrantClient({
    url: origin,
    ...(prefix === '' ? {} : { prefix }),
    // Without a port in the address: the one of its protocol, not Qdrant's own.
    ...(port === '' ? { port: null } : {}),
    // [D62] Not as `api-key`: the client follows redirects, and only this header stays behind then.
    ...(key.value === null ? {} : { headers: { authorization: `Bearer ${key.value}` } }),
    timeout: TIMEOUT_MS,
    checkCompatibility: false,
  })
  if (store.existing !== undefined)
    return ok(
      existingCollection(store.collection, client, {
        collection,
        index: store.existing,
        problemOf: (error) => problemOf(collection, error),
      }),
    )
  const opened = new QdrantStore(collection, store.collection, client)
  try {
    await opened.prepare()
    return ok(opened)
  } catch (error) {
    return err(error instanceof Refused ? error.problem : problemOf(collection, error))
  }
}

/** The server's error message, in the body of its answer. */
const Answer = z.object({ data: z.object({ status: z.object({ error: z.string() }) }) })

function problemOf(collection: string, error: unknown): StoreProblem {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const said = Answer.safeParse(error).data?.data.status.error
  const what = said ?? (cause instanceof Error ? cause.message || cause.name : String(cause))
  return unreachable(collection, what, 'Check that Qdrant runs, its address and its API key')
}

class QdrantStore implements VectorStore {
  readonly #collection: string
  readonly #name: string
  readonly #states: string
  readonly #client: QdrantClient
  /** Number of chunks that contain each word, for one version of the collection. */
  #counts = new Map<string, number>()
  #counted = ''
  /** Whether the collection of the state was seen. */
  #isMade = false

  constructor(collection: string, name: string, client: QdrantClient) {
    this.#collection = collection
    this.#name = name
    this.#states = `${name}_store`
    this.#client = client
  }

  /** [D61] Checks that the server responds and that existing data belongs to Turnscope. Creates nothing. */
  async prepare(): Promise<void> {
    await this.#state()
  }

  stats = (): Promise<Result<StoreStats>> =>
    this.#guarded(async () => {
      const { embedder, dimensions, name, changes } = await this.#state()
      const version = `${name}.${changes}`
      if (dimensions === null)
        return { embedder, dimensions, version, chunks: 0, documents: 0, bytes: 0 }
      const { hits } = await this.#client.facet(this.#name, {
        key: 'filename',
        limit: MOST_FILES,
        exact: true,
      })
      const chunks = await this.#count([])
      // The server does not report its disk usage, so this counts only the vectors.
      const bytes = chunks * dimensions * 4
      return { embedder, dimensions, version, chunks, documents: hits.length, bytes }
    })

  upsert = (embedder: string, given: Batch): Promise<Result<null>> =>
    this.#guarded(async () => {
      const batch = latestOf(given)
      if (batch.length === 0) return null
      const state = await this.#state()
      const dimensions = checkBatch(this.#collection, embedder, batch, state)
      const known = state.dimensions === null ? await this.#create(state, dimensions) : state
      await this.#change({ ...known, embedder, dimensions }, async () => {
        for (let from = 0; from < batch.length; from += BATCH) {
          const points = batch.slice(from, from + BATCH).map(pointOf)
          await this.#client.upsert(this.#name, { wait: true, points })
        }
        return { embedder, dimensions }
      })
      return null
    })

  remove = (filenames: readonly string[]): Promise<Result<null>> =>
    this.#guarded(async () => {
      const state = await this.#state()
      if (state.dimensions === null) return null
      const must = [ofFiles(filenames)]
      const leaving = await this.#count(must)
      if (leaving === 0) return null
      const isAll = leaving === (await this.#count([]))
      await this.#change(state, async () => {
        // An emptied collection accepts any embedder, so it is deleted and recreated.
        if (isAll) await this.#client.deleteCollection(this.#name)
        else await this.#client.delete(this.#name, { wait: true, filter: { must } })
        return isAll ? { embedder: null, dimensions: null } : state
      })
      return null
    })

  search: VectorStore['search'] = (queries, { k, filenames }) =>
    this.#guarded(async () => {
      const state = await this.#state()
      if (state.dimensions === null || k < 1) return queries.map(() => [])
      checkQueries(this.#collection, queries, state.dimensions)
      const must = filenames === undefined ? [] : [ofFiles(filenames)]
      const all = await this.#count([])
      return Promise.all(
        queries.map(async (query) => {
          const words = await this.#weigh(query.text, all, state)
          const [near, covered] = await Promise.all([
            this.#nearest(query, k, must),
            this.#covered({ query, words }, k, must),
          ])
          return mergeFound([...near, ...covered], words)
        }),
      )
    })

  chunks = (filename: string, from: number, to: number): Promise<Result<readonly ChunkRecord[]>> =>
    this.#guarded(async () => {
      if ((await this.#state()).dimensions === null || to <= from) return []
      const range = { key: 'chunk_idx', range: { gte: from, lt: to } }
      const { points } = await this.#client.scroll(this.#name, {
        filter: { must: [ofFiles([filename]), range] },
        limit: to - from,
        with_payload: true,
      })
      return points.map(chunkOfPoint).toSorted((a, b) => a.chunk_idx - b.chunk_idx)
    })

  close = (): Promise<void> => Promise.resolve()

  #guarded<T>(work: () => Promise<T>): Promise<Result<T>> {
    return guarded(work, (error) => problemOf(this.#collection, error))
  }

  async #state(): Promise<State> {
    if (!this.#isMade) {
      const { exists } = await this.#client.collectionExists(this.#states)
      if (!exists) return NONE
    }
    const points = await this.#client.retrieve(this.#states, {
      ids: [STATE_POINT],
      with_payload: true,
    })
    const state = State.safeParse(points[0]?.payload)
    if (!state.success) throw new Refused(foreign(this.#collection, this.#states))
    this.#isMade = true
    return state.data
  }

  async #note(payload: State): Promise<void> {
    const points = [{ id: STATE_POINT, vector: {}, payload }]
    await this.#client.upsert(this.#states, { wait: true, points })
  }

  async #change(
    state: State,
    work: () => Promise<Pick<State, 'embedder' | 'dimensions'>>,
  ): Promise<void> {
    await this.#note({ ...state, changes: state.changes + 1 })
    const { embedder, dimensions } = await work()
    const claimed = dimensions !== null
    await this.#note({ ...state, embedder, dimensions, claimed, changes: state.changes + 2 })
  }

  /** [D61] Creates the collection of chunks. A collection that existed before our claim belongs to another program. */
  async #create(before: State, dimensions: number): Promise<State> {
    const { exists } = await this.#client.collectionExists(this.#name)
    if (exists && !before.claimed) throw new Refused(foreign(this.#collection, this.#name))
    if (!this.#isMade) await this.#client.createCollection(this.#states, { vectors: {} })
    const name = before.name === '' ? randomUUID() : before.name
    const state = { ...before, name, claimed: true }
    await this.#note(state)
    // Left by a writer of ours that ended before it could say so.
    if (exists) await this.#client.deleteCollection(this.#name)
    await this.#client.createCollection(this.#name, {
      vectors: { [DENSE]: { size: dimensions, distance: 'Cosine' } },
      sparse_vectors: { [SPARSE]: {} },
    })
    for (const field_name of ['filename', 'terms'])
      await this.#client.createPayloadIndex(this.#name, {
        field_name,
        field_schema: 'keyword',
        wait: true,
      })
    return state
  }

  async #count(must: Must): Promise<number> {
    const { count } = await this.#client.count(this.#name, { exact: true, filter: { must } })
    return count
  }

  async #weigh(text: string, all: number, { name, changes }: State): Promise<QueryWords> {
    const version = `${name}.${changes}`
    if (this.#counted !== version) this.#counts = new Map()
    this.#counted = version
    const counts = this.#counts
    await Promise.all(
      lexicalWords(text).map(async (word) => {
        if (!counts.has(word)) counts.set(word, await this.#count([withWord(word)]))
      }),
    )
    return weighWords(text, all, (word) => counts.get(word) ?? 0)
  }

  async #nearest({ vector }: Query, limit: number, must: Must): Promise<readonly Found[]> {
    const { points } = await this.#client.query(this.#name, {
      query: [...vector],
      using: DENSE,
      filter: { must },
      limit,
      params: { exact: true },
      with_payload: true,
      with_vector: [DENSE],
    })
    return points.map((point) => foundOfPoint(point, vector))
  }

  /**
   * The `k` best chunks by words. The server does not break ties by cosine. If more chunks tie with the last one, the
   * nearest chunks with its words are queried.
   */
  async #covered(
    { query, words }: { readonly query: Query; readonly words: QueryWords },
    k: number,
    must: Must,
  ): Promise<readonly Found[]> {
    if (words.words.length === 0) return []
    const { points } = await this.#client.query(this.#name, {
      query: sparseOf(words),
      using: SPARSE,
      filter: { must },
      limit: 2 * k,
      with_payload: true,
      with_vector: [DENSE],
    })
    const found = points
      .map((point) => weighed(foundOfPoint(point, query.vector), words))
      .filter(({ sum }) => sum > 0)
      .toSorted((a, b) => b.sum - a.sum || b.one.similarity - a.one.similarity)
    const last = found[k - 1]?.sum ?? 0
    if (found.length < 2 * k || found.at(-1)?.sum !== last)
      return found.slice(0, k).map(({ one }) => one)
    const sets = new Map(
      found.filter(({ sum }) => sum === last).map(({ has }) => [has.join(' '), has]),
    )
    const more = await Promise.all(
      Array.from(sets.values(), (has) =>
        this.#nearest(query, 2 * k, [...must, ...has.map(withWord)]),
      ),
    )
    return bestCovered([...found.map(({ one }) => one), ...more.flat()], words, k)
  }
}

/** State of a collection that has never been filled. */
const NONE: State = { embedder: null, dimensions: null, name: '', changes: 0, claimed: false }

type Must = Array<ReturnType<typeof ofFiles> | ReturnType<typeof withWord>>

function weighed(one: Found, words: QueryWords) {
  return { one, ...coverOf(one.words, words) }
}
