import type { Query, VectorStore } from '../../../engine/probe/ports.ts'
import { type Problem, type Result, err, ok } from '../../../engine/result.ts'
import type { StoreProblem } from '../ports.ts'
import { badVector, otherEmbedder } from './problems.ts'

export type Batch = Parameters<VectorStore['upsert']>[1]

/** Something that the caller has to be told, found in the middle of the work. */
export class Refused extends Error {
  readonly problem: StoreProblem

  constructor(problem: StoreProblem) {
    super(problem.what)
    this.problem = problem
  }
}

/** [D32] Dimensions of a batch that matches the stored vectors. Throws Refused. */
export function checkBatch(
  collection: string,
  embedder: string,
  batch: Batch,
  store: { readonly embedder: string | null; readonly dimensions: number | null },
): number {
  const bad = (what: string) => new Refused(badVector(collection, what))
  const dimensions = batch[0]?.vector.length ?? 0
  if (dimensions === 0) throw bad('a vector is empty')
  for (const { vector } of batch) {
    if (vector.length !== dimensions) throw bad('vectors have different lengths')
    if (!vector.every(Number.isFinite)) throw bad('a vector is not finite')
  }
  const has = { embedder: store.embedder ?? embedder, dimensions: store.dimensions ?? dimensions }
  if (has.embedder !== embedder || has.dimensions !== dimensions)
    throw new Refused(otherEmbedder(collection, has, { embedder, dimensions }))
  return dimensions
}

/** Throws Refused if a query cannot be compared with the stored vectors. */
export function checkQueries(
  collection: string,
  queries: readonly Query[],
  dimensions: number,
): void {
  const bad = (what: string) => new Refused(badVector(collection, what))
  for (const { vector } of queries) {
    if (vector.length !== dimensions)
      throw bad(`a query has ${vector.length} dimensions, its vectors ${dimensions}`)
    if (!vector.every(Number.isFinite)) throw bad('the vector of a query is not finite')
  }
}

/** Each chunk once: of two with the same file and index the later counts. */
export function latestOf(batch: Batch): Batch {
  return [
    ...new Map(
      batch.map((each) => [`${each.chunk.chunk_idx} ${each.chunk.filename}`, each]),
    ).values(),
  ]
}

/** Returns the result of `work`. Converts its exceptions to problems. */
export async function guarded<T>(
  work: () => Promise<T>,
  problemOf: (error: unknown) => Problem,
): Promise<Result<T>> {
  try {
    return ok(await work())
  } catch (error) {
    return err(error instanceof Refused ? error.problem : problemOf(error))
  }
}
