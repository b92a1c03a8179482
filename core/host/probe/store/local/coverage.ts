import { lexicalCoverage } from '../../../../engine/probe/hits.ts'
import { lexicalWords, rarity } from '../lexical.ts'
import type { Database } from './database.ts'

/** Words of a query with their weights, rarest first. */
export interface WeighedWords {
  readonly words: readonly string[]
  readonly known: readonly Known[]
  readonly weight: (word: string) => number
}

interface Known {
  readonly id: number
  readonly word: string
  readonly chunks: number
  readonly weight: number
}

/** A chunk and the weight of the query's words that it has. */
interface Covered {
  readonly id: number
  readonly sum: number
}

/** Chunk numbers kept in memory for words that were asked for. */
const MOST_KEPT = 4_000_000
/** Fetching the words of one chunk costs about as much as this many rows of a list. */
const CHUNK_COST = 8

/** Words and who has them. One for a state of the database: a change makes a new one. */
export class Words {
  readonly #db: Database
  readonly #all: number
  readonly #lists = new Map<number, readonly number[]>()
  #kept = 0

  constructor(db: Database, chunks: number) {
    this.#db = db
    this.#all = chunks
  }

  /** [D34] Distinct words of a query, weighed by how rare they are here. */
  weigh(text: string): WeighedWords {
    const find = this.#db.prepare('SELECT id, chunks FROM words WHERE word = ? AND chunks > 0')
    const known: Known[] = []
    const weights = new Map<string, number>()
    for (const word of lexicalWords(text)) {
      const row = find.get(word)
      const chunks = Number(row?.['chunks'] ?? 0)
      const weight = rarity(this.#all, chunks)
      weights.set(word, weight)
      if (row !== undefined) known.push({ id: Number(row['id']), word, chunks, weight })
    }
    const weight = (word: string) => weights.get(word) ?? 0
    // One order for all sums: equal shares are equal numbers.
    const words = [...weights.keys()].toSorted((a, b) => weight(b) - weight(a) || (a < b ? -1 : 1))
    return { words, known: known.toSorted((a, b) => b.weight - a.weight), weight }
  }

  /** Coverage of one chunk, by the numbers of the words that it has. */
  coverage({ words, known, weight }: WeighedWords, chunk: unknown): number {
    const has = idsOf(chunk)
    const found = new Set(known.filter(({ id }) => has.has(id)).map(({ word }) => word))
    return lexicalCoverage(words, found, weight)
  }

  /**
   * [D34] Chunks with the best coverage, best first: all that are as good as the `k`-th. Rare words are
   * looked up first; once the words that are left cannot lift a chunk that has none of the rare ones
   * over the k-th best, only the chunks found so far are completed.
   */
  best(query: WeighedWords, k: number, allowed: ReadonlySet<number> | null): readonly Covered[] {
    const sums = new Map<number, number>()
    let rest = query.known.reduce((sum, { weight }) => sum + weight, 0)
    let expanded = 0
    for (const known of query.known) {
      if (sums.size >= k && kth(sums, k) > rest) break
      for (const id of this.#list(known)) {
        if (allowed?.has(id) !== false) sums.set(id, (sums.get(id) ?? 0) + known.weight)
      }
      rest -= known.weight
      expanded += 1
    }
    // A little less than needed: `rest` was subtracted from, and may have lost a last digit.
    const least = kth(sums, k) - Math.max(0, rest) - 1e-9
    const contenders = new Map([...sums].filter(([, sum]) => sum >= least))
    this.#complete(contenders, query.known.slice(expanded))
    const enough = kth(contenders, k)
    return Array.from(contenders, ([id, sum]) => ({ id, sum }))
      .filter(({ sum }) => sum >= enough)
      .toSorted((a, b) => b.sum - a.sum)
  }

  /** Adds the weights of the words that are left, by their lists or chunk by chunk: what reads less. */
  #complete(sums: Map<number, number>, left: readonly Known[]): void {
    const listed = left.reduce((sum, { chunks }) => sum + chunks, 0)
    const find = this.#db.prepare('SELECT words FROM chunks WHERE id = ?')
    if (listed < sums.size * CHUNK_COST) {
      for (const known of left) {
        for (const id of this.#list(known)) {
          const sum = sums.get(id)
          if (sum !== undefined) sums.set(id, sum + known.weight)
        }
      }
      return
    }
    for (const [id, sum] of sums) {
      const has = idsOf(find.get(id)?.['words'])
      sums.set(
        id,
        left.reduce((total, known) => (has.has(known.id) ? total + known.weight : total), sum),
      )
    }
  }

  #list({ id, word }: Known): readonly number[] {
    const kept = this.#lists.get(id)
    if (kept !== undefined) return kept
    const row = this.#db
      .prepare('SELECT json_group_array(rowid) AS ids FROM word_index WHERE word_index MATCH ?')
      .get(`"${word}"`)
    // SQLite made it from row numbers.
    const ids = JSON.parse(String(row?.['ids'] ?? '[]')) as readonly number[]
    if (this.#kept + ids.length > MOST_KEPT) {
      this.#lists.clear()
      this.#kept = 0
    }
    this.#lists.set(id, ids)
    this.#kept += ids.length
    return ids
  }
}

/** Numbers of a chunk's words, as the database has them. */
function idsOf(blob: unknown): ReadonlySet<number> {
  return new Set(blob instanceof Uint8Array ? new Uint32Array(blob.slice().buffer) : [])
}

function kth(sums: ReadonlyMap<number, number>, k: number): number {
  if (sums.size < k) return 0
  const values = Float64Array.from(sums.values()).sort()
  return values[values.length - k] ?? 0
}
