import type { Picture, TurnRange } from '../schema/picture.ts'
import type { Flip, ReplayColumns } from '../schema/replay.ts'
import { domainRows, type Row } from './domain-rows.ts'
import { framed, INNER, MARGIN, paperOf, TOP, type About } from './frame.ts'
import { keyOf, type KeyEntry } from './key.ts'
import { looksOf, NONE, NOTHING } from './looks.ts'
import { MOMENTUM_KEY, momentumRow } from './momentum-row.ts'
import type { Paper } from './paper.ts'
import { binsOf, bySize, drawnTurns, nText, tally, ticksOf, type Bin } from './scale.ts'
import { gapOf, type Part, type Scene } from './scene.ts'
import { group, line, rect, words, type Box, type Drawn } from './svg.ts'
import { figure, many, percent } from './text.ts'

/** Input of a timeline picture. */
export interface TimelineFacts extends About {
  readonly columns: ReplayColumns
  readonly range: TurnRange | null
  /** The other side; null without a comparison. */
  readonly other: { readonly columns: ReplayColumns; readonly flips: readonly Flip[] } | null
}

/** Space for names at the left and figures at the right. */
const NAMES = 168
const FIGURES = 104
/** [U152] Columns at most: two units wide each. */
const MOST_BINS = 300

function sceneOf(facts: TimelineFacts, { from, to }: Bin): Scene {
  const { columns, theme } = facts
  const bins = binsOf(from, to, MOST_BINS)
  const width = INNER - NAMES - FIGURES
  return {
    columns,
    bins,
    width,
    left: MARGIN + NAMES,
    paper: paperOf(facts),
    step: width / Math.max(1, bins.length),
    look: looksOf(columns.domains, theme),
  }
}

/** Numbers of turns under the rows, with hairlines through all of them. */
function axis({ bins, left, width, paper }: Scene, top: number, bottom: number): readonly Drawn[] {
  const first = bins[0]?.from ?? 0
  const last = bins.at(-1)?.to ?? 0
  const turns = Math.max(1, last - first)
  // The first turn has its own number, so ticks too close to it are dropped.
  const places = ticksOf(last, 10).filter((turn) => turn > first + turns / 25 && turn <= last)
  const xOf = (turn: number): number => left + ((turn - first - 0.5) / turns) * width
  const at = [first + 1, ...places]
  return [
    group(
      'g',
      { stroke: paper.line, 'stroke-width': 0.5 },
      at.map((turn) => line([xOf(turn), top], [xOf(turn), bottom], {})),
    ),
    group(
      'g',
      { 'font-size': 10, 'text-anchor': 'middle', fill: paper.ink3 },
      at.map((turn) => words([xOf(turn), bottom + 13], figure(turn))),
    ),
    words([left - 12, bottom + 13], 'turn', {
      'font-size': 10,
      'text-anchor': 'end',
      fill: paper.ink3,
    }),
  ]
}

function signs(scene: Scene, isCompared: boolean): readonly KeyEntry[] {
  const { ink2, accent, paper: white } = scene.paper
  const bar = (fill: string) => (x: number, y: number) =>
    rect({ x, y: y - 6, width: 8, height: 12 }, { fill, stroke: ink2 })
  const mark = (x: number, y: number) => rect({ x, y: y + 3, width: 8, height: 3 }, { fill: ink2 })
  return [
    { width: 8, sign: bar(ink2), text: 'held' },
    { width: 8, sign: mark, text: 'the text alone said it, momentum held another' },
    ...(scene.columns.ambiguous === undefined ? [] : [ambiguousKey(scene.paper)]),
    ...MOMENTUM_KEY.map(({ width, sign, text }) => ({
      width,
      text,
      sign: (x: number, y: number) => sign(scene.paper, x, y),
    })),
    ...(isCompared
      ? [
          { width: 8, sign: bar(ink2), text: 'flip, direct' },
          { width: 8, sign: bar(white), text: 'flip, carried by momentum' },
          {
            width: 8,
            text: 'outlined: the same domain, with another second one or enrichment',
            sign: (x: number, y: number) =>
              rect({ x, y: y - 5, width: 8, height: 10 }, { fill: white, stroke: accent }),
          },
        ]
      : []),
  ]
}

interface Told {
  readonly rows: readonly Row[]
  readonly flips: readonly Flip[]
  /** Turns that are marked; null: the preset names no margin. */
  readonly unsure: readonly number[] | null
  readonly n: number
}

function toldOf(facts: TimelineFacts, { rows, flips, unsure, n }: Told) {
  const { columns } = facts
  const [first] = rows
  const most =
    first === undefined
      ? 'No turn is classified.'
      : `Held most often: ${first.name}, ${percent(first.held, n)} of ${many(n, 'turn')}.`
  const moved = rows.reduce((sum, { parted }) => sum + parted, 0)
  const direct = flips.filter(({ cause }) => cause === 'direct').length
  const other =
    facts.other === null
      ? ''
      : ` ${many(flips.length, 'turn')} ${flips.length === 1 ? 'flips' : 'flip'}, ${figure(direct)} directly.`
  const marked =
    unsure === null
      ? ''
      : ` The text alone does not decide on ${many(unsure.length, 'turn')} (${percent(unsure.length, n)}).`
  return `${most} Momentum held another domain than the text alone said on ${many(moved, 'turn')}.${marked}${other} Strong from ${columns.threshold} turns on.`
}

const LEAD = 'What each turn was held as, and what its text alone said where that differs'

/** [U154] A session turn by turn. */
export function drawTimeline(facts: TimelineFacts): Picture {
  const { columns, range, other } = facts
  const drawn = drawnTurns(columns.turns, range)
  const scene = sceneOf(facts, drawn)
  const n = drawn.to - drawn.from
  const flips = (other?.flips ?? []).filter(({ turn }) => turn >= drawn.from && turn < drawn.to)
  const domains = domainRows(scene, TOP + 10)
  const unsure = ambiguousTurns(scene)
  const marks = unsure && ambiguousRow(scene, unsure, domains.bottom + 10)
  const momentum = momentumRow(scene, (marks ?? domains).bottom + 16)
  const flipped = other && flipRow(scene, { ...other, flips }, momentum.bottom + 16)
  const end = (flipped ?? momentum).bottom
  const key = keyOf(signs(scene, other !== null), {
    x: MARGIN,
    y: end + 42,
    width: INNER,
    fill: scene.paper.ink2,
  })
  const per = scene.bins.reduce((most, bin) => Math.max(most, bin.to - bin.from), 0)
  return framed(facts, {
    kind: 'timeline',
    heading: 'Timeline',
    lead: LEAD,
    bottom: key.bottom,
    body: [
      ...axis(scene, TOP + 4, end),
      ...domains.body,
      ...(marks?.body ?? []),
      ...momentum.body,
      ...(flipped?.body ?? []),
      key.drawn,
    ],
    facts: [
      nText(drawn, columns.turns),
      ...(other === null ? [] : [`${many(flips.length, 'flip')} (${percent(flips.length, n)})`]),
      ...(per > 1 ? [`a column is up to ${per} turns, its height their share`] : []),
    ],
    told: toldOf(facts, { rows: domains.rows, flips, unsure, n }),
  })
}

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

/** Key entry that explains the mark. */
function ambiguousKey(paper: Paper): KeyEntry {
  const sign = (x: number, y: number): Drawn =>
    mark(paper, { x, y: y - HEIGHT / 2, width: 8, height: HEIGHT })
  return { width: 8, sign, text: 'the text alone does not decide' }
}

/** Drawn turns that are marked, counted from 0 and rising; null: the preset names no margin. */
function ambiguousTurns({ columns, bins }: Scene): readonly number[] | null {
  const from = bins[0]?.from ?? 0
  const to = bins.at(-1)?.to ?? 0
  if (columns.ambiguous === undefined) return null
  return columns.ambiguous.map(({ turn }) => turn).filter((turn) => turn >= from && turn < to)
}

/** [B23] Turns whose text alone does not decide; of a column of several turns as high as their share. */
function ambiguousRow(scene: Scene, turns: readonly number[], top: number): Part {
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

interface Other {
  readonly columns: ReplayColumns
  readonly flips: readonly Flip[]
}

const BAR = 16
const STRIP = 14
/** A code needs this much room. */
const CODE = 12

interface Flipped {
  readonly direct: number
  readonly carried: number
  /** The most frequent primary of these flips on the other side. */
  readonly becomes: string
  /** It says the same domain first: the second one or the enrichment differs. */
  readonly isSame: boolean
}

function flippedIn({ columns }: Other, flips: readonly Flip[]): Flipped {
  const direct = flips.filter(({ cause }) => cause === 'direct').length
  const [most = NONE] = bySize(tally(flips.map((flip) => columns.primary[flip.other] ?? NONE)))
  const becomes = columns.domains[most] ?? NOTHING
  const isSame = flips.every(({ fields }) => !fields.includes('primary'))
  return { direct, carried: flips.length - direct, becomes, isSame }
}

/** Flips of each column, in one pass over both. */
function byBin({ bins }: Scene, flips: readonly Flip[]): ReadonlyArray<readonly Flip[]> {
  const sorted = flips.toSorted((a, b) => a.turn - b.turn)
  let at = 0
  return bins.map(({ to }) => {
    const start = at
    while ((sorted[at]?.turn ?? Infinity) < to) at += 1
    return sorted.slice(start, at)
  })
}

function column(scene: Scene, other: Other, [index, flips]: readonly [number, readonly Flip[]]) {
  const { bins, left, step, look } = scene
  const turns = Math.max(1, (bins[index]?.to ?? 0) - (bins[index]?.from ?? 0))
  const { direct, carried, becomes, isSame } = flippedIn(other, flips)
  const x = left + index * step
  const width = Math.max(1.5, step - gapOf(step))
  const high = (count: number) => (count === 0 ? 0 : Math.max(2, (count / turns) * BAR))
  return { direct: high(direct), carried: high(carried), x, width, isSame, look: look(becomes) }
}

/** Turns that the other side decides differently: the cause, and the other decision. */
function flipRow(scene: Scene, other: Other, top: number): Part {
  const { left, paper } = scene
  const strip = top + BAR + 3
  const drawn = byBin(scene, other.flips).flatMap((flips, index): readonly Drawn[] => {
    if (flips.length === 0) return []
    const { direct, carried, x, width, isSame, look } = column(scene, other, [index, flips])
    const bar = (y: number, height: number, fill: string) =>
      rect({ x, y, width, height }, { fill, stroke: paper.ink2, 'stroke-width': 0.75 })
    return [
      ...(direct === 0 ? [] : [bar(top + BAR - direct, direct, paper.ink2)]),
      ...(carried === 0 ? [] : [bar(top + BAR - direct - carried, carried, paper.paper)]),
      isSame
        ? rect(
            { x: x + 0.5, y: strip + 0.5, width: width - 1, height: STRIP - 1 },
            { fill: paper.paper, stroke: look.color },
          )
        : rect({ x, y: strip, width, height: STRIP }, { fill: look.color }),
      ...(width < CODE
        ? []
        : [
            words([x + width / 2, strip + 10.5], look.code, {
              'font-size': 8.5,
              'text-anchor': 'middle',
              fill: isSame ? paper.ink : look.on,
            }),
          ]),
    ]
  })
  const direct = other.flips.filter(({ cause }) => cause === 'direct').length
  const right = left + scene.width
  const body = [
    words([left - 168, top + 12], 'flips'),
    words([left - 168, strip + 11], 'what they become', { 'font-size': 10, fill: paper.ink3 }),
    ...drawn,
    words([right + 8, top + 12], many(other.flips.length, 'flip'), { 'font-size': 11 }),
    words([right + 8, strip + 11], `${figure(direct)} direct`, {
      'font-size': 10,
      fill: paper.ink3,
    }),
  ]
  return { body, bottom: strip + STRIP + 4 }
}
