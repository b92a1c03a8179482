import type { ProbeHit } from '../schema/probe.ts'

/** A chunk among the documents that a prompt retrieves. */
export interface Retrieved {
  readonly collection: string
  readonly filename: string
  readonly chunk_idx: number
  readonly text: string
  /** Null for a chunk that is only adjacent to a hit. */
  readonly score: number | null
  readonly origin: 'probe' | 'adjacent' | 'retrieval'
}

/** Adjacent chunks that the host reads from a collection. */
export interface Neighbours {
  readonly collection: string
  readonly filename: string
  /** First and last index wanted, both included. */
  readonly from: number
  readonly to: number
}

function placeOf({
  collection,
  filename,
  chunk_idx,
}: Pick<Retrieved, 'collection' | 'filename' | 'chunk_idx'>): string {
  return JSON.stringify([collection, filename, chunk_idx])
}

/**
 * [D13] The remaining work of the retrieval step after a probe. Collections with hits are not queried again; only the
 * chunks adjacent to their hits are read.
 */
export function planRetrieval(
  hits: readonly ProbeHit[],
  collections: readonly string[],
): {
  readonly skipped: readonly string[]
  readonly ask: readonly string[]
  readonly neighbours: readonly Neighbours[]
} {
  const hit = new Set(hits.map((each) => each.collection))
  const places = new Map(hits.map((each) => [placeOf(each), each]))
  return {
    skipped: collections.filter((name) => hit.has(name)),
    ask: collections.filter((name) => !hit.has(name)),
    neighbours: [...places.values()].map(({ collection, filename, chunk_idx }) => ({
      collection,
      filename,
      from: Math.max(0, chunk_idx - 1),
      to: chunk_idx + 1,
    })),
  }
}

/**
 * [D13] One list of the probe's hits, their adjacent chunks and the results of retrieval. Each chunk occurs once, under
 * its best origin. Hits are ordered by score, each followed by its neighbours in document order; then come the rest.
 */
export function mergeRetrieved(
  hits: readonly ProbeHit[],
  adjacent: readonly Retrieved[],
  retrieved: readonly Retrieved[],
  most: number,
): readonly Retrieved[] {
  const merged = new Map<string, Retrieved>()
  const add = (each: Retrieved): void => {
    if (!merged.has(placeOf(each))) merged.set(placeOf(each), each)
  }
  const found = new Set(hits.map(placeOf))
  for (const hit of hits.toSorted((a, b) => b.score - a.score)) {
    const { collection, filename, chunk_idx, chunk_text: text, score } = hit
    add({ collection, filename, chunk_idx, text, score, origin: 'probe' })
    for (const each of adjacent.toSorted((a, b) => a.chunk_idx - b.chunk_idx)) {
      const isBeside = each.collection === collection && each.filename === filename
      if (isBeside && Math.abs(each.chunk_idx - chunk_idx) === 1 && !found.has(placeOf(each)))
        add(each)
    }
  }
  for (const each of retrieved.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))) add(each)
  return [...merged.values()].slice(0, most)
}
