import { ownOf } from '../../../engine/schema/own.ts'
import type { Query, StoreStats, VectorStore } from '../../../engine/probe/ports.ts'
import { err, ok, type Problem } from '../../../engine/result.ts'
import type { ExistingIndex } from '../../../engine/schema/probe.ts'
import { bestCovered, cosine, mergeFound, type Found } from './candidates.ts'
import { checkQueries, guarded, Refused } from './checks.ts'
import { lexicalWords } from './lexical.ts'
import { notAsDeclared, readOnly } from './problems.ts'

/** A record of an index that another program made. */
export interface ExistingRow {
  /** Its own id, as text. */
  readonly id: string
  readonly fields: unknown
  readonly vector: Float32Array
}

/** Read-only access to an index that another program made. */
interface ExistingSource {
  /** `dimensions` null = it holds nothing. */
  facts(): Promise<{
    readonly version: string
    readonly chunks: number
    readonly dimensions: number | null
    readonly bytes: number
  }>
  /** About the nearest `limit` records; their cosine is computed here. */
  nearest(vector: Float32Array, limit: number): Promise<readonly ExistingRow[]>
  close(): Promise<void>
}

interface Declared {
  readonly collection: string
  readonly index: ExistingIndex
  readonly problemOf: (error: unknown) => Problem
}

/** Factor of additional records beyond the `k` nearest, so that words can choose among them. */
const WIDER = 4
const LEAST = 40

/** A nested field: `metadata.source`. */
export function fieldOf(fields: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? ownOf(value as Readonly<Record<string, unknown>>, key) // an object, asked by its own names
        : undefined,
    fields,
  )
}

/** A number for a record without one, the same whenever it is asked. */
function numberOf(id: string): number {
  let hash = 0
  for (const char of id) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) >>> 0
  return hash
}

/**
 * [D73] A store over an index that another program made. It searches, refuses every change, and knows no neighbours of
 * a chunk. Words are compared among the nearest records, all with equal weight.
 */
export function existingStore(declared: Declared, source: ExistingSource): VectorStore {
  const { collection, index, problemOf } = declared
  const refused = (what: string) => new Refused(notAsDeclared(collection, what))

  function foundOf({ id, fields, vector }: ExistingRow, query: Query): Found {
    const text = fieldOf(fields, index.text)
    if (typeof text !== 'string')
      throw refused(`the field "${index.text}" of record ${id} is no text`)
    if (vector.length !== index.dimensions)
      throw refused(`record ${id} has ${vector.length} dimensions, not ${index.dimensions}`)
    const named = index.file === undefined ? undefined : fieldOf(fields, index.file)
    return {
      chunk_text: text,
      chunk_idx: numberOf(id),
      lines: null,
      filename: typeof named === 'string' && named !== '' ? named : id,
      similarity: cosine(query.vector, vector),
      words: lexicalWords(text),
    }
  }

  async function stats(): Promise<StoreStats> {
    const { dimensions, ...facts } = await source.facts()
    if (dimensions !== null && dimensions !== index.dimensions)
      throw refused(`its vectors have ${dimensions} dimensions, not ${index.dimensions}`)
    return { ...facts, embedder: index.embedder, dimensions, documents: 0 }
  }

  const change = () => Promise.resolve(err(readOnly(collection)))
  return {
    stats: () => guarded(stats, problemOf),
    upsert: change,
    remove: change,
    chunks: () => Promise.resolve(ok([])),
    search: (queries, { k, filenames }) =>
      guarded(async () => {
        checkQueries(collection, queries, index.dimensions)
        if (k < 1) return queries.map(() => [])
        const answers = []
        for (const query of queries) {
          const rows = await source.nearest(query.vector, Math.max(LEAST, WIDER * k))
          const all = rows.map((row) => foundOf(row, query))
          const found = all.filter(({ filename }) => filenames?.includes(filename) ?? true)
          const words = { words: lexicalWords(query.text), weight: () => 1 }
          const near = found.toSorted((a, b) => b.similarity - a.similarity).slice(0, k)
          answers.push(mergeFound([...near, ...bestCovered(found, words, k)], words))
        }
        return answers
      }, problemOf),
    close: () => source.close(),
  }
}
