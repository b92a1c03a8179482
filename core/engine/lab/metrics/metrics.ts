import type { DomainScore } from '../../belief/score.ts'
import type { LabMetrics } from '../../schema/metrics.ts'
import type { Ratio } from '../../schema/ratio.ts'

/** One labelled turn: the right answer, other acceptable answers, and the actual answer. */
export interface LabelledTurn {
  readonly expected: string
  /** Other answers that count in `withAlternatives`. */
  readonly alternatives: readonly string[]
  readonly predicted: string
}

/** Figures computed from labelled turns alone. */
export type Metrics = Pick<
  LabMetrics,
  'strict' | 'withAlternatives' | 'domains' | 'macroF1' | 'confusion'
>
type DomainMetrics = Metrics['domains'][number]
type ConfusionCell = Metrics['confusion'][number]

/** A part of a whole with its counts; null of nothing. */
export function ratio(hits: number, of: number): Ratio {
  return { hits, of, value: of === 0 ? null : hits / of }
}

function domainMetrics(turns: readonly LabelledTurn[], domain: string): DomainMetrics {
  const predicted = turns.filter((turn) => turn.predicted === domain)
  const labelled = turns.filter((turn) => turn.expected === domain)
  const right = predicted.filter((turn) => turn.expected === domain).length
  const all = predicted.length + labelled.length
  return {
    domain,
    precision: ratio(right, predicted.length),
    recall: ratio(right, labelled.length),
    f1: all === 0 ? null : (2 * right) / all,
  }
}

function confusionOf(turns: readonly LabelledTurn[]): readonly ConfusionCell[] {
  const cells = new Map<string, ConfusionCell>()
  for (const { expected, predicted } of turns) {
    const key = JSON.stringify([expected, predicted])
    cells.set(key, { expected, predicted, count: (cells.get(key)?.count ?? 0) + 1 })
  }
  return [...cells.values()].sort((a, b) => b.count - a.count)
}

function macroF1(domains: readonly DomainMetrics[]): Metrics['macroF1'] {
  const labelled = domains.filter((domain) => domain.recall.of > 0)
  const sum = labelled.reduce((total, domain) => total + (domain.f1 ?? 0), 0)
  return { value: labelled.length === 0 ? null : sum / labelled.length, of: labelled.length }
}

/** Only the shares of right turns, for callers that compute them repeatedly. */
export function sharesRight(
  turns: readonly LabelledTurn[],
): Pick<Metrics, 'strict' | 'withAlternatives'> {
  const strict = turns.filter((turn) => turn.predicted === turn.expected).length
  const lenient = turns.filter(
    (turn) => turn.predicted === turn.expected || turn.alternatives.includes(turn.predicted),
  ).length
  return {
    strict: ratio(strict, turns.length),
    withAlternatives: ratio(lenient, turns.length),
  }
}

/** Measures predictions against labels. */
export function measure(turns: readonly LabelledTurn[]): Metrics {
  const names = new Set(turns.flatMap((turn) => [turn.expected, turn.predicted]))
  const domains = [...names].sort().map((domain) => domainMetrics(turns, domain))
  return {
    ...sharesRight(turns),
    domains,
    macroF1: macroF1(domains),
    confusion: confusionOf(turns),
  }
}

/**
 * Baseline: the answer of the previous classifier on the same signals. It takes the first domain with any match, in the
 * order of priority and then configuration.
 */
export function firstMatch(scores: readonly DomainScore[], defaultDomain: string): string {
  const ordered = scores.toSorted((a, b) => a.priority - b.priority || a.order - b.order)
  return ordered[0]?.domain ?? defaultDomain
}

/** Floor: how often one would be right by always saying the most frequent label. */
export function mostFrequent(turns: ReadonlyArray<Pick<LabelledTurn, 'expected'>>): Ratio & {
  readonly domain: string | null
} {
  const counts = new Map<string, number>()
  for (const { expected } of turns) counts.set(expected, (counts.get(expected) ?? 0) + 1)
  const [best] = [...counts].sort((a, b) => b[1] - a[1])
  return { domain: best?.[0] ?? null, ...ratio(best?.[1] ?? 0, turns.length) }
}
