import { countAmbiguous } from '../../../engine/lab/metrics/abstain.ts'
import { coverageOf, type Coverage } from '../../../engine/lab/signals/coverage.ts'
import type { ScoredCorpus } from '../../../engine/lab/corpus/corpus.ts'
import { signalNames } from '../../../engine/lab/corpus/signal-name.ts'
import type { LabMetrics } from '../../../engine/schema/metrics.ts'

/** A corpus in numbers. */
export interface CorpusStats {
  readonly sessions: number
  /** Turns, each counted once. */
  readonly turns: number
  /** [I212] More turns, which forks copied from other sessions; no figure counts them. */
  readonly copies: number
  readonly chars: number
  readonly coverage: Coverage
  /** Most frequent first. */
  readonly signals: ReadonlyArray<{
    readonly name: string
    readonly pattern: string
    readonly turns: number
  }>
  readonly momentum: MomentumStats
  /** [B24] Turns marked ambiguous; null: the preset names no margin. */
  readonly ambiguous: number | null
  readonly metrics: LabMetrics | null
}

interface MomentumStats {
  /** Stretches of turns of one session with one signature. */
  readonly runs: number
  readonly longest: number
  /** Turns whose primary is not the one that scored best: momentum kept another. */
  readonly kept: number
}

/** [T49] [I212] Content of `turnscope stats`. Turns in `copies` are decided, but not counted. */
export function corpusStats(
  scored: ScoredCorpus,
  metrics: CorpusStats['metrics'],
  copies: ReadonlySet<number> = NO_COPIES,
): CorpusStats {
  const { corpus, pipeline } = scored
  const names = signalNames(pipeline)
  const signals = pipeline.signals.map(({ pattern }, number) => ({
    name: names[number] ?? '',
    pattern,
    turns: countedOf(scored.posting(number), copies),
  }))
  return {
    sessions: corpus.sessions.length,
    turns: corpus.turns - copies.size,
    copies: copies.size,
    chars: corpus.chars - charsOf(scored, copies),
    coverage: coverageOf(scored, copies),
    signals: signals.toSorted((a, b) => b.turns - a.turns),
    momentum: momentumOf(scored, copies),
    ambiguous: countAmbiguous(scored, copies),
    metrics,
  }
}

const NO_COPIES: ReadonlySet<number> = new Set()

function countedOf(posting: Uint32Array, copies: ReadonlySet<number>): number {
  if (copies.size === 0) return posting.length
  return posting.reduce((sum, turn) => sum + (copies.has(turn) ? 0 : 1), 0)
}

function charsOf({ corpus }: ScoredCorpus, turns: ReadonlySet<number>): number {
  return [...turns].reduce((sum, turn) => sum + corpus.turn(turn).text.length, 0)
}

function momentumOf(scored: ScoredCorpus, copies: ReadonlySet<number>): MomentumStats {
  let runs = 0
  let longest = 0
  let kept = 0
  for (const { first, turns } of scored.corpus.sessions) {
    let signature = ''
    let length = 0
    for (let turn = first; turn < first + turns.length; turn += 1) {
      if (copies.has(turn)) continue
      const decided = scored.decided(turn)
      if (decided.primary.domain !== decided.scored.primary.domain) kept += 1
      const same = length > 0 && decided.signature === signature
      length = same ? length + 1 : 1
      signature = decided.signature
      if (!same) runs += 1
      longest = Math.max(longest, length)
    }
  }
  return { runs, longest, kept }
}
