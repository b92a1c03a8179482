import type { QueueReason } from '../../schema/queue.ts'
import type { Decided, ScoredCorpus } from '../corpus/corpus.ts'

/** What the rules alone make of a turn: the reasons to doubt them, and who was ahead by how much. */
export interface Doubt {
  /** In the order of `QUEUE_REASONS`. */
  readonly reasons: readonly QueueReason[]
  /** Domain in force after momentum. */
  readonly decided: string
  /** Domain of this text alone. */
  readonly alone: string
  /** Domains with matches, best first, at most three. */
  readonly scores: ReadonlyArray<{ readonly domain: string; readonly score: number }>
}

const MOST_SCORES = 3

/** [L81] By margin: nobody had a signal, the first two had the same score, the first won by at most 1. */
function reasonOfMargin({ scored }: Decided): QueueReason | null {
  const [first, second] = scored.ranked
  if (first === undefined || scored.scores.length === 0) return 'no_signal'
  if (first.score === second?.score) return 'tie'
  return first.score - (second?.score ?? 0) <= 1 ? 'margin' : null
}

/** [L81] Why the rules may be wrong about a turn, by what they themselves say. */
export function doubtOf(scored: ScoredCorpus, turn: number): Doubt {
  const decision = scored.decided(turn)
  const decided = scored.domains[scored.primary[turn] ?? -1] ?? ''
  const alone = decision.scored.primary.domain
  const margin = reasonOfMargin(decision)
  const scores = decision.scored.scores.slice(0, MOST_SCORES)
  return {
    reasons: [
      ...(margin === null ? [] : [margin]),
      ...(alone === decided ? [] : ['held' as const]),
    ],
    decided,
    alone,
    scores: scores.map(({ domain, score }) => ({ domain, score })),
  }
}
