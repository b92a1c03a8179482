import type { TurnRange } from '../schema/picture.ts'
import { figure, many } from './text.ts'

/** Turns that are drawn as one column, `to` exclusive. */
export interface Bin {
  readonly from: number
  readonly to: number
}

/** [U152] Turns `from` to `to` (exclusive) in at most `most` columns, as even as they can be. */
export function binsOf(from: number, to: number, most: number): readonly Bin[] {
  const turns = Math.max(0, to - from)
  const count = Math.min(turns, most)
  return Array.from({ length: count }, (_, index) => ({
    from: from + Math.floor((index * turns) / count),
    to: from + Math.floor(((index + 1) * turns) / count),
  }))
}

const STEPS = [1, 2, 5]

/** Round numbers up to `most`, about `wanted` of them, from 0 on; whole ones. */
export function ticksOf(most: number, wanted: number): readonly number[] {
  if (most <= 0) return [0]
  let step = 1
  for (let power = 1; ; power *= 10) {
    const found = STEPS.find((each) => most / (each * power) <= wanted)
    if (found !== undefined) {
      step = found * power
      break
    }
  }
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step)
}

/** Returns the keys of a map, largest count first. Equal counts keep their order. */
export function bySize(counts: ReadonlyMap<number, number>): readonly number[] {
  return [...counts].toSorted(([a, x], [b, y]) => y - x || a - b).map(([place]) => place)
}

/** Counts how often each number occurs. */
export function tally(values: Iterable<number>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** The turns that are drawn, `to` exclusive; a range that reaches beyond the end ends there. */
export function drawnTurns(turns: number, range: TurnRange | null): Bin {
  const from = Math.min(turns, (range?.[0] ?? 1) - 1)
  return { from, to: Math.min(turns, Math.max(from, range?.[1] ?? turns)) }
}

/** `n = 71 turns`, or which of them. */
export function nText({ from, to }: Bin, turns: number): string {
  const n = `n = ${many(to - from, 'turn')}`
  return to - from === turns ? n : `${n} (${figure(from + 1)} to ${figure(to)} of ${figure(turns)})`
}
