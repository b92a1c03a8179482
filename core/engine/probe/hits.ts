import type { HitRule, ProbeHit, ProbeOptions } from '../schema/probe.ts'
import type { Candidate } from './ports.ts'

/** A candidate measured against the rule. */
interface Judged {
  readonly score: number
  readonly threshold: number
  readonly isHit: boolean
}

/**
 * [D6] Is the candidate a hit? `cosine`: cos >= threshold. `hybrid`: that, or cosine and lexical coverage together
 * reach `combined`, but never below the floor, because words alone are no hit. `score` is the number closest to its
 * limit, and `threshold` is that limit.
 */
export function judge(
  { similarity, lexical }: Pick<Candidate, 'similarity' | 'lexical'>,
  threshold: number,
  rule: HitRule,
): Judged {
  const plain = { score: similarity, threshold, isHit: similarity >= threshold }
  if (rule.kind === 'cosine' || plain.isHit || lexical === null) return plain
  // A threshold that calibration raised raises the combined one with it.
  const combined = Math.max(rule.combined, threshold)
  const score = similarity + rule.lexicalWeight * lexical
  if (similarity < rule.floor) return plain
  const isHit = score >= combined
  return isHit || combined - score < threshold - similarity
    ? { score, threshold: combined, isHit }
    : plain
}

/**
 * [D16] Highest threshold at which a candidate is still a hit: a threshold that moves needs no second
 * question. With the hybrid rule the lexical way is open only from `floor` and `combined` on, and
 * rises with a threshold above `combined` (D6), so that one number says it all.
 */
export function highestThreshold(
  { similarity, lexical }: Pick<Candidate, 'similarity' | 'lexical'>,
  rule: HitRule,
): number {
  if (rule.kind === 'cosine' || lexical === null || similarity < rule.floor) return similarity
  const together = similarity + rule.lexicalWeight * lexical
  return together >= rule.combined ? Math.max(similarity, together) : similarity
}

/** Turns candidates of one phrase in one collection into hits, hit or not; best first. */
export function hitsOf(
  phrase: string,
  collection: string,
  candidates: readonly Candidate[],
  judged: { readonly threshold: number; readonly rule: HitRule },
): readonly ProbeHit[] {
  return candidates
    .map((candidate) => {
      const { score, threshold } = judge(candidate, judged.threshold, judged.rule)
      return {
        phrase,
        collection,
        chunk_text: candidate.chunk_text,
        similarity: candidate.similarity,
        lexical: candidate.lexical,
        score,
        threshold,
        filename: candidate.filename,
        chunk_idx: candidate.chunk_idx,
        lines: candidate.lines === null ? null : ([...candidate.lines] as [number, number]),
        from_cache: false,
      }
    })
    .toSorted((a, b) => isHit(b) - isHit(a) || b.score - a.score || b.similarity - a.similarity)
}

function isHit(hit: ProbeHit): number {
  return hit.score >= hit.threshold ? 1 : 0
}

/** Hits and the best near miss of one phrase in one collection. */
export function splitHits(
  all: readonly ProbeHit[],
  { topK }: Pick<ProbeOptions, 'topK'>,
): { readonly hits: readonly ProbeHit[]; readonly near: readonly ProbeHit[] } {
  const hits = all.filter((hit) => isHit(hit) === 1).slice(0, topK)
  return { hits, near: hits.length > 0 ? [] : all.slice(0, 1) }
}

/** Judges hits again, because they may come from the cache and thresholds may have changed since. */
export function rejudge(
  hits: readonly ProbeHit[],
  threshold: number,
  rule: HitRule,
): readonly ProbeHit[] {
  return hits
    .map((hit) => {
      const judged = judge(hit, threshold, rule)
      return { ...hit, score: judged.score, threshold: judged.threshold }
    })
    .toSorted((a, b) => isHit(b) - isHit(a) || b.score - a.score || b.similarity - a.similarity)
}

/**
 * [D6] Lexical coverage: the share of the query's words, weighted by rarity, that occur in the chunk. `idf` gives the
 * weight of a word; a word that no chunk contains has the highest weight. 0 for a query without words.
 */
export function lexicalCoverage(
  query: readonly string[],
  chunk: ReadonlySet<string>,
  idf: (word: string) => number,
): number {
  const words = [...new Set(query)]
  const total = words.reduce((sum, word) => sum + idf(word), 0)
  const found = words.reduce((sum, word) => sum + (chunk.has(word) ? idf(word) : 0), 0)
  return total === 0 ? 0 : found / total
}
