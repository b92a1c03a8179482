import type { CompiledDomain } from '../matcher/domains.ts'
import type { CompiledSignal } from '../matcher/signal.ts'
import { keptIn } from '../maps.ts'

/** Combined count of a domain's matched signals. */
export interface Counted {
  /** Without those that take the domain out. */
  readonly matched: number
  readonly points: number
  readonly excluded: boolean
}

const plain = new WeakMap<readonly CompiledSignal[], boolean>()

/** Does every signal count one, so that the sum is their number? */
function isPlain({ signals }: Pick<CompiledDomain, 'signals'>): boolean {
  return keptIn(plain, signals, () =>
    signals.every(({ weight, group, excludes }) => weight === 1 && group === null && !excludes),
  )
}

/**
 * [C1] [K14] The sum of the weights of the signals at these indexes; of a group only its weightiest one
 * counts. [K15] One that excludes counts nothing and says so.
 */
export function countSignals(
  domain: Pick<CompiledDomain, 'signals'>,
  indexes: readonly number[],
): Counted {
  if (isPlain(domain)) return { matched: indexes.length, points: indexes.length, excluded: false }
  const groups = new Map<string, number>()
  let matched = 0
  let points = 0
  let excluded = false
  for (const index of indexes) {
    const signal = domain.signals[index]
    if (signal === undefined) continue
    const { weight, group } = signal
    if (signal.excludes) excluded = true
    else {
      // Signals of weight 0 are shown, but do not count as evidence.
      matched += weight > 0 ? 1 : 0
      const counted = group === null ? 0 : (groups.get(group) ?? 0)
      points += Math.max(0, weight - counted)
      if (group !== null) groups.set(group, Math.max(weight, counted))
    }
  }
  return { matched, points, excluded }
}

/**
 * Points that `extra` further matches would add to a domain with `points`. Uses the domain's most frequent weight.
 * Returns 0 if all of its signals share one group that already counts.
 */
export function furtherPoints(
  { signals }: Pick<CompiledDomain, 'signals'>,
  points: number,
  extra: number,
): number {
  const counting = signals.filter(({ weight, excludes }) => weight > 0 && !excludes)
  const [first] = counting
  if (first === undefined) return extra
  const isOneGroup = first.group !== null && counting.every(({ group }) => group === first.group)
  if (isOneGroup) return points > 0 ? 0 : first.weight
  const counts = new Map<number, number>()
  for (const { weight } of counting) counts.set(weight, (counts.get(weight) ?? 0) + 1)
  const [usual] = [...counts].toSorted((a, b) => b[1] - a[1])
  return extra * (usual?.[0] ?? 1)
}
