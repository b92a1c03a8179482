import { type Result, ok } from '../../../engine/result.ts'
import type { OpenEmbedder } from '../ports.ts'
import { type VectorCache, cacheKey, openVectorCache } from './vector-cache.ts'

/** Vectors kept: about 330 MB of 384 numbers each. */
const MOST = 200_000
/** Texts embedded between two writes: a cancelled run loses no more. */
const PORTION = 64

/**
 * [D27] The same embedder, that asks its model only for texts it has not seen: vectors are kept in `file`
 * by embedder id and content. Closing it closes the file and the embedder.
 * @param file SQLite; made, and made anew where it is damaged
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
