import type { Flip, ReplayColumns } from '../schema/replay.ts'
import type { Picture, TurnRange } from '../schema/picture.ts'
import { ambiguousKey, ambiguousRow, ambiguousTurns } from './ambiguous-row.ts'
import { domainRows, type Row } from './domain-rows.ts'
import { flipRow } from './flip-row.ts'
import { type About, framed, INNER, MARGIN, paperOf, TOP } from './frame.ts'
import { type KeyEntry, keyOf } from './key.ts'
import { looksOf } from './looks.ts'
import { momentumRow, MOMENTUM_KEY } from './momentum-row.ts'
import type { Scene } from './scene.ts'
import { type Bin, binsOf, drawnTurns, nText, ticksOf } from './scale.ts'
import { type Drawn, group, line, rect, words } from './svg.ts'
import { figure, many, percent } from './text.ts'

/** What a timeline is drawn of. */
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
    ...{ columns, bins, width, left: MARGIN + NAMES, paper: paperOf(facts) },
    step: width / Math.max(1, bins.length),
    look: looksOf(columns.domains, theme),
  }
}

/** Numbers of turns under the rows, with hairlines through all of them. */
function axis({ bins, left, width, paper }: Scene, top: number, bottom: number): readonly Drawn[] {
  const [first, last] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 0]
  const turns = Math.max(1, last - first)
  // The first turn has a number of its own.
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
      ...{ 'font-size': 10, 'text-anchor': 'end', fill: paper.ink3 },
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
      ...{ width, text },
      sign: (x: number, y: number) => sign(scene.paper, x, y),
    })),
    ...(isCompared
      ? [
          { width: 8, sign: bar(ink2), text: 'flip, direct' },
          { width: 8, sign: bar(white), text: 'flip, carried by momentum' },
          {
            ...{
              width: 8,
              text: 'outlined: the same domain, with another second one or enrichment',
            },
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
    ...{ x: MARGIN, y: end + 42, width: INNER, fill: scene.paper.ink2 },
  })
  const per = scene.bins.reduce((most, bin) => Math.max(most, bin.to - bin.from), 0)
  return framed(facts, {
    ...{ kind: 'timeline', heading: 'Timeline', lead: LEAD, bottom: key.bottom },
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
