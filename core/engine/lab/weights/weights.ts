import type { CompiledSignal } from '../../matcher/signal.ts'
import type { Pipeline } from '../../pipeline.ts'
import type { FittedWeight, FittedWeights } from '../../schema/weights.ts'
import type { CorpusLabels, ScoredCorpus } from '../corpus/corpus.ts'
import { sourceName } from '../metrics/basis.ts'
import { foldsBySource } from '../metrics/folds.ts'
import { isRight } from '../metrics/label.ts'
import { changedBy, onFolds, wins } from '../propose/judge.ts'
import { measured } from '../queue/precision.ts'
import { partOf, type Rescore, type Work } from '../scoring/rescore.ts'
import { patchPipeline } from '../why/patch.ts'

interface Asked {
  readonly scored: ScoredCorpus
  readonly labels: CorpusLabels
  /** The source of a labelled turn (L91). */
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

/** [L97] The effect on the labelled turns of a fold under weights that were fitted on the others. */
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
      const weight = weights.get(firstSignal + index)
      const record = records.get(firstSignal + index)
      if (weight === undefined || record === undefined || weight === now) return []
      return [{ domain: name, index, id: id ?? null, pattern, ...record, now, weight }]
    }),
  )
  return all.toSorted((a, b) => Math.abs(b.weight - b.now) - Math.abs(a.weight - a.now))
}

/**
 * [L96] [L97] The weight of each signal by the labels: log-odds of being right, shrunk towards those of all signals
 * together. Every fold of sources is decided by weights fitted without it. The weights win only if the result is better
 * beyond chance. Nothing is applied.
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

/** Assumed turns for each signal before any label. They keep the weight of a rare signal near 1. */
const PRIOR_TURNS = 10
/** Share of the log-odds that enters the weight. Half, because signals of one text are not independent. */
const STRENGTH = 0.5
const RANGE = { least: 0.25, most: 3 } as const
/** Weights are rounded to readable steps. */
const STEPS_IN_ONE = 20
/** A share of 0 or 1 has no log-odds. */
const EDGE = 0.01

/** Number of labelled turns on which a signal fired, and on how many of them the label was its domain. */
interface SignalRecord {
  readonly fired: number
  readonly right: number
}

const logOdds = (share: number): number => {
  const inside = Math.min(1 - EDGE, Math.max(EDGE, share))
  return Math.log(inside / (1 - inside))
}

/** [L96] Groups, signals that exclude and those that count nothing say how they count: they keep it. */
function isFitted({ weight, group, excludes }: CompiledSignal): boolean {
  return weight > 0 && group === null && !excludes
}

/** [L96] The weight of a signal by its record; `usual` is the share of right ones of all signals together. */
export function weightBy({ fired, right }: SignalRecord, usual: number): number {
  const share = (right + PRIOR_TURNS * usual) / (fired + PRIOR_TURNS)
  const raw = 1 + STRENGTH * (logOdds(share) - logOdds(usual))
  const bounded = Math.min(RANGE.most, Math.max(RANGE.least, raw))
  return Math.round(bounded * STEPS_IN_ONE) / STEPS_IN_ONE
}

/** The records of all signals that are fitted, by number, over these labelled turns. */
export function recordsOf(
  { pipeline, fired }: Pick<ScoredCorpus, 'pipeline' | 'fired'>,
  labels: CorpusLabels,
  turns: Iterable<number>,
): ReadonlyMap<number, SignalRecord> {
  const owners = ownersOf(pipeline)
  const records = new Map([...owners.keys()].map((number) => [number, { fired: 0, right: 0 }]))
  for (const turn of turns) {
    const label = labels.get(turn)
    if (label === undefined) continue
    for (const number of fired(turn)) {
      const record = records.get(number)
      if (record === undefined) continue
      record.fired += 1
      if (owners.get(number) === label.primary) record.right += 1
    }
  }
  return records
}

/** Domains of the signals that are fitted, by number. The default domain yields to any other (B5): its signals stay. */
function ownersOf({ belief, preset }: Pipeline): ReadonlyMap<number, string> {
  const owners = new Map<number, string>()
  for (const { name, signals, firstSignal } of belief.set.domains) {
    if (name === preset.belief.defaultDomain) continue
    for (const [index, signal] of signals.entries())
      if (isFitted(signal)) owners.set(firstSignal + index, name)
  }
  return owners
}

/** [L96] Weights by number of the signal, from records of labelled turns. */
function fitWeights(records: ReadonlyMap<number, SignalRecord>): ReadonlyMap<number, number> {
  const all = [...records.values()]
  const fired = all.reduce((sum, one) => sum + one.fired, 0)
  const right = all.reduce((sum, one) => sum + one.right, 0)
  const usual = fired === 0 ? 0 : right / fired
  return new Map([...records].map(([number, record]) => [number, weightBy(record, usual)]))
}
