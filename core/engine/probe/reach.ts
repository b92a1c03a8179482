import type { HitRule } from '../schema/probe.ts'
import type { Candidate } from './ports.ts'

/**
 * [D16] Highest threshold at which a candidate is still a hit: a threshold that moves needs no second
 * question. With the hybrid rule the lexical way is open only from `floor` and `combined` on, and
 * rises with a threshold above `combined` (D6), so that one number says it all.
 */
export function reachOf(
  { similarity, lexical }: Pick<Candidate, 'similarity' | 'lexical'>,
  rule: HitRule,
): number {
  if (rule.kind === 'cosine' || lexical === null || similarity < rule.floor) return similarity
  const together = similarity + rule.lexicalWeight * lexical
  return together >= rule.combined ? Math.max(similarity, together) : similarity
}
