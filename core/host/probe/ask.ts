import type { Embedder, ProbeCollection, ProbePorts } from '../../engine/probe/ports.ts'
import { type Problem, err } from '../../engine/result.ts'
import type { StoredCollection } from './collections/catalog.ts'
import { type CollectionStatus, collectionThreshold, statusOf } from './collections/status.ts'

/** Everything that a probe asks, and a stamp that changes with all that could change an answer. */
export interface Asked {
  readonly embedder: Embedder
  readonly collections: readonly ProbeCollection[]
  readonly stamp: string
  readonly ports: (signal: AbortSignal) => ProbePorts
}

interface Asking {
  readonly embedder: Embedder
  readonly isFailed: boolean
  /** Collections that should have been indexed and could not be. */
  readonly failures: ReadonlyMap<string, Problem>
}

/** An embedder that cannot be had: every turn says why (L28). */
export function failedEmbedder(name: string, problem: Problem): Embedder {
  return {
    id: `failed:${name}`,
    dimensions: null,
    threshold: null,
    remote: false,
    embed: () => Promise.resolve(err(problem)),
  }
}

/** [D45] Assembles the inputs of a probe: an embedder and every collection, including those that fail. */
export async function askOf(stored: readonly StoredCollection[], asking: Asking): Promise<Asked> {
  const { embedder, isFailed } = asking
  const collections: ProbeCollection[] = []
  for (const each of stored) {
    const status = await statusOf(each, isFailed ? null : embedder.id)
    collections.push(collectionOf(each, status, asking))
  }
  const facts = collections.map(({ name, version, embedder: made, threshold: least, ...each }) => [
    name,
    version,
    made,
    least,
    each.persona,
    each.keywords,
  ])
  const { id, threshold } = embedder
  return {
    embedder,
    collections,
    stamp: JSON.stringify([id, threshold, facts]),
    ports: (signal) => ({ embedder, collections, signal, clock: () => performance.now() }),
  }
}

const CANNOT_ANSWER: ReadonlySet<CollectionStatus['state']> = new Set([
  'failed',
  'damaged',
  'restricted',
])

function collectionOf(
  stored: StoredCollection,
  { state, stats, manifest }: CollectionStatus,
  { embedder, isFailed, failures }: Asking,
): ProbeCollection {
  const { name, persona = null, keywords = [] } = stored.collection.entry
  const made = stats?.chunks === 0 ? null : (stats?.embedder ?? null)
  const failure = failures.get(name)
  const cannotAnswer = failure !== undefined || CANNOT_ANSWER.has(state)
  // [L28] Documents without vectors count too, because the missing embedder would create their vectors.
  const couldAnswer = made !== null || stored.collection.paths.length > 0
  const isAsked = cannotAnswer || (isFailed && couldAnswer)
  return {
    name,
    persona,
    keywords,
    version: stats?.version ?? 'failed',
    // A collection that cannot answer is asked all the same, so that its error is shown with the turn.
    embedder: isAsked ? embedder.id : made,
    threshold: collectionThreshold(stored, manifest, embedder),
    search: async (queries, k, signal) => {
      if (failure !== undefined) return err(failure)
      const store = await stored.store()
      return store.ok ? await store.value.search(queries, { k, signal }) : store
    },
  }
}
