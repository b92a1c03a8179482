import type { Near } from './changed-columns.ts'
import type { ScoredCorpus } from '../corpus/corpus.ts'
import type { Folded } from './fold.ts'
import type { FoldNames } from './fold-rules.ts'
import type { TurnRules } from './rule-memo.ts'

/** A scorer's internal data of an answer. Answers with the same `names` can be compared by number. */
export interface Inside extends Near {
  readonly rules: TurnRules
  readonly folded: Folded
  readonly names: FoldNames
}

const insides = new WeakMap<ScoredCorpus, Inside>()

export function keepInside(scored: ScoredCorpus, inside: Inside): void {
  insides.set(scored, inside)
}

/** The numbers behind an answer; undefined if no scorer made it. */
export function insideOf(scored: ScoredCorpus): Inside | undefined {
  return insides.get(scored)
}
