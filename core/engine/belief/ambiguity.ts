import type { BeliefOptions } from '../schema/preset.ts'
import type { Ambiguity } from '../schema/trace.ts'
import type { DomainScore } from './score.ts'

/** The ranking from which the margin is computed. */
interface Ranked {
  /** Domains that may be primary, best first. */
  readonly ranked: ReadonlyArray<Pick<DomainScore, 'domain' | 'score'>>
}

/**
 * [B20] Score of the first minus score of the second of those that may be primary; null with fewer than
 * two: nothing competes.
 */
export function leadOf({ ranked: [first, second] }: Ranked): number | null {
  return first === undefined || second === undefined ? null : first.score - second.score
}

/** [B20] Is a lead too small for a margin? A tie always is; where nothing competes, never. */
export function isWithin(lead: number | null, margin: number): boolean {
  return lead !== null && (lead === 0 || lead < margin)
}

/**
 * [B20] [B21] The domains between which the text alone does not decide, best first. Null if the text decides, or the
 * preset sets no margin. Reads the scores before momentum and does not affect the decision.
 */
export function ambiguityOf(
  scored: Ranked,
  { abstainMargin: margin = null }: Pick<BeliefOptions, 'abstainMargin'>,
): Ambiguity | null {
  const lead = leadOf(scored)
  if (margin === null || lead === null || !isWithin(lead, margin)) return null
  const best = scored.ranked[0]?.score ?? 0
  const between = scored.ranked
    .filter(({ score }) => isWithin(best - score, margin))
    .map(({ domain }) => domain)
  return { between, lead, margin }
}

/**
 * [B22] Whether the ambiguity concerns the compound in force. If momentum keeps a domain that does not compete, the
 * decision comes from earlier turns and is not marked.
 */
export function concerns(ambiguous: Ambiguity | null, primary: string): ambiguous is Ambiguity {
  return ambiguous?.between.includes(primary) === true
}
