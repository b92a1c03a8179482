import { figure } from './text.ts'
import { type Drawn, rect, words } from './svg.ts'
import type { Paper } from './paper.ts'
import { gapOf, type Part, type Scene } from './scene.ts'

const HEIGHT = 10

/** A hollow box with a bar in its middle: two sides, neither ahead. Told apart without colour. */
function mark(paper: Paper, x: number, y: number, width: number): readonly Drawn[] {
  const [w, h] = [Math.max(1.5, width), HEIGHT]
  return [
    rect({ x, y, width: w, height: h }, { fill: paper.paper, stroke: paper.ink2 }),
    rect({ x, y: y + h / 2 - 0.75, width: w, height: 1.5 }, { fill: paper.ink2 }),
  ]
}

/** What the marks mean, for the key. */
export const AMBIGUOUS_KEY = {
  ...{ width: 8, text: 'the text alone does not decide' },
  sign:
    (paper: Paper) =>
    (x: number, y: number): readonly Drawn[] =>
      mark(paper, x, y - HEIGHT / 2, 8),
}

/** Drawn turns that are marked, counted from 0; null: the preset names no margin. */
export function ambiguousTurns({ columns, bins }: Scene): readonly number[] | null {
  const [from, to] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 0]
  if (columns.ambiguous === undefined) return null
  return columns.ambiguous.map(({ turn }) => turn).filter((turn) => turn >= from && turn < to)
}

/** [B23] Turns whose text alone does not decide: a mark on each column that holds one. */
export function ambiguousRow(scene: Scene, turns: readonly number[], top: number): Part {
  const { bins, left, step, paper, width } = scene
  const sorted = turns.toSorted((a, b) => a - b)
  let at = 0
  const drawn = bins.flatMap(({ to }, index): readonly Drawn[] => {
    const start = at
    while ((sorted[at] ?? Infinity) < to) at += 1
    return at === start ? [] : mark(paper, left + index * step, top, step - gapOf(step))
  })
  const body = [
    words([left - 168, top + 9], 'ambiguous'),
    ...drawn,
    words([left + width + 8, top + 9], figure(turns.length), { 'font-size': 11 }),
  ]
  return { body, bottom: top + HEIGHT + 2 }
}
