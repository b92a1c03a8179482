import { type Result, ok } from '../result.ts'
import type { KeywordRow } from '../schema/hit-rate.ts'
import type { ProbeHit, ProbeOptions } from '../schema/probe.ts'
import { hitsOf } from './hits.ts'
import type { ProbeCollection, ProbePorts, Query } from './ports.ts'
import { thresholdOf } from './run.ts'
import { plainForm } from './words.ts'

/**
 * [D72] Finds keywords of personas that are no longer needed. The keyword, searched alone, must hit a document of the
 * collection it belongs to, and no other collection may score higher. The keyword is embedded like a phrase of a
 * message.
 */
export async function keywordCoverage(
  options: ProbeOptions,
  ports: ProbePorts,
): Promise<Result<readonly KeywordRow[]>> {
  const asked = ports.collections.flatMap((collection) =>
    collection.keywords.map((keyword) => ({ collection, keyword })),
  )
  if (asked.length === 0) return ok([])
  const texts = asked.map(({ keyword }) => plainForm(keyword))
  const vectors = await ports.embedder.embed(texts, ports.signal)
  if (!vectors.ok) return vectors
  const queries = texts.flatMap((text, index): Query[] => {
    const vector = vectors.value[index]
    return vector === undefined ? [] : [{ text, vector }]
  })
  const best = new Map<string, ReadonlyArray<ProbeHit | null>>()
  for (const collection of ports.collections) {
    if (collection.embedder !== ports.embedder.id) continue
    const found = await bestHits(collection, queries, { options, ports })
    if (!found.ok) return found
    best.set(collection.name, found.value)
  }
  return ok(asked.map((each, index) => rowOf(each, index, best)))
}

/** The best candidate for each query, hit or not. */
async function bestHits(
  collection: ProbeCollection,
  queries: readonly Query[],
  { options, ports }: { readonly options: ProbeOptions; readonly ports: ProbePorts },
): Promise<Result<ReadonlyArray<ProbeHit | null>>> {
  const found = await collection.search(queries, options.topK, ports.signal)
  if (!found.ok) return found
  const judged = { threshold: thresholdOf({ options, ports }, collection), rule: options.rule }
  return ok(
    queries.map(
      ({ text }, index) =>
        hitsOf(text, collection.name, found.value[index] ?? [], judged)[0] ?? null,
    ),
  )
}

function rowOf(
  { collection, keyword }: { readonly collection: ProbeCollection; readonly keyword: string },
  index: number,
  best: ReadonlyMap<string, ReadonlyArray<ProbeHit | null>>,
): KeywordRow {
  const hits = [...best.values()]
    .flatMap((all) => all[index] ?? [])
    .filter(({ score, threshold }) => score >= threshold)
  const hardest = hits.toSorted((a, b) => b.score - a.score)[0]
  const own = best.get(collection.name)?.[index] ?? null
  return {
    collection: collection.name,
    persona: collection.persona,
    keyword,
    covered: hardest?.collection === collection.name,
    hit: hardest?.collection ?? null,
    best: own && { filename: own.filename, score: own.score, threshold: own.threshold },
  }
}
