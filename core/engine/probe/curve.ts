import type { HitRule, Phrase, ProbeHit, ProbeQuery, ThresholdPoint } from '../schema/probe.ts'
import { totalsOf } from './aggregate.ts'
import { rejudge } from './hits.ts'

/** All candidates of one labelled query, hit or not: every threshold can be read from them. */
export interface ScoredQuery {
  readonly query: ProbeQuery
  readonly phrases: readonly Phrase[]
  readonly candidates: readonly ProbeHit[]
}

function ratio(hits: number, of: number): ThresholdPoint['recall'] {
  return { hits, of, value: of === 0 ? null : hits / of }
}

/** [D14] Collections that a query hits at a threshold, best first. */
export function collectionsAt(
  { candidates, phrases }: ScoredQuery,
  threshold: number,
  rule: HitRule,
  collections: readonly string[],
): readonly string[] {
  const hits = rejudge(candidates, threshold, rule).filter((hit) => hit.score >= hit.threshold)
  return totalsOf(hits, phrases, collections).map((total) => total.collection)
}

/**
 * [D14] [L30] One point of the curve. Precision and recall count collections: of those that were hit,
 * how many the labels name (as the answer or as supplemental); of those named, how many were hit.
 */
export function pointAt(
  queries: readonly ScoredQuery[],
  threshold: number,
  rule: HitRule,
  collections: readonly string[],
): ThresholdPoint {
  const counts = { primary: 0, primaryOf: 0, right: 0, found: 0, wanted: 0, false: 0, none: 0 }
  for (const scored of queries) {
    const found = collectionsAt(scored, threshold, rule, collections)
    const { collection, supplemental = [] } = scored.query
    const wanted = collection === null ? [] : [collection, ...supplemental]
    counts.found += found.length
    counts.wanted += wanted.length
    counts.right += found.filter((name) => wanted.includes(name)).length
    if (collection === null) {
      counts.none += 1
      if (found.length > 0) counts.false += 1
    } else {
      counts.primaryOf += 1
      if (found[0] === collection) counts.primary += 1
    }
  }
  return {
    threshold,
    primary: ratio(counts.primary, counts.primaryOf),
    precision: ratio(counts.right, counts.found),
    recall: ratio(counts.right, counts.wanted),
    falseHits: ratio(counts.false, counts.none),
  }
}
