import type { Embedder, VectorStore } from '../../../engine/probe/ports.ts'
import { type Result, ok } from '../../../engine/result.ts'
import nulls from './null-phrases.json' with { type: 'json' }

/** Share of null phrases that stay below the calibrated threshold. */
const PERCENTILE = 0.98

/** The least value that at least this share of the values does not exceed (nearest rank). */
export function percentileOf(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}

/**
 * [D44] [L29] Similarity of unrelated phrases to the chunks of a collection: the 98th percentile of their best cosines.
 * It rises with the size of a collection. Null = the store is empty.
 */
export async function calibrate(
  store: VectorStore,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<Result<number | null>> {
  const vectors = await embedder.embed(nulls.phrases, signal)
  signal.throwIfAborted()
  if (!vectors.ok) return vectors
  const queries = vectors.value.map((vector, index) => ({
    text: nulls.phrases[index] ?? '',
    vector,
  }))
  const found = await store.search(queries, { k: 1 })
  if (!found.ok) return found
  const best = found.value.flatMap(([first]) => (first === undefined ? [] : [first.similarity]))
  return ok(percentileOf(best, PERCENTILE))
}

/** [D44] Threshold of a collection: configured, else the embedder's, raised by calibration. */
export function thresholdOf(
  configured: number | undefined,
  embedder: number,
  percentile: number | null,
): number {
  return configured ?? Math.max(embedder, percentile ?? embedder)
}
