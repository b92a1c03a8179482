import { countAmbiguous } from '../../../engine/lab/metrics/abstain.ts'
import { coverageOf, type Coverage } from '../../../engine/lab/signals/coverage.ts'
import type { ScoredCorpus } from '../../../engine/lab/corpus/corpus.ts'
import { signalNames } from '../../../engine/lab/corpus/signal-name.ts'
import type { LabMetrics } from '../../../engine/schema/metrics.ts'

/** A corpus in numbers. */
export interface CorpusStats {
  readonly sessions: number
  readonly turns: number
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

/** [T49] Content of `turnscope stats`. */
export function corpusStats(scored: ScoredCorpus, metrics: CorpusStats['metrics']): CorpusStats {
  const { corpus, pipeline } = scored
  const names = signalNames(pipeline)
  const signals = pipeline.signals.map(({ pattern }, number) => ({
    name: names[number] ?? '',
    pattern,
    turns: scored.posting(number).length,
  }))
  return {
    sessions: corpus.sessions.length,
    turns: corpus.turns,
    chars: corpus.chars,
    coverage: coverageOf(scored),
    signals: signals.toSorted((a, b) => b.turns - a.turns),
    momentum: momentumOf(scored),
    ambiguous: countAmbiguous(scored),
    metrics,
  }
}

function momentumOf(scored: ScoredCorpus): MomentumStats {
  let runs = 0
  let longest = 0
  let kept = 0
  for (const { first, turns } of scored.corpus.sessions) {
    let signature = ''
    let length = 0
    for (let turn = first; turn < first + turns.length; turn += 1) {
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
