import type { Pool, PoolClient } from 'pg'
import type {
  ChunkRecord,
  Query,
  StoreStats,
  VectorStore,
} from '../../../core/engine/probe/ports.ts'
import { type Result, err, ok } from '../../../core/engine/result.ts'
import type { OpenDriver, StoreProblem } from '../../../core/host/probe/ports.ts'
import {
  type QueryWords,
  linesOf,
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
import { indexedText } from '../../../core/engine/probe/chunk.ts'
import { lexicalWords } from '../../../core/host/probe/store/lexical.ts'
import { foreign, setting, unreachable } from '../../../core/host/probe/store/problems.ts'
import { valueFor } from '../../../core/host/platform/trust/gate.ts'
import { existingTable } from './existing.ts'
import { type ChunkRow, type FoundRow, clean, foundOf, literal, quoted } from './rows.ts'

/** Stored state, in a table of one row next to the table of chunks. */
interface State {
  readonly embedder: string | null
  readonly dimensions: number | null
  readonly chunks: number
  readonly version: string
}

const CONNECT_MS = 5000
/** Rows of one statement. */
const BATCH = 500
const COLUMNS = 'filename, chunk_idx, text, heading, line_from, line_to, hash'

/**
 * [D38] A collection in a table of PostgreSQL with pgvector. Search is exact as long as the table has
 * no HNSW or IVFFlat index; one that its owner made is used by the server, and answers are then as
 * good as the index.
 */
export const openPgvector: OpenDriver<'pgvector'> = async ({ collection, store, env, permit }) => {
  const { urlEnv, table } = store
  const named = valueFor(permit, urlEnv, { env, where: `store of ${collection}` })
  if (!named.ok) return err({ ...named.error, kind: 'refused' })
  const connectionString = named.value
  if (connectionString === null)
    return err(setting(collection, urlEnv, 'the connection string of PostgreSQL'))
  // [D62] The workspace names the variable: anything else in it would be sent as a database's name.
  if (!/^postgres(?:ql)?:\/\//u.test(connectionString)) return err(noAddress(collection, urlEnv))
  const { Pool } = await import('pg')
  const pool = new Pool({ connectionString, max: 1, connectionTimeoutMillis: CONNECT_MS })
  // An idle connection was lost: the next question opens another one.
  pool.on('error', () => undefined)
  if (store.existing !== undefined)
    return ok(existingTable(collection, { ...store, existing: store.existing }, pool))
  const opened = new PgvectorStore(collection, table, pool)
  try {
    await opened.prepare()
    return ok(opened)
  } catch (error) {
    await pool.end()
    return err(error instanceof Refused ? error.problem : problemOf(collection, error))
  }
}

function noAddress(collection: string, urlEnv: string): StoreProblem {
  return {
    kind: 'refused',
    what: `the environment variable ${urlEnv} holds no address that begins with postgres://`,
    where: `store of ${collection}`,
    do: `Check which variable the entry names, or set ${urlEnv} to the address of the database`,
  }
}

function problemOf(collection: string, error: unknown): StoreProblem {
  const what = error instanceof Error ? error.message || error.name : String(error)
  return unreachable(collection, what, 'Check that PostgreSQL runs and has the extension vector')
}

class PgvectorStore implements VectorStore {
  readonly #collection: string
  readonly #pool: Pool
  readonly #table: string
  readonly #state: string
  readonly #names: { readonly table: string; readonly state: string }
  /** Whether our table of state was seen. */
  #isMade = false

  constructor(collection: string, table: string, pool: Pool) {
    this.#collection = collection
    this.#pool = pool
    this.#table = quoted(table)
    this.#state = quoted(`${table}_store`)
    this.#names = { table, state: `${table}_store` }
  }

  /** [D61] Checks that the server responds and that existing data belongs to Turnscope. Creates nothing. */
  async prepare(): Promise<void> {
    await this.#transaction((client) => this.#read(client))
  }

  stats = (): Promise<Result<StoreStats>> =>
    this.#guarded(async (client) => {
      const { embedder, dimensions, chunks, version } = await this.#read(client)
      const empty = { embedder, dimensions, chunks, version, documents: 0, bytes: 0 }
      if (dimensions === null) return empty
      const { rows } = await client.query<{ documents: string; bytes: string }>(
        `SELECT count(DISTINCT filename) AS documents,
         pg_total_relation_size($1::regclass) AS bytes FROM ${this.#table}`,
        [this.#table],
      )
      return { ...empty, documents: Number(rows[0]?.documents), bytes: Number(rows[0]?.bytes) }
    })

  upsert = (embedder: string, given: Batch): Promise<Result<null>> =>
    this.#guarded(async (client) => {
      const batch = latestOf(given)
      if (batch.length === 0) return null
      const state = await this.#read(client, 'FOR UPDATE')
      const dimensions = checkBatch(this.#collection, embedder, batch, state)
      if (state.dimensions === null) await this.#createTables(client, dimensions)
      let added = 0
      for (let from = 0; from < batch.length; from += BATCH)
        added += await this.#put(client, batch.slice(from, from + BATCH))
      await this.#note(client, { embedder, dimensions, chunks: state.chunks + added })
      return null
    })

  remove = (filenames: readonly string[]): Promise<Result<null>> =>
    this.#guarded(async (client) => {
      const state = await this.#read(client, 'FOR UPDATE')
      if (state.dimensions === null) return null
      const { rowCount } = await client.query(
        `DELETE FROM ${this.#table} WHERE filename = ANY($1)`,
        [filenames],
      )
      if (rowCount === null || rowCount === 0) return null
      const chunks = state.chunks - rowCount
      // An emptied collection accepts any embedder, so its table is dropped and recreated.
      if (chunks === 0) await client.query(`DROP TABLE ${this.#table}`)
      const { embedder, dimensions } = chunks === 0 ? EMPTY : state
      await this.#note(client, { embedder, dimensions, chunks })
      return null
    })

  search: VectorStore['search'] = (queries, { k, filenames }) =>
    this.#guarded(async (client) => {
      const { dimensions, chunks } = await this.#read(client)
      if (dimensions === null || k < 1) return queries.map(() => [])
      checkQueries(this.#collection, queries, dimensions)
      const answers = []
      for (const query of queries) {
        const words = await this.#weigh(client, query.text, chunks)
        const near = await this.#nearest(client, query, { k, filenames })
        const covered = await this.#covered(client, { query, words }, { k, filenames })
        answers.push(mergeFound([...near, ...covered], words))
      }
      return answers
    })

  chunks = (filename: string, from: number, to: number): Promise<Result<readonly ChunkRecord[]>> =>
    this.#guarded(async (client) => {
      if ((await this.#read(client)).dimensions === null) return []
      const { rows } = await client.query<ChunkRow>(
        `SELECT ${COLUMNS} FROM ${this.#table}
         WHERE filename = $1 AND chunk_idx >= $2 AND chunk_idx < $3 ORDER BY chunk_idx`,
        [filename, from, to],
      )
      return rows.map(({ line_from, line_to, ...chunk }) => ({
        ...chunk,
        lines: linesOf(line_from, line_to),
      }))
    })

  close = (): Promise<void> => this.#pool.end()

  #guarded<T>(work: (client: PoolClient) => Promise<T>): Promise<Result<T>> {
    return guarded(
      () => this.#transaction(work),
      (error) => problemOf(this.#collection, error),
    )
  }

  async #transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    let broken: Error | undefined
    try {
      await client.query('BEGIN')
      const value = await work(client)
      await client.query('COMMIT')
      return value
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: unknown) => {
        broken = failure instanceof Error ? failure : new Error('lost')
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  /**
   * [D61] Whether the table of state exists. Throws Refused if it has other columns, because another program created
   * it.
   */
  async #hasState(client: PoolClient): Promise<boolean> {
    if (this.#isMade) return true
    const columns = await this.#columns(client, this.#state)
    if (columns === '') return false
    if (columns !== STATE_COLUMNS) throw new Refused(foreign(this.#collection, this.#names.state))
    this.#isMade = true
    return true
  }

  /** Columns of a table in their order; empty if it does not exist. */
  async #columns(client: PoolClient, table: string): Promise<string> {
    const { rows } = await client.query<{ columns: string | null }>(
      `SELECT string_agg(attname, ' ' ORDER BY attnum) AS columns FROM pg_attribute
       WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
      [table],
    )
    return rows[0]?.columns ?? ''
  }

  async #read(client: PoolClient, lock: 'FOR UPDATE' | '' = ''): Promise<State> {
    if (!(await this.#hasState(client))) return { ...EMPTY, chunks: 0, version: 'empty' }
    const { rows } = await client.query<{
      embedder: string | null
      dimensions: number | null
      chunks: string
      version: string
    }>(
      `SELECT embedder, dimensions, chunks, name || '.' || changes AS version
       FROM ${this.#state} WHERE id = 1 ${lock}`,
    )
    const [row] = rows
    if (row === undefined) throw new Refused(foreign(this.#collection, this.#names.state))
    return { ...row, chunks: Number(row.chunks) }
  }

  async #note(client: PoolClient, state: Omit<State, 'version'>): Promise<void> {
    await client.query(
      `UPDATE ${this.#state} SET embedder = $1, dimensions = $2, chunks = $3, changes = changes + 1`,
      [state.embedder, state.dimensions, state.chunks],
    )
  }

  /** [D61] Runs in the transaction of the first chunks, so a table that is there is not ours. */
  async #createTables(client: PoolClient, dimensions: number): Promise<void> {
    if ((await this.#columns(client, this.#table)) !== '')
      throw new Refused(foreign(this.#collection, this.#names.table))
    await client.query('CREATE EXTENSION IF NOT EXISTS vector')
    if (!this.#isMade) {
      await client.query(`CREATE TABLE ${this.#state} (
        id int PRIMARY KEY CHECK (id = 1), embedder text, dimensions int,
        chunks bigint NOT NULL, name uuid NOT NULL, changes bigint NOT NULL)`)
      await client.query(
        `INSERT INTO ${this.#state} VALUES (1, NULL, NULL, 0, gen_random_uuid(), 0)`,
      )
    }
    // Names sort by their bytes, as everywhere else in Turnscope, independent of the server's language.
    await client.query(`CREATE TABLE ${this.#table} (
      filename text COLLATE "C" NOT NULL, chunk_idx int NOT NULL, text text NOT NULL, heading text,
      line_from int, line_to int, hash text NOT NULL, terms text[] NOT NULL,
      embedding vector(${dimensions}) NOT NULL, PRIMARY KEY (filename, chunk_idx))`)
    await client.query(`CREATE INDEX ON ${this.#table} USING gin (terms)`)
  }

  /** Returns how many chunks are new. */
  async #put(client: PoolClient, batch: Batch): Promise<number> {
    const values = batch.map(({ chunk, vector }) => ({
      filename: clean(chunk.filename),
      chunk_idx: chunk.chunk_idx,
      text: clean(chunk.text),
      heading: chunk.heading === null ? null : clean(chunk.heading),
      line_from: chunk.lines?.[0] ?? null,
      line_to: chunk.lines?.[1] ?? null,
      hash: chunk.hash,
      terms: lexicalWords(indexedText(chunk)),
      embedding: literal(vector),
    }))
    const { rows } = await client.query<{ added: string }>(
      `WITH put AS (
         INSERT INTO ${this.#table}
         SELECT filename, chunk_idx, text, heading, line_from, line_to, hash,
           ARRAY(SELECT jsonb_array_elements_text(terms)), embedding::vector
         FROM jsonb_to_recordset($1::jsonb) AS given(filename text, chunk_idx int, text text,
           heading text, line_from int, line_to int, hash text, terms jsonb, embedding text)
         ON CONFLICT (filename, chunk_idx) DO UPDATE SET text = excluded.text,
           heading = excluded.heading, line_from = excluded.line_from, line_to = excluded.line_to,
           hash = excluded.hash, terms = excluded.terms, embedding = excluded.embedding
         RETURNING xmax = 0 AS is_new)
       SELECT count(*) FILTER (WHERE is_new) AS added FROM put`,
      [JSON.stringify(values)],
    )
    return Number(rows[0]?.added ?? 0)
  }

  async #weigh(client: PoolClient, text: string, all: number): Promise<QueryWords> {
    const { rows } = await client.query<{ word: string; chunks: string }>(
      `SELECT word, (SELECT count(*) FROM ${this.#table} WHERE terms @> ARRAY[word]) AS chunks
       FROM unnest($1::text[]) AS word`,
      [lexicalWords(text)],
    )
    const having = new Map(rows.map(({ word, chunks }) => [word, Number(chunks)]))
    return weighWords(text, all, (word) => having.get(word) ?? 0)
  }

  async #nearest(client: PoolClient, { vector }: Query, { k, filenames }: Limits) {
    const { rows } = await client.query<FoundRow>(
      `SELECT ${COLUMNS}, terms, 1 - (embedding <=> $1::vector) AS similarity FROM ${this.#table}
       WHERE $3::text[] IS NULL OR filename = ANY($3)
       ORDER BY embedding <=> $1::vector, filename, chunk_idx LIMIT $2`,
      [literal(vector), k, filenames ?? null],
    )
    return rows.map(foundOf)
  }

  async #covered(
    client: PoolClient,
    { query, words }: { readonly query: Query; readonly words: QueryWords },
    { k, filenames }: Limits,
  ) {
    // Sums are rounded, because the server may add them up in any order.
    const { rows } = await client.query<FoundRow>(
      `SELECT ${COLUMNS}, terms, 1 - (embedding <=> $1::vector) AS similarity FROM ${this.#table}
       WHERE terms && $4::text[] AND ($3::text[] IS NULL OR filename = ANY($3))
       ORDER BY (SELECT round(sum(weight)::numeric, 9)
           FROM unnest($4::text[], $5::float8[]) AS asked(word, weight) WHERE word = ANY(terms)) DESC,
         embedding <=> $1::vector, filename, chunk_idx LIMIT $2`,
      [literal(query.vector), k, filenames ?? null, words.words, words.words.map(words.weight)],
    )
    return rows.map(foundOf)
  }
}

const STATE_COLUMNS = 'id embedder dimensions chunks name changes'
const EMPTY = { embedder: null, dimensions: null }

interface Limits {
  readonly k: number
  readonly filenames: readonly string[] | undefined
}
