import type { TurnLabel } from '../../schema/label.ts'
import type { Measured, QueuePrecision } from '../../schema/queue.ts'
import { wilson } from '../metrics/interval.ts'
import { isRight } from '../metrics/label.ts'

/** Labels of a list that its precision is of. */
const FIRST = 50

/** [L84] A share with its interval. */
export function measured(hits: number, of: number): Measured {
  const interval = wilson(hits, of)
  return { hits, of, low: interval?.low ?? null, high: interval?.high ?? null }
}

/**
 * [L83] Measures the benefit of the queue: of the first 50 labels given from it, how many found the decision wrong,
 * compared with the random list. The decision at labelling time counts, so repairing the rules later does not lower the
 * figure.
 */
export function queuePrecision(labels: Iterable<TurnLabel>): QueuePrecision {
  const all = [...labels].filter(({ via }) => via !== undefined)
  const of = (list: 'queue' | 'random') =>
    all
      .filter(({ via }) => via?.list === list)
      .toSorted((a, b) => (a.via?.nth ?? 0) - (b.via?.nth ?? 0))
  const share = (list: 'queue' | 'random'): Measured => {
    const first = of(list).slice(0, FIRST)
    const wrong = first.filter((label) => !isRight(label, label.via?.said ?? ''))
    return measured(wrong.length, first.length)
  }
  return {
    queue: share('queue'),
    random: share('random'),
    labelled: { queue: of('queue').length, random: of('random').length },
  }
}
