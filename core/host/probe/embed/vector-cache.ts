import { type Result, ok } from '../../../engine/result.ts'
import type { OpenEmbedder } from '../ports.ts'
import { createHash } from 'node:crypto'
import { inside } from '../../platform/files/fence.ts'
import { mkdirSync, rmSync } from '../../platform/files/fenced-fs.ts'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

/** Vectors kept: about 330 MB of 384 numbers each. */
const MOST = 200_000
/** Texts embedded between two writes: a cancelled run loses no more. */
const PORTION = 64

/**
 * [D27] Wraps an embedder so that its model receives only new texts. Vectors are stored in `file` by embedder id and
 * content. Closing it closes the file and the embedder.
 * @param file SQLite; created, or recreated if it is damaged
 */
export async function cachedEmbedder(
  embedder: OpenEmbedder,
  file: string,
  most: number = MOST,
): Promise<OpenEmbedder> {
  const cache = await openVectorCache(file, most)
  return {
    id: embedder.id,
    get dimensions() {
      return embedder.dimensions
    },
    threshold: embedder.threshold,
    remote: embedder.remote,
    embed: (texts, signal) => embedMissing(embedder, cache, texts, signal),
    close: async () => {
      cache.close()
      await embedder.close()
    },
  }
}

async function embedMissing(
  embedder: OpenEmbedder,
  cache: VectorCache,
  texts: readonly string[],
  signal: Parameters<OpenEmbedder['embed']>[1],
): Promise<Result<readonly Float32Array[]>> {
  const keys = texts.map((text) => cacheKey(embedder.id, text))
  const fits = (vector: Float32Array) => vector.length === (embedder.dimensions ?? vector.length)
  const vectors = cache.get(keys).map((vector) => (vector !== null && fits(vector) ? vector : null))
  // A text that comes twice is asked once.
  const missing = new Map<string, number[]>()
  texts.forEach((text, index) => {
    if (vectors[index] === null) missing.set(text, [...(missing.get(text) ?? []), index])
  })
  const rest = [...missing]
  for (let from = 0; from < rest.length; from += PORTION) {
    const portion = rest.slice(from, from + PORTION)
    const made = await embedder.embed(
      portion.map(([text]) => text),
      signal,
    )
    if (!made.ok) return made
    const entries = made.value.map((vector, place) => {
      const [text, indexes] = portion[place] ?? ['', []]
      for (const index of indexes) vectors[index] = vector
      return { key: cacheKey(embedder.id, text), vector }
    })
    cache.put(entries)
  }
  return ok(vectors.filter((vector) => vector !== null))
}

/** Vectors by embedder and text, on disk. It never fails: vectors that it cannot read or store are computed again. */
interface VectorCache {
  get(keys: readonly Uint8Array[]): ReadonlyArray<Float32Array | null>
  put(entries: ReadonlyArray<{ readonly key: Uint8Array; readonly vector: Float32Array }>): void
  close(): void
}

/** Changes with the shape of the table: another shape is another cache. */
const VERSION = 1
/** Share that goes when it is full, longest unused first. */
const SHED = 0.1

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL, used INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS vectors_used ON vectors (used);
`

/** [D27] SHA-256 over the embedder's id and the text: another model or another text is another key. */
function cacheKey(embedder: string, text: string): Uint8Array {
  return createHash('sha256').update(`${embedder}\0${text}`).digest()
}

/**
 * [D27] Opens or creates the cache. A damaged file is recreated. If no file can be written, nothing is stored.
 * @param most maximum vectors; the least recently used are evicted first
 */
export async function openVectorCache(file: string, most: number): Promise<VectorCache> {
  const { DatabaseSync } = await import('node:sqlite')
  const open = () => prepare(new DatabaseSync(inside(file)), most)
  try {
    mkdirSync(dirname(file), { recursive: true })
    return open()
  } catch {
    try {
      for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
      return open()
    } catch {
      return NOTHING
    }
  }
}

const NOTHING: VectorCache = {
  get: (keys) => keys.map(() => null),
  put: () => undefined,
  close: () => undefined,
}

function prepare(database: DatabaseSync, most: number): VectorCache {
  try {
    database.exec('PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
    const { user_version: version } = database.prepare('PRAGMA user_version').get() ?? {}
    if (version !== 0 && version !== VERSION) database.exec('DROP TABLE IF EXISTS vectors')
    database.exec(`${SCHEMA} PRAGMA user_version = ${VERSION}`)
    return statements(database, most)
  } catch (error) {
    database.close()
    throw error
  }
}

function statements(database: DatabaseSync, most: number): VectorCache {
  const find = database.prepare('SELECT vector FROM vectors WHERE key = ?')
  const touch = database.prepare('UPDATE vectors SET used = ? WHERE key = ?')
  const add = database.prepare(
    'INSERT OR REPLACE INTO vectors (key, vector, used) VALUES (?, ?, ?)',
  )
  const shed = database.prepare(
    'DELETE FROM vectors WHERE key IN (SELECT key FROM vectors ORDER BY used LIMIT ?)',
  )
  const count = () =>
    Number(database.prepare('SELECT count(*) AS n FROM vectors').get()?.['n'] ?? 0)
  let held = count()
  let turn = Number(database.prepare('SELECT max(used) AS n FROM vectors').get()?.['n'] ?? 0)

  return {
    get: (keys) => {
      turn += 1
      const found = keys.map((key) => {
        try {
          return vectorOf(find.get(key)?.['vector'])
        } catch {
          return null
        }
      })
      together(database, () =>
        found.forEach((vector, index) => {
          const key = keys[index]
          if (vector !== null && key !== undefined) touch.run(turn, key)
        }),
      )
      return found
    },
    put: (entries) =>
      together(database, () => {
        for (const { key, vector } of entries) {
          add.run(key, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), turn)
        }
        held += entries.length
        if (held <= most) return
        held = count()
        if (held > most) shed.run(held - Math.floor(most * (1 - SHED)))
        held = count()
      }),
    close: () => database.close(),
  }
}

/** A row that is not a vector of length 1 is treated as missing. */
function vectorOf(value: unknown): Float32Array | null {
  if (!(value instanceof Uint8Array) || value.byteLength % 4 !== 0) return null
  const vector = new Float32Array(value.slice().buffer)
  let squares = 0
  for (const number of vector) squares += number * number
  return Math.abs(squares - 1) < 1e-3 ? vector : null
}

/** All or nothing; a failure leaves the cache as it was. */
function together(database: DatabaseSync, work: () => void): void {
  try {
    database.exec('BEGIN IMMEDIATE')
  } catch {
    return
  }
  try {
    work()
    database.exec('COMMIT')
  } catch {
    database.exec('ROLLBACK')
  }
}
