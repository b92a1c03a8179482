import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import type { ChunkRecord } from '../../../core/engine/probe/ports.ts'
import { type Found, type QueryWords, cosine } from '../../../core/host/probe/store/candidates.ts'
import type { Batch } from '../../../core/host/probe/store/checks.ts'
import { indexedText } from '../../../core/engine/probe/chunk.ts'
import { lexicalWords } from '../../../core/host/probe/store/lexical.ts'

/** Names of the two vectors of a point: of the text, and one entry for each of its words. */
export const DENSE = 'text'
export const SPARSE = 'words'

const Payload = z.object({
  filename: z.string(),
  chunk_idx: z.int().min(0),
  text: z.string(),
  heading: z.string().nullable(),
  lines: z.tuple([z.int(), z.int()]).nullable(),
  hash: z.string(),
  terms: z.array(z.string()),
})

/** The same chunk is the same point: writing it again replaces it. */
function idOf(chunk: Pick<ChunkRecord, 'filename' | 'chunk_idx'>): string {
  const hex = createHash('sha256').update(`${chunk.chunk_idx} ${chunk.filename}`).digest('hex')
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5')
}

/** Index of a word in sparse vectors. A collision of two words only makes the preselection less exact. */
function placeOf(word: string): number {
  return crc32(word)
}

export function pointOf({ chunk, vector }: Batch[number]) {
  const terms = [...lexicalWords(indexedText(chunk))]
  const { filename, chunk_idx, text, heading, hash } = chunk
  const lines = chunk.lines === null ? null : [...chunk.lines]
  const places = [...new Set(terms.map(placeOf))]
  return {
    id: idOf(chunk),
    vector: {
      [DENSE]: [...vector],
      [SPARSE]: { indices: places, values: places.map(() => 1) },
    },
    payload: { filename, chunk_idx, text, heading, lines, hash, terms },
  }
}

/** A sparse query whose product with a point is the weight of the words that the point has. */
export function sparseOf({ words, weight }: QueryWords) {
  const weights = new Map(words.map((word) => [placeOf(word), weight(word)]))
  return { indices: [...weights.keys()], values: [...weights.values()] }
}

/** Chunk of a point. Throws if Turnscope did not create the point. */
export function chunkOfPoint(point: { readonly payload?: unknown }): ChunkRecord {
  const { filename, chunk_idx, text, heading, lines, hash } = Payload.parse(point.payload)
  return { filename, chunk_idx, text, heading, lines, hash }
}

/** A point that was found. Its cosine is computed here, because a sparse answer has none. */
export function foundOfPoint(
  point: { readonly payload?: unknown; readonly vector?: unknown },
  query: Float32Array,
): Found {
  const { filename, chunk_idx, text, lines, terms } = Payload.parse(point.payload)
  const { [DENSE]: vector } = z.object({ [DENSE]: z.array(z.number()) }).parse(point.vector)
  const similarity = cosine(query, Float32Array.from(vector))
  return { chunk_text: text, filename, chunk_idx, lines, similarity, words: terms }
}

export function ofFiles(filenames: readonly string[]) {
  return { key: 'filename', match: { any: [...filenames] } }
}

export function withWord(word: string) {
  return { key: 'terms', match: { value: word } }
}
