import type { TransitionMap, TurnRange } from '../schema/picture.ts'
import type { ReplayColumns } from '../schema/replay.ts'
import { NONE, NOTHING } from './looks.ts'
import { bySize, drawnTurns, tally } from './scale.ts'

/** Turns of one cell that are listed; the count has all. */
const LISTED = 2_000

/** [U153] Turns by the primary from the text alone (before momentum) and the held primary (after it). */
export function transitionMap(
  { primary, scoredPrimary, domains, turns }: ReplayColumns,
  range: TurnRange | null,
): TransitionMap {
  const { from, to } = drawnTurns(turns, range)
  const held = tally(primary.slice(from, to))
  const alone = tally(scoredPrimary.slice(from, to))
  const order = [...bySize(held), ...bySize(alone).filter((place) => !held.has(place))]
  const numbers = new Map(order.map((place, index) => [place, index]))
  const cells = new Map<number, { readonly turns: number[]; count: number }>()
  for (let turn = from; turn < to; turn += 1) {
    const row = numbers.get(scoredPrimary[turn] ?? NONE) ?? 0
    const key = row * order.length + (numbers.get(primary[turn] ?? NONE) ?? 0)
    const cell = cells.get(key) ?? { turns: [], count: 0 }
    cell.count += 1
    if (cell.turns.length < LISTED) cell.turns.push(turn)
    cells.set(key, cell)
  }
  return {
    domains: order.map((place) => domains[place] ?? NOTHING),
    cells: [...cells]
      .toSorted(([a], [b]) => a - b)
      .map(([key, cell]) => ({
        alone: Math.floor(key / order.length),
        held: key % order.length,
        ...cell,
      })),
    turns: to - from,
  }
}
