import type { CorpusLabels, ScoredCorpus } from './corpus.ts'
import { isRight } from './label.ts'

/** Turns whose primary two configurations decide differently. */
export interface PrimaryFlips {
  /** Ascending. */
  readonly turns: readonly number[]
  /** Labelled ones that were wrong and are right, and the other way round (T10). */
  readonly fixed: number
  readonly broken: number
}

/** Compares the primaries of all turns of one corpus under two configurations, by name. */
export function primaryFlips(
  before: ScoredCorpus,
  after: ScoredCorpus,
  labels: CorpusLabels,
): PrimaryFlips {
  const numbers = after.domains.map((name) => before.domains.indexOf(name))
  const turns: number[] = []
  let fixed = 0
  let broken = 0
  // Plain indexes: ablation comes through here once a signal, over all turns of the corpus.
  const [was, is] = [before.primary, after.primary]
  for (let turn = 0; turn < is.length; turn += 1) {
    const from = was[turn] ?? -1
    const to = is[turn] ?? -1
    if (from === (numbers[to] ?? -1)) continue
    turns.push(turn)
    const label = labels.get(turn)
    if (label === undefined) continue
    const wasRight = isRight(label, before.domains[from] ?? '')
    const right = isRight(label, after.domains[to] ?? '')
    if (right && !wasRight) fixed += 1
    if (wasRight && !right) broken += 1
  }
  return { turns, fixed, broken }
}
