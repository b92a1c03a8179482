import { QUEUE_REASONS, type QueueReason } from '../../schema/queue.ts'
import type { CorpusLabels } from '../corpus/corpus.ts'
import { isRight } from '../metrics/label.ts'
import type { Doubt } from './reasons.ts'

/**
 * How often the shipped rules were wrong where they gave this reason: shares of 1,684 labelled messages of
 * 54 repositories. Only where a queue begins: labels of the corpus soon outweigh them.
 */
const FIRST_SHARES: Readonly<Record<QueueReason, number>> = {
  no_signal: 0.77,
  tie: 0.58,
  margin: 0.49,
  held: 0.5,
  opinion: 0.6,
}
/** Weight of those shares, in labels. */
const FIRST_WEIGHT = 10
/** That many labels, and a second opinion counts as much as half of the reasons. */
const HALF_OPINION = 50

/** Wrong decisions among labelled turns, by reason. */
export type WrongShares = Readonly<Record<QueueReason, number>>

/** [L82] Share of wrong decisions by reason, learned from labels over the first shares. */
export function wrongShares(
  labels: CorpusLabels,
  doubtOf: (turn: number) => Pick<Doubt, 'reasons' | 'decided'>,
): WrongShares {
  const wrong = new Map<QueueReason, number>()
  const all = new Map<QueueReason, number>()
  for (const [turn, label] of labels) {
    const { reasons, decided } = doubtOf(turn)
    for (const reason of reasons) {
      all.set(reason, (all.get(reason) ?? 0) + 1)
      if (!isRight(label, decided)) wrong.set(reason, (wrong.get(reason) ?? 0) + 1)
    }
  }
  const shares = QUEUE_REASONS.map((reason) => {
    const hits = (wrong.get(reason) ?? 0) + FIRST_WEIGHT * FIRST_SHARES[reason]
    return [reason, hits / ((all.get(reason) ?? 0) + FIRST_WEIGHT)] as const
  })
  // One entry a reason.
  return Object.fromEntries(shares) as Record<QueueReason, number>
}

/**
 * [L82] How likely the decision is wrong: the largest share among its reasons, averaged with what the
 * second opinion leaves for other domains; that one weighs the more, the more labels it has.
 * @param share what the second opinion gives the domain in force; null = it says nothing of this turn
 */
export function doubtIn(
  reasons: readonly QueueReason[],
  shares: WrongShares,
  opinion: { readonly share: number | null; readonly labels: number },
): number {
  const byReason = Math.max(0, ...reasons.map((reason) => shares[reason]))
  if (opinion.share === null) return byReason
  const weight = opinion.labels / (opinion.labels + HALF_OPINION)
  return (byReason + weight * (1 - opinion.share)) / (1 + weight)
}
