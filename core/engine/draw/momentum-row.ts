import type { Paper } from './paper.ts'
import { ticksOf } from './scale.ts'
import { type Drawn, group, line, polygon, shape, words } from './svg.ts'
import { eventOf, type Part, type Scene } from './scene.ts'

const HEIGHT = 46
/** Of the marks of what momentum did, and how far they are apart at least. */
const MARKS = 20
const MARK = 7

type Mark = 'hold' | 'resist' | 'widen' | 'break'

/** Loudest first: of several in one place the first is drawn. */
const ORDER: readonly Mark[] = ['break', 'resist', 'widen', 'hold']

type Sign = (paper: Paper, x: number, y: number) => Drawn

/** Shapes, so that nothing hangs on colour; around a middle. */
const SIGNS: Readonly<Record<Mark, Sign>> = {
  break: ({ bad }, x, y) =>
    polygon(
      [
        [x, y - 5],
        [x + 4, y],
        [x, y + 5],
        [x - 4, y],
      ],
      { fill: bad },
    ),
  resist: ({ ink }, x, y) =>
    shape('circle', { cx: x, cy: y, r: 2.8, fill: 'none', stroke: ink, 'stroke-width': 1.2 }),
  widen: ({ ink }, x, y) =>
    polygon(
      [
        [x, y - 4],
        [x + 3.6, y + 3],
        [x - 3.6, y + 3],
      ],
      { fill: 'none', stroke: ink, 'stroke-width': 1.1 },
    ),
  hold: ({ ink3 }, x, y) => line([x - 2.6, y], [x + 2.6, y], { stroke: ink3, 'stroke-width': 1.4 }),
}

const WORDS: Readonly<Record<Mark, string>> = {
  break: 'breaks',
  resist: 'resists',
  widen: 'widens',
  hold: 'holds',
}

/** Key entries that explain the marks. */
export const MOMENTUM_KEY = ORDER.map((mark) => ({
  width: 8,
  sign: (paper: Paper, x: number, y: number) => SIGNS[mark](paper, x + 4, y),
  text: `momentum ${WORDS[mark]}`,
}))

/** The loudest thing that momentum did between two turns. */
function loudest({ columns }: Scene, from: number, to: number): Mark | null {
  const found = new Set<string>()
  for (let turn = from; turn < to; turn += 1) found.add(eventOf(columns, turn) ?? '')
  return ORDER.find((mark) => found.has(mark)) ?? null
}

function marks(scene: Scene, y: number): readonly Drawn[] {
  const { bins, left, width, step, paper } = scene
  // As many columns beside each other as a mark is wide.
  const per = Math.max(1, Math.ceil(MARK / step))
  return Array.from({ length: Math.ceil(bins.length / per) }, (_, index) => {
    const some = bins.slice(index * per, (index + 1) * per)
    const mark = loudest(scene, some[0]?.from ?? 0, some.at(-1)?.to ?? 0)
    const x = left + Math.min(width, (index * per + some.length / 2) * step)
    return mark === null ? [] : [SIGNS[mark](paper, x, y)]
  }).flat()
}

/** Momentum after each turn as a stair; of a column of several turns the highest. */
function stair({ columns, bins, left, step, paper }: Scene, top: number, most: number): Drawn {
  const bottom = top + HEIGHT
  const points = bins.flatMap(({ from, to }, index): ReadonlyArray<readonly [number, number]> => {
    const high = columns.momentum.slice(from, to).reduce((a, b) => Math.max(a, b), 0)
    const y = bottom - (high / most) * HEIGHT
    return [
      [left + index * step, y],
      [left + (index + 1) * step, y],
    ]
  })
  const ends: ReadonlyArray<readonly [number, number]> = [
    [left + bins.length * step, bottom],
    [left, bottom],
  ]
  return polygon([...points, ...ends], {
    fill: paper.ink3,
    'fill-opacity': 0.28,
    stroke: paper.ink3,
    'stroke-width': 0.75,
  })
}

/** Draws how long the compound has held, the threshold for strong momentum, and the momentum event of each turn. */
export function momentumRow(scene: Scene, top: number): Part {
  const { columns, bins, left, width, paper } = scene
  const from = bins[0]?.from ?? 0
  const to = bins.at(-1)?.to ?? 0
  const highest = columns.momentum.slice(from, to).reduce((a, b) => Math.max(a, b), 0)
  const most = Math.max(columns.threshold + 1, highest)
  const yOf = (value: number) => top + HEIGHT - (value / most) * HEIGHT
  const strong = yOf(columns.threshold)
  const ticks = ticksOf(most, 3)
  const body = [
    words([left - 168, top + 14], 'momentum'),
    words([left - 168, top + 30], 'turns in a row', { 'font-size': 10, fill: paper.ink3 }),
    group(
      'g',
      { 'font-size': 9.5, fill: paper.ink3, 'text-anchor': 'end' },
      ticks.map((tick) => words([left - 5, yOf(tick) + 3.5], String(tick))),
    ),
    ...(bins.length === 0 ? [] : [stair(scene, top, most)]),
    line([left, strong], [left + width, strong], {
      stroke: paper.ink2,
      'stroke-dasharray': '4 3',
      'stroke-width': 0.75,
    }),
    words([left + width + 8, strong + 3.5], `strong from ${columns.threshold}`, {
      'font-size': 10,
      fill: paper.ink2,
    }),
    ...marks(scene, top + HEIGHT + MARKS / 2 + 2),
  ]
  return { body, bottom: top + HEIGHT + MARKS }
}
