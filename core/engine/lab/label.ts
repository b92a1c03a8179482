import type { TurnLabel } from '../schema/label.ts'

type Judged = Pick<TurnLabel, 'primary' | 'acceptable'>

/**
 * [T10] Is this primary right by the label? It is the labelled one or one that the label accepts. The
 * one definition behind `withAlternatives`, verdicts of flips, ablation, what-if and counterfactuals.
 */
export function isRight(label: Judged, primary: string): boolean {
  return primary === label.primary || label.acceptable?.includes(primary) === true
}

const VERDICTS = { tt: 'still_right', tf: 'broken', ft: 'fixed', ff: 'still_wrong' } as const

/** [T8] What a change did to a labelled turn; null without a label. */
export function verdictBy(
  label: Judged | undefined,
  before: string,
  after: string,
): (typeof VERDICTS)[keyof typeof VERDICTS] | null {
  if (label === undefined) return null
  return VERDICTS[`${isRight(label, before) ? 't' : 'f'}${isRight(label, after) ? 't' : 'f'}`]
}

/** [T10] Does the classification name a domain that the label forbids, as primary or as secondary? */
export function isForbidden(
  label: Pick<TurnLabel, 'forbidden'>,
  primary: string,
  secondary: string | null,
): boolean {
  const { forbidden = [] } = label
  return forbidden.includes(primary) || (secondary !== null && forbidden.includes(secondary))
}

/**
 * [T10] May the turn be the domain's, as a right primary or as the labelled secondary? Such a turn is no
 * evidence against a signal of the domain.
 */
export function speaksFor(
  label: Pick<TurnLabel, 'primary' | 'acceptable' | 'secondary'>,
  domain: string,
): boolean {
  return isRight(label, domain) || label.secondary === domain
}
