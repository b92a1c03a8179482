import type { Ratio } from '../../schema/ratio.ts'
import { foldsOfSources } from './folds.ts'
import { type Interval, wilson } from './interval.ts'
import { type LabelledTurn, type Metrics, measure, mostFrequent, ratio } from './metrics.ts'

/** A judged turn with its source. Turns of one source are always in one fold. */
export interface SourcedTurn extends LabelledTurn {
  /** Repository, file or author of the turn. */
  readonly source: string
  /** Given with the label, or null: folds are then made of whole sources. */
  readonly fold: string | null
}

interface Part {
  readonly name: string
  readonly metrics: Metrics
}
/** Mean and standard deviation over folds; `of` = folds. */
interface Spread {
  readonly mean: number
  readonly deviation: number
  readonly of: number
}

/** [L70] Everything that is said of one labelled file. */
export interface FoldMetrics {
  readonly all: Metrics
  readonly strictInterval: Interval | null
  readonly alternativesInterval: Interval | null
  readonly folds: readonly Part[]
  readonly strictSpread: Spread | null
  readonly alternativesSpread: Spread | null
  readonly macroF1Spread: Spread | null
  readonly sources: readonly Part[]
  readonly mostFrequent: Ratio & { readonly domain: string | null }
}

/** [L70] Wilson's interval of 95 %, which takes turns as independent of each other. */
const intervalOf = ({ hits, of }: Ratio) => wilson(hits, of)

/** Mean and standard deviation of the known values; null if there are none. */
export function spread(values: ReadonlyArray<number | null>): Spread | null {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return null
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const deviation = known.length < 2 ? 0 : Math.sqrt(squares / (known.length - 1))
  return { mean, deviation, of: known.length }
}

function grouped<T>(turns: readonly T[], key: (turn: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const turn of turns) {
    const name = key(turn)
    const group = groups.get(name) ?? []
    group.push(turn)
    groups.set(name, group)
  }
  return groups
}

function parts(groups: ReadonlyMap<string, readonly LabelledTurn[]>): readonly Part[] {
  const named = [...groups].map(([name, turns]) => ({ name, metrics: measure(turns) }))
  return named.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** [L71] Turns by fold: the one that the label names, else one of whole sources. */
export function byFold<T extends Pick<SourcedTurn, 'source'> & Partial<Pick<SourcedTurn, 'fold'>>>(
  turns: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const made = foldsOfSources(turns.map(({ source }) => source))
  return grouped(turns, (turn) => turn.fold ?? String(made.get(turn.source) ?? ''))
}

/**
 * [L70] Strict, with alternatives and macro-F1: of all turns, by fold with mean and spread, by source. A
 * file that names no folds gets five of whole sources (L71).
 */
export function measureFolds(turns: readonly SourcedTurn[]): FoldMetrics {
  const folds = parts(byFold(turns))
  // One fold says nothing of others.
  const over = (valueOf: (part: Part) => number | null) =>
    folds.length < 2 ? null : spread(folds.map(valueOf))
  const all = measure(turns)
  const common = mostFrequent(turns)
  return {
    all,
    strictInterval: intervalOf(all.strict),
    alternativesInterval: intervalOf(all.withAlternatives),
    folds,
    strictSpread: over(({ metrics }) => metrics.strict.value),
    alternativesSpread: over(({ metrics }) => metrics.withAlternatives.value),
    macroF1Spread: over(({ metrics }) => metrics.macroF1.value),
    sources: parts(grouped(turns, (turn) => turn.source)),
    mostFrequent: { ...common, ...ratio(common.hits, common.of) },
  }
}

/** [L72] Sources that are in two folds. A figure over such folds does not apply to new sources. */
export function splitSources(turns: readonly SourcedTurn[]): readonly string[] {
  const folds = new Map<string, Set<string>>()
  for (const { source, fold } of turns) {
    if (fold === null) continue
    folds.set(source, (folds.get(source) ?? new Set()).add(fold))
  }
  return [...folds].filter(([, seen]) => seen.size > 1).map(([source]) => source)
}
