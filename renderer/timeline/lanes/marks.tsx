import { EVENT_CODES } from '../../../core/engine/schema/replay.ts'
import type { TimelineSource } from '../data.ts'
import { type LabelContext, type LabelProps, lane } from '../lane.tsx'
import type { Row } from '../layout.ts'
import { visibleRuns } from '../runs.ts'
import {
  type Context,
  type Scene,
  EVENT,
  SHAPE_PX,
  blocksOf,
  boxOf,
  edge,
  middle,
  shareHeight,
} from '../scene.ts'
import { circle, cross, diamond, paintPath } from '../shapes.ts'
import { EVENT_WORDS } from '../words.ts'

const flipped = diamond(4.4)

/** The compared replay: its primary as a thin band, strong if it differs, ◆ on every flip. */
function drawCompare(ctx: Context, scene: Scene, row: Row): void {
  const { level, first, end, px } = blocksOf(scene)
  const bandHeight = 6
  const bandY = row.y + row.height - bandHeight - 1
  for (let block = first; block < end; block++) {
    const { x, width } = boxOf(scene, level, block)
    const other = level.other?.[block] ?? -1
    if (other >= 0) {
      ctx.globalAlpha = other === level.primary[block] ? scene.paint.tint : 0.95
      ctx.fillStyle = scene.paint.domain(other)
      ctx.fillRect(x, bandY, width, bandHeight)
    }
    const flips = level.flip[block] ?? 0
    if (flips === 0) continue
    ctx.globalAlpha = 1
    const color = (ctx.fillStyle = scene.paint.warn)
    if (px >= SHAPE_PX)
      paintPath(ctx, () => flipped(ctx, middle(scene, block), row.y + 5.5), { color })
    else {
      const room = bandY - row.y - 2
      const height = Math.max(3, shareHeight(flips / level.size, room))
      ctx.fillRect(x, bandY - 1 - height, Math.max(1, Math.min(2, px)), height)
    }
  }
  ctx.globalAlpha = 1
}

function CompareLabel({ data }: LabelProps<TimelineSource>) {
  const { compare, flips } = data
  const name = data.otherName ?? compare?.config.preset ?? ''
  return (
    <>
      <span className="tl-name" title={`Compared with ${name}`}>
        <i className="tl-diamond warn" aria-hidden="true">
          ◆
        </i>
        {name}
      </span>
      <span className="tl-value">
        {flips.length === 1 ? '1 flip' : `${flips.length.toLocaleString('en-US')} flips`}
      </span>
    </>
  )
}

/** Lane of the turns that a second replay decides differently. */
export const compareLane = lane({
  id: 'compare',
  place: 'below',
  prepare: ({ source }) => (source.compare === null ? null : source),
  size: () => ({ height: 20, gap: 4, drop: 6 }),
  draw: drawCompare,
  legend: {
    name: 'compare',
    text: 'What the other side has in force; a diamond where the two sides decide differently.',
  },
  Label: CompareLabel,
})

type Mark = keyof typeof EVENT
type Shape = (ctx: Context, x: number, y: number) => void

const stroked =
  (path: Shape): Shape =>
  (ctx, x, y) => {
    path(ctx, x, y)
    ctx.stroke()
  }

/** ▪ hold, ◦ resist, ＋ widen, ✕ break. */
const SHAPES: Readonly<Record<Mark, Shape>> = {
  hold: (ctx, x, y) => ctx.fillRect(x - 2, y - 2, 4, 4),
  resist: stroked(circle(3.1)),
  widen: stroked((ctx, x, y) => {
    ctx.moveTo(x - 3.6, y)
    ctx.lineTo(x + 3.6, y)
    ctx.moveTo(x, y - 3.6)
    ctx.lineTo(x, y + 3.6)
  }),
  break: stroked(cross(3.1)),
}
const MARKS = ['break', 'widen', 'resist', 'hold'] as const satisfies readonly Mark[]

/** Height of a single bar as a share of the row, when there is no room for shapes. */
const BAR: Readonly<Record<Mark, number>> = { break: 1, widen: 0.75, resist: 0.5, hold: 0.2 }

function markColor(scene: Pick<Scene, 'paint'>, mark: Mark): string {
  const { ink3, warn, good, bad } = scene.paint
  return { hold: ink3, resist: warn, widen: good, break: bad }[mark]
}

function drawHeldLines(ctx: Context, scene: Scene, row: Row): void {
  ctx.fillStyle = scene.paint.warn
  ctx.globalAlpha = 0.3
  for (const run of visibleRuns(scene.runs, scene.view))
    for (const stretch of run.stretches)
      if (stretch.resisted > 1) {
        const x = middle(scene, stretch.from)
        ctx.fillRect(x, row.y + row.height / 2 - 0.75, middle(scene, stretch.to - 1) - x, 1.5)
      }
  ctx.globalAlpha = 1
}

function drawMarkShapes(ctx: Context, scene: Scene, row: Row): void {
  const { first, end } = blocksOf(scene)
  drawHeldLines(ctx, scene, row)
  ctx.lineWidth = 1.7
  for (let turn = first; turn < end; turn++) {
    const mark = MARKS.find((one) => EVENT[one] === scene.data.event[turn])
    if (mark === undefined) continue
    ctx.fillStyle = ctx.strokeStyle = markColor(scene, mark)
    ctx.beginPath()
    SHAPES[mark](ctx, middle(scene, turn), row.y + row.height / 2)
  }
}

/** Stacked bars, breaks at the bottom. A block of one turn has one bar, whose height indicates the mark. */
function drawMarkBars(ctx: Context, scene: Scene, row: Row): void {
  const { level, first, end, px } = blocksOf(scene)
  const room = row.height - 2
  for (let block = first; block < end; block++) {
    const x = edge(scene, block * level.size)
    const turns = Math.min(level.size, scene.data.turns - block * level.size)
    let y = row.y + room
    for (const mark of MARKS) {
      const count = level.events[block * EVENT_CODES.length + EVENT[mark]] ?? 0
      if (count === 0) continue
      const whole = shareHeight(count / turns, room * BAR[mark])
      const height = Math.min(level.size === 1 ? room * BAR[mark] : whole, y - row.y)
      y -= height
      ctx.fillStyle = markColor(scene, mark)
      ctx.fillRect(x, y, Math.max(1 / scene.dpr, px < 3 ? px : px - 1), height)
    }
  }
}

/** Draws the effect of momentum, turn by turn. A line joins turns that were resisted in a row. */
function drawMarks(ctx: Context, scene: Scene, row: Row): void {
  if (blocksOf(scene).px >= SHAPE_PX) drawMarkShapes(ctx, scene, row)
  else drawMarkBars(ctx, scene, row)
}

/** Marks and the gutter width from which their word is shown. */
const KEY = [
  ['hold', 130],
  ['resist', 130],
  ['break', 130],
  ['widen', 180],
] as const

/** Key of the marks row, in the colours of the marks. */
function MarksLabel({ told, width }: LabelContext) {
  return (
    <span className="tl-key quiet gap-6 flex">
      {KEY.map(([event, least]) => {
        const { sign, word, tone } = EVENT_WORDS[event]
        const on = told?.event === event
        return (
          <span key={event} className={on ? 'on' : undefined} title={word}>
            <i className={tone} aria-hidden="true">
              {sign}
            </i>
            {width >= least && event}
          </span>
        )
      })}
    </span>
  )
}

/** Lane for the effect of momentum, turn by turn. */
export const marksLane = lane({
  id: 'marks',
  place: 'below',
  prepare: (base) => base,
  size: () => ({ height: 15, gap: 3, drop: 5 }),
  draw: drawMarks,
  legend: {
    name: 'marks',
    text: 'What momentum did with a turn: held it without a signal, resisted another domain, gave way, or took a second domain in.',
  },
  Label: MarksLabel,
})
