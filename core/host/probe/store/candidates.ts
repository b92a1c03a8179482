import { lexicalCoverage } from '../../../engine/probe/hits.ts'
import type { Candidate } from '../../../engine/probe/ports.ts'
import { lexicalWords, rarity } from './lexical.ts'

/** Words of a query, rarest first, and what each weighs. */
export interface QueryWords {
  readonly words: readonly string[]
  readonly weight: (word: string) => number
}

/** A candidate with the words of its chunk. */
export type Found = Omit<Candidate, 'lexical'> & { readonly words: readonly string[] }

/** [D34] Weighs the words of a query by how many of `all` chunks have each. */
export function weighWords(
  text: string,
  all: number,
  having: (word: string) => number,
): QueryWords {
  const weights = new Map(lexicalWords(text).map((word) => [word, rarity(all, having(word))]))
  const weight = (word: string) => weights.get(word) ?? 0
  // One order for all sums: equal shares are equal numbers.
  const words = [...weights.keys()].toSorted((a, b) => weight(b) - weight(a) || (a < b ? -1 : 1))
  return { words, weight }
}

/** The query's words in a chunk, and their total weight. */
export function coverOf(
  chunk: readonly string[],
  { words, weight }: QueryWords,
): { readonly has: readonly string[]; readonly sum: number } {
  const has = words.filter((word) => chunk.includes(word))
  return { has, sum: has.reduce((sum, word) => sum + weight(word), 0) }
}

/** [D35] Both lists as one, each chunk once with both numbers, best cosine first. */
export function mergeFound(
  found: readonly Found[],
  { words, weight }: QueryWords,
): readonly Candidate[] {
  const unique = new Map(found.map((one) => [`${one.chunk_idx} ${one.filename}`, one]))
  return Array.from(unique.values(), ({ words: has, ...candidate }) => ({
    ...candidate,
    lexical: lexicalCoverage(words, new Set(has), weight),
  })).toSorted(byCosine)
}

/** Nearest first; equals by file name and index. */
export function byCosine(a: Candidate, b: Candidate): number {
  if (a.similarity !== b.similarity) return b.similarity - a.similarity
  if (a.filename !== b.filename) return a.filename < b.filename ? -1 : 1
  return a.chunk_idx - b.chunk_idx
}

/** The first and last line of a chunk, from two columns of a table. */
export function linesOf(from: unknown, to: unknown): Candidate['lines'] {
  return typeof from === 'number' && typeof to === 'number' ? [from, to] : null
}

/** The `k` chunks that have most of the query's words, the nearest first among equals; each once. */
export function bestCovered(
  found: readonly Found[],
  words: QueryWords,
  k: number,
): readonly Found[] {
  const unique = new Map(found.map((one) => [`${one.chunk_idx} ${one.filename}`, one]))
  return Array.from(unique.values(), (one) => ({ one, sum: coverOf(one.words, words).sum }))
    .toSorted((a, b) => b.sum - a.sum || b.one.similarity - a.one.similarity)
    .slice(0, k)
    .map(({ one }) => one)
}

/** Length of a vector, in double precision. */
export function lengthOf(vector: Float32Array): number {
  let sum = 0
  for (const value of vector) sum += value * value
  return Math.sqrt(sum)
}

/**
 * Cosine in double precision, with a fixed order of additions, so that the result is the same everywhere. 0 if one of
 * the two has no direction.
 */
export function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0
  let squareA = 0
  let squareB = 0
  for (let index = 0; index < a.length; index += 1) {
    const x = a[index] ?? 0
    const y = b[index] ?? 0
    product += x * y
    squareA += x * x
    squareB += y * y
  }
  const lengths = Math.sqrt(squareA) * Math.sqrt(squareB)
  return lengths === 0 ? 0 : Math.min(1, Math.max(-1, product / lengths))
}
