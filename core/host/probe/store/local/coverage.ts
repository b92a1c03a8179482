import { createLru } from '../../../../engine/lru.ts'
import { lexicalCoverage } from '../../../../engine/probe/hits.ts'
import { type QueryWords, weighWords } from '../candidates.ts'
import { rarity } from '../lexical.ts'
import type { Database, StoreRow } from './database.ts'
import { wordIds } from './write.ts'

/** Words of a query with their weights; those that some chunk has, rarest first. */
export interface WeighedWords extends QueryWords {
  readonly known: readonly Known[]
}

interface Known {
  readonly id: number
  readonly word: string
  readonly chunks: number
  readonly weight: number
}

/** Slots with the best coverage. */
interface Best {
  /** Better than the `k`-th. */
  readonly above: readonly number[]
  /** As good as the `k`-th, ascending. */
  readonly equal: Uint32Array
}

/** Maximum chunk numbers in memory for queried words. */
const MOST_KEPT = 4_000_000
/** More than sums of weights lose by rounding, far less than any two of them differ. */
const ROUNDING = 1e-9
/** Fetching the words of one chunk costs about as much as this many rows of a list. */
const CHUNK_COST = 50

/** Words and who has them. One for a state of the database: a change makes a new one. */
export class Words {
  readonly #db: Database
  readonly #all: number
  readonly #rows: number
  /** Sum of weights by slot; all 0 between two questions. */
  #sums: Float64Array | null = null
  readonly #lists = createLru<number, Uint32Array>(MOST_KEPT, (ids) => ids.length)

  constructor(db: Database, { chunks, rows }: Pick<StoreRow, 'chunks' | 'rows'>) {
    this.#db = db
    this.#all = chunks
    this.#rows = rows
  }

  #sumsOf(): Float64Array {
    this.#sums ??= new Float64Array(this.#rows)
    return this.#sums
  }

  /** [D34] Distinct words of a query, weighed by how rare they are here. */
  weigh(text: string): WeighedWords {
    const find = this.#db.prepare('SELECT id, chunks FROM words WHERE word = ? AND chunks > 0')
    const known: Known[] = []
    const query = weighWords(text, this.#all, (word) => {
      const row = find.get(word)
      const chunks = Number(row?.['chunks'] ?? 0)
      if (row !== undefined) {
        known.push({ id: Number(row['id']), word, chunks, weight: rarity(this.#all, chunks) })
      }
      return chunks
    })
    return { ...query, known: known.toSorted((a, b) => b.weight - a.weight) }
  }

  /** Coverage of one chunk, by the numbers of the words that it has. */
  coverage({ words, known, weight }: WeighedWords, chunk: unknown): number {
    const has = wordIds(chunk)
    const found = new Set(known.filter(({ id }) => has.includes(id)).map(({ word }) => word))
    return lexicalCoverage(words, found, weight)
  }

  /**
   * [D34] Chunks with the `k` best coverages. Rare words are looked up first. When the remaining words cannot lift a
   * chunk without rare words over the k-th best, only the chunks found so far are completed.
   */
  best(query: WeighedWords, k: number, only: Uint32Array | null): Best {
    const sums = this.#sumsOf()
    const allowed = only === null ? null : new Set(only)
    let found: number[] = []
    let rest = query.known.reduce((sum, { weight }) => sum + weight, 0)
    let expanded = 0
    for (const known of query.known) {
      if (found.length >= k && kth(found, sums, k) > rest + ROUNDING) break
      this.#add(known, allowed, found)
      rest -= known.weight
      expanded += 1
    }
    const least = kth(found, sums, k) - Math.max(0, rest) - ROUNDING
    const touched = found
    found = found.filter((slot) => (sums[slot] ?? 0) >= least)
    for (const slot of touched) if ((sums[slot] ?? 0) < least) sums[slot] = 0
    this.#complete(found, query.known.slice(expanded))
    const enough = kth(found, sums, k)
    const above = found.filter((slot) => (sums[slot] ?? 0) > enough)
    const equal = Uint32Array.from(found.filter((slot) => sums[slot] === enough)).sort()
    for (const slot of found) sums[slot] = 0
    return { above, equal }
  }

  /** Adds the weight of a word to the chunks that have it. */
  #add(known: Known, allowed: ReadonlySet<number> | null, found: number[]): void {
    const sums = this.#sumsOf()
    for (const slot of this.#list(known)) {
      if (allowed?.has(slot) === false) continue
      const sum = sums[slot] ?? 0
      if (sum === 0) found.push(slot)
      sums[slot] = sum + known.weight
    }
  }

  /** Adds the weights of the words that are left, by their lists or chunk by chunk: what reads less. */
  #complete(found: readonly number[], left: readonly Known[]): void {
    const sums = this.#sumsOf()
    const listed = left.reduce((sum, { chunks }) => sum + chunks, 0)
    if (listed < found.length * CHUNK_COST) {
      // All others have the sum 0.
      for (const known of left) {
        for (const slot of this.#list(known)) {
          const sum = sums[slot] ?? 0
          if (sum > 0) sums[slot] = sum + known.weight
        }
      }
      return
    }
    const find = this.#db.prepare('SELECT words FROM chunks WHERE slot = ?')
    for (const slot of found) {
      const has = wordIds(find.get(slot)?.['words'])
      for (const { id, weight } of left) {
        if (has.includes(id)) sums[slot] = (sums[slot] ?? 0) + weight
      }
    }
  }

  #list({ id, word }: Known): Uint32Array {
    const kept = this.#lists.get(id)
    if (kept !== undefined) return kept
    const row = this.#db
      .prepare('SELECT json_group_array(rowid) AS ids FROM word_index WHERE word_index MATCH ?')
      .get(`"${word}"`)
    // SQLite made it from row numbers.
    const ids = Uint32Array.from(JSON.parse(String(row?.['ids'] ?? '[]')) as readonly number[])
    this.#lists.set(id, ids)
    return ids
  }
}

/** The `k`-th highest sum of these slots; 0 if there are fewer. */
function kth(slots: readonly number[], sums: Float64Array, k: number): number {
  if (slots.length < k) return 0
  // Sums are made of few weights: there are few different ones.
  const counts = new Map<number, number>()
  for (const slot of slots) counts.set(sums[slot] ?? 0, (counts.get(sums[slot] ?? 0) ?? 0) + 1)
  let seen = 0
  for (const [sum, count] of [...counts].sort(([a], [b]) => b - a)) {
    seen += count
    if (seen >= k) return sum
  }
  return 0
}
