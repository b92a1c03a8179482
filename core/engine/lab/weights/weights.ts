import type { FittedWeight, FittedWeights } from '../../schema/weights.ts'
import { sourceName } from '../metrics/basis.ts'
import type { CorpusLabels, ScoredCorpus } from '../corpus/corpus.ts'
import { foldsBySource } from '../metrics/folds.ts'
import { isRight } from '../metrics/label.ts'
import { patchPipeline } from '../why/patch.ts'
import { changedBy, onFolds, wins } from '../propose/judge.ts'
import { measured } from '../queue/precision.ts'
import { partOf, type Rescore, type Work } from '../scoring/rescore.ts'
import { fitWeights, recordsOf, type SignalRecord } from './fit.ts'

interface Asked {
  readonly scored: ScoredCorpus
  readonly labels: CorpusLabels
  /** Where a labelled turn comes from (L91). */
  readonly sourceOf: (turn: number) => string
}

const ONE_SOURCE =
  'all labels come from one source: weights are measured on sources that they were not fitted on, so label another session'
const SKILLS =
  'the skills of one message fire together, none against another: there is nothing to weigh'

/** Why nothing can be fitted; null = it can. */
function whyNot({ scored }: Asked, folds: ReadonlyMap<number, number> | null): string | null {
  if (scored.pipeline.belief.rules.allTogether) return SKILLS
  return folds === null ? ONE_SOURCE : null
}

/** [L97] What happens to the labelled turns of a fold under weights that were fitted on the others. */
function* heldChanges(
  { scored, labels }: Asked,
  folds: ReadonlyMap<number, number>,
  rescore: Rescore,
): Work<{ readonly fixed: readonly number[]; readonly broken: readonly number[] }> {
  const fixed: number[] = []
  const broken: number[] = []
  const numbers = [...new Set(folds.values())]
  for (const [done, fold] of numbers.entries()) {
    const at = { done, total: numbers.length }
    yield at
    const others = [...folds].flatMap(([turn, own]) => (own === fold ? [] : [turn]))
    const weights = fitWeights(recordsOf(scored, labels, others))
    const after = yield* partOf(rescore(patchPipeline(scored.pipeline, { weights }), scored), at)
    const changed = changedBy(scored, after, labels)
    fixed.push(...changed.fixed.filter((turn) => folds.get(turn) === fold))
    broken.push(...changed.broken.filter((turn) => folds.get(turn) === fold))
  }
  return { fixed, broken }
}

/** Signals whose weight would be another one, the largest changes first. */
function changedWeights(
  { pipeline }: ScoredCorpus,
  records: ReadonlyMap<number, SignalRecord>,
): readonly FittedWeight[] {
  const weights = fitWeights(records)
  const all = pipeline.belief.set.domains.flatMap(({ name, signals, firstSignal }) =>
    signals.flatMap(({ id, pattern, weight: now }, index): FittedWeight[] => {
      const [weight, record] = [weights.get(firstSignal + index), records.get(firstSignal + index)]
      if (weight === undefined || record === undefined || weight === now) return []
      return [{ domain: name, index, id: id ?? null, pattern, ...record, now, weight }]
    }),
  )
  return all.toSorted((a, b) => Math.abs(b.weight - b.now) - Math.abs(a.weight - a.now))
}

/**
 * [L96] [L97] What labels say that each signal should count: log-odds of being right, shrunk to those of all
 * signals together. Every fold of sources is decided by weights fitted without it; they win only where that
 * is better beyond chance. Nothing is applied.
 */
export function* weighSignals(asked: Asked, rescore: Rescore): Work<FittedWeights> {
  const { scored, labels, sourceOf } = asked
  const turns = [...labels.keys()].filter((turn) => turn < scored.corpus.turns)
  const sources = new Map(turns.map((turn) => [turn, sourceOf(turn)]))
  const names = [...new Set(sources.values())]
  const domainOf = (turn: number) => scored.domains[scored.primary[turn] ?? -1] ?? ''
  const right = [...labels].filter(([turn, label]) => isRight(label, domainOf(turn))).length
  const now = measured(right, turns.length)
  const head = {
    labels: turns.length,
    sources: names.length,
    madeFrom: [...new Set(names.map(sourceName))],
  }
  const folds = foldsBySource(sources)
  const note = whyNot(asked, folds)
  if (note !== null || folds === null) {
    const none = { fixes: 0, breaks: 0, won: 0, lost: 0, wins: false }
    return { ...head, ...none, weights: [], folds: 0, right: now, weighted: now, note }
  }
  const changed = yield* heldChanges(asked, folds, rescore)
  const result = onFolds(changed, (turn) => folds.get(turn) ?? -1, new Set(folds.values()))
  return {
    ...head,
    ...result,
    weights: changedWeights(scored, recordsOf(scored, labels, turns)),
    folds: new Set(folds.values()).size,
    right: now,
    weighted: measured(right + result.fixes - result.breaks, turns.length),
    wins: wins(result),
    note: null,
  }
}
