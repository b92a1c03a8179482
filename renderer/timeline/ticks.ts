import { pxPerTurn, xOf, type Viewport } from './viewport.ts'

export interface Tick {
  /** 0-based turn. */
  readonly turn: number
  /** 1-based number for people, with thousands separators. */
  readonly label: string
  /** Pixels from the left edge of the plot to the middle of the turn. */
  readonly x: number
}

const grouped = new Intl.NumberFormat('en-US')

/** `1,234` for turn 1233: people count from 1. */
export function turnNumber(turn: number): string {
  return grouped.format(turn + 1)
}

/** 1, 2, 5, 10, 20, 50 …: the smallest step that keeps labels `gap` pixels apart. */
export function tickStep(px: number, gap: number): number {
  for (let power = 1; power < 1e9; power *= 10)
    for (const digit of [1, 2, 5]) if (digit * power * px >= gap) return digit * power
  return 1e9
}

/** Ruler ticks in view: the first turn and every multiple of the step, as 1-based numbers. */
export function ticks(view: Viewport, width: number, turns: number): readonly Tick[] {
  if (turns === 0) return []
  const px = pxPerTurn(view, width)
  const step = tickStep(px, 22 + 7 * turnNumber(Math.min(turns, Math.ceil(view.to))).length)
  const result: Tick[] = []
  const add = (turn: number) => {
    const x = xOf(turn + 0.5, view, width)
    if (x >= 0 && x <= width && turn < turns) result.push({ turn, label: turnNumber(turn), x })
  }
  // The second tick would collide with "1" only when the step is 1, and then it is the same row.
  if (step > 1) add(0)
  const first = Math.max(1, Math.ceil(view.from / step))
  for (let number = first * step; number <= view.to + 1; number += step) add(number - 1)
  return result
}
