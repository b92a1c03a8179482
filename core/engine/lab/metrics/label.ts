import type { TurnLabel } from '../../schema/label.ts'
import type { ReplayColumns } from '../../schema/replay.ts'

type Judged = Pick<TurnLabel, 'primary' | 'acceptable'>

/**
 * [T10] Is this primary right by the label? It is the labelled one or one that the label accepts. The
 * one definition behind `withAlternatives`, verdicts of flips, ablation, what-if and counterfactuals.
 */
export function isRight(label: Judged, primary: string): boolean {
  return primary === label.primary || label.acceptable?.includes(primary) === true
}

/** The decision that a label judges: the classification and, for skills, all that fire (K20). Null for domains. */
export interface Judgeable {
  readonly primary: string
  readonly fires: readonly string[] | null
}

/**
 * [K20] The answer compared with a label. For skills: the labelled one if it fires, else one that the label accepts,
 * else the first. For domains: the primary.
 */
export function answerFor(label: Judged, { primary, fires }: Judgeable): string {
  const right = [label.primary, ...(label.acceptable ?? [])]
  return right.find((name) => fires?.includes(name)) ?? primary
}

const VERDICTS = { tt: 'still_right', tf: 'broken', ft: 'fixed', ff: 'still_wrong' } as const

/** [T8] The effect of a change on a labelled turn; null without a label. */
export function verdictBy(
  label: Judged | undefined,
  before: Judgeable,
  after: Judgeable,
): (typeof VERDICTS)[keyof typeof VERDICTS] | null {
  if (label === undefined) return null
  const rightOf = (one: Judgeable) => (isRight(label, answerFor(label, one)) ? 't' : 'f')
  return VERDICTS[`${rightOf(before)}${rightOf(after)}`]
}

/**
 * [T10] Does the classification name a domain that the label forbids, as primary or as secondary? [K20] Of
 * skills none that the label forbids may fire.
 */
export function isForbidden(
  label: Pick<TurnLabel, 'forbidden'>,
  primary: string,
  secondary: string | null,
  fires: readonly string[] | null = null,
): boolean {
  const { forbidden = [] } = label
  if (fires !== null) return fires.some((name) => forbidden.includes(name))
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

/** [K12] Skills that fire on a turn of a replay; null if the configuration decides domains. */
export function firesIn(
  columns: Pick<ReplayColumns, 'kind' | 'domains' | 'scoreStart' | 'scorePairs' | 'primary'>,
  turn: number,
): readonly string[] | null {
  if (columns.kind === undefined) return null
  const name = (place: number | undefined) => columns.domains[place ?? -1] ?? ''
  const pairs = columns.scorePairs.slice(columns.scoreStart[turn], columns.scoreStart[turn + 1])
  const fired = pairs.flatMap((cell, at) => (at % 2 === 0 ? [name(cell)] : []))
  return fired.length > 0 ? fired : [name(columns.primary[turn])]
}
