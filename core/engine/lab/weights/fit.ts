import type { CompiledSignal } from '../../matcher/signal.ts'
import type { Pipeline } from '../../pipeline.ts'
import type { CorpusLabels, ScoredCorpus } from '../corpus/corpus.ts'

/** Turns that a signal is taken to have fired on before any label: what is rare stays near 1. */
const PRIOR_TURNS = 10
/** Share of the log-odds that goes into the weight. Half of it: signals of one text are not independent. */
const STRENGTH = 0.5
const RANGE = { least: 0.25, most: 3 } as const
/** Weights are written with steps that a person can read. */
const STEPS_IN_ONE = 20
/** A share of 0 or 1 has no log-odds. */
const EDGE = 0.01

/** How often a signal fired on labelled turns, and how often the label was its domain. */
export interface SignalRecord {
  readonly fired: number
  readonly right: number
}

const logOdds = (share: number): number => {
  const inside = Math.min(1 - EDGE, Math.max(EDGE, share))
  return Math.log(inside / (1 - inside))
}

/** [L96] Groups, signals that exclude and those that count nothing say how they count: they keep it. */
export function isFitted({ weight, group, excludes }: CompiledSignal): boolean {
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
export function fitWeights(
  records: ReadonlyMap<number, SignalRecord>,
): ReadonlyMap<number, number> {
  const all = [...records.values()]
  const fired = all.reduce((sum, one) => sum + one.fired, 0)
  const right = all.reduce((sum, one) => sum + one.right, 0)
  const usual = fired === 0 ? 0 : right / fired
  return new Map([...records].map(([number, record]) => [number, weightBy(record, usual)]))
}
