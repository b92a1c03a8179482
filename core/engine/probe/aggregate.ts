import type { Phrase, ProbeHit, ProbeResult, Strength } from '../schema/probe.ts'
import { phraseKey } from './words.ts'

type Total = ProbeResult['totals'][number]

/** [L26] From these numbers on hits are strong, or no longer weak. Cosines. */
const STRONG_ALONE = 0.7
const STRONG_TOGETHER = 0.55
const WEAK_BELOW = 0.5

/** The best hit of each phrase: several chunks of one phrase are one piece of evidence. */
function bestByPhrase(hits: readonly ProbeHit[]): readonly ProbeHit[] {
  const best = new Map<string, ProbeHit>()
  for (const hit of hits) {
    const key = phraseKey(hit.phrase)
    const known = best.get(key)
    if (known === undefined || hit.score > known.score) best.set(key, hit)
  }
  return [...best.values()]
}

/**
 * [D7] Weighted sums of the best hit of each phrase, by collection, largest first; equal sums by
 * number of phrases, then in the order of `collections`.
 */
export function totalsOf(
  hits: readonly ProbeHit[],
  phrases: readonly Phrase[],
  collections: readonly string[],
): readonly Total[] {
  const weights = new Map(phrases.map((phrase) => [phraseKey(phrase.text), phrase.weight]))
  return collections
    .map((collection) => {
      const best = bestByPhrase(hits.filter((hit) => hit.collection === collection))
      const sum = best.reduce(
        (total, hit) => total + hit.score * (weights.get(phraseKey(hit.phrase)) ?? 1),
        0,
      )
      return { collection, sum, hits: best.length }
    })
    .filter((total) => total.hits > 0)
    .toSorted((a, b) => b.sum - a.sum || b.hits - a.hits)
}

/** Each chunk that a phrase hit, once. */
function distinctHits(hits: readonly ProbeHit[]): readonly ProbeHit[] {
  const best = new Map<string, ProbeHit>()
  for (const hit of hits) {
    const key = JSON.stringify([phraseKey(hit.phrase), hit.filename, hit.chunk_idx])
    const known = best.get(key)
    if (known === undefined || hit.similarity > known.similarity) best.set(key, hit)
  }
  return [...best.values()]
}

/**
 * [D8] [D66] [L26] Strength of the hits of one collection. Strong: one of 0.70, or the best two
 * averaging 0.55. Weak: a single one below 0.50. Cosines decide; two chunks of one phrase are two hits.
 */
export function strengthOf(hits: readonly ProbeHit[], collection: string | null): Strength {
  const mine = hits.filter((hit) => hit.collection === collection)
  const [first, second] = distinctHits(mine)
    .map((hit) => hit.similarity)
    .toSorted((a, b) => b - a)
  if (first === undefined) return 'none'
  if (first >= STRONG_ALONE) return 'strong'
  if (second === undefined) return first < WEAK_BELOW ? 'weak' : 'moderate'
  return (first + second) / 2 >= STRONG_TOGETHER ? 'strong' : 'moderate'
}
