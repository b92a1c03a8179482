import type { KeyEntry } from './key.ts'
import type { Paper } from './paper.ts'
import { type Box, type Drawn, group, rect, words } from './svg.ts'
import { gapOf, type Part, type Scene } from './scene.ts'
import { figure } from './text.ts'

const HEIGHT = 10
/** A lower box has no room for the bar. */
const LEAST_WITH_BAR = 6

/** A hollow box with a bar in its middle: two sides, neither ahead. Told apart without colour. */
function mark({ paper, ink2 }: Paper, box: Box): Drawn {
  const { y, height } = box
  return group('g', {}, [
    rect(box, { fill: paper, stroke: ink2 }),
    height < LEAST_WITH_BAR
      ? null
      : rect({ ...box, y: y + height / 2 - 0.75, height: 1.5 }, { fill: ink2 }),
  ])
}

/** What the mark means, for the key. */
export function ambiguousKey(paper: Paper): KeyEntry {
  const sign = (x: number, y: number): Drawn =>
    mark(paper, { x, y: y - HEIGHT / 2, width: 8, height: HEIGHT })
  return { width: 8, sign, text: 'the text alone does not decide' }
}

/** Drawn turns that are marked, counted from 0 and rising; null: the preset names no margin. */
export function ambiguousTurns({ columns, bins }: Scene): readonly number[] | null {
  const [from, to] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 0]
  if (columns.ambiguous === undefined) return null
  return columns.ambiguous.map(({ turn }) => turn).filter((turn) => turn >= from && turn < to)
}

/** [B23] Turns whose text alone does not decide; of a column of several turns as high as their share. */
export function ambiguousRow(scene: Scene, turns: readonly number[], top: number): Part {
  const { bins, left, step, paper, width } = scene
  let at = 0
  const drawn = bins.flatMap(({ from, to }, index): readonly Drawn[] => {
    const start = at
    while ((turns[at] ?? Infinity) < to) at += 1
    if (at === start) return []
    const height = Math.max(2, ((at - start) / (to - from)) * HEIGHT)
    const wide = Math.max(1.5, step - gapOf(step))
    return [mark(paper, { x: left + index * step, y: top + HEIGHT - height, width: wide, height })]
  })
  const body = [
    words([left - 168, top + 9], 'ambiguous'),
    ...drawn,
    words([left + width + 8, top + 9], figure(turns.length), { 'font-size': 11 }),
  ]
  return { body, bottom: top + HEIGHT + 2 }
}
