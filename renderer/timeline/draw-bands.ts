import { EVENT_CODES } from '../../core/engine/schema/replay.ts'
import type { Row } from './lanes.ts'
import { runIndexAt, type SignatureRun } from './runs.ts'
import { blocksOf, edge, EVENT, middle, SHAPE_PX, type Context, type Scene } from './scene.ts'

/** Runs that touch the view. */
function visibleRuns(scene: Scene): readonly SignatureRun[] {
  const { runs, view, data } = scene
  const from = runIndexAt(runs, Math.max(0, Math.floor(view.from)))
  if (from < 0) return []
  const to = runIndexAt(runs, Math.min(data.turns - 1, Math.ceil(view.to)))
  return runs.slice(from, to + 1)
}

/** What the label of a run may say, longest first. */
function labels(scene: Scene, run: SignatureRun): readonly string[] {
  const domains = [run.primary, run.secondary].filter((domain) => domain >= 0)
  const names = domains.map((domain) => scene.data.names[domain])
  return [names.join(' + '), domains.map(scene.paint.code).join('+')]
}

interface Box {
  readonly x: number
  readonly width: number
}

function drawRunText(ctx: Context, scene: Scene, row: Row, run: SignatureRun & Box): void {
  const y = row.y + row.height / 2 - (run.secondary >= 0 ? 1 : 0)
  ctx.font = `500 11px ${scene.paint.font}`
  const label = labels(scene, run).find((text) => ctx.measureText(text).width + 12 <= run.width)
  if (label === undefined) return
  ctx.fillStyle = scene.paint.ink
  ctx.fillText(label, run.x + 6, y)
  if (run.resisted < 3) return
  const used = ctx.measureText(label).width + 12
  ctx.font = `10.5px ${scene.paint.font}`
  const count = `${run.resisted} resisted`
  const width = ctx.measureText(count).width
  if (used + width + 18 > run.width) return
  ctx.fillStyle = scene.paint.warn
  ctx.fillText(count, run.x + run.width - width - 6, y)
}

/** One run: tinted with its primary, underlined with its secondary, topped where turns were resisted. */
function drawRun(ctx: Context, scene: Scene, row: Row, run: SignatureRun): void {
  // A run may start far left of the view: keep its label in sight.
  const x = Math.max(-8, edge(scene, run.from))
  const right = Math.min(scene.width + 8, edge(scene, run.to))
  const width = Math.max(1 / scene.dpr, right - x - (right - x > 4 ? 1 : 0))
  const color = scene.paint.domain(run.primary)
  ctx.save()
  ctx.beginPath()
  ctx.roundRect(x, row.y, width, row.height - 2, width > 14 ? 4 : 0)
  ctx.clip()
  // Opaque first: no grid line runs through the label.
  ctx.fillStyle = scene.paint.panel
  ctx.fillRect(x, row.y, width, row.height)
  ctx.globalAlpha = width > 12 ? scene.paint.tint : 0.5
  ctx.fillStyle = color
  ctx.fillRect(x, row.y, width, row.height)
  ctx.globalAlpha = 0.85
  if (width > 12) ctx.fillRect(x, row.y, 2.5, row.height)
  if (run.secondary >= 0) {
    ctx.fillStyle = scene.paint.domain(run.secondary)
    ctx.fillRect(x, row.y + row.height - 5, width, 3)
  }
  ctx.globalAlpha = 1
  if (width >= 24) {
    const shown = Math.max(0, x)
    const box = { x: shown + 2, width: Math.min(scene.width, right) - shown - 2 }
    drawRunText(ctx, scene, row, { ...run, ...box })
  }
  ctx.restore()
}

/** The signature band; by blocks when runs are too short to see. */
export function drawSignature(ctx: Context, scene: Scene, row: Row): void {
  const runs = visibleRuns(scene)
  if (runs.length <= scene.width / 3) {
    for (const run of runs) drawRun(ctx, scene, row, run)
    return
  }
  const { level, first, end } = blocksOf(scene)
  for (let block = first; block < end; block++) {
    const x = edge(scene, block * level.size)
    const width = edge(scene, Math.min(scene.data.turns, (block + 1) * level.size)) - x
    ctx.globalAlpha = 0.45
    ctx.fillStyle = scene.paint.domain(level.primary[block] ?? -1)
    ctx.fillRect(x, row.y, width, row.height - 2)
    const secondary = level.secondary[block] ?? -1
    if (secondary < 0) continue
    ctx.globalAlpha = 0.95
    ctx.fillStyle = scene.paint.domain(secondary)
    ctx.fillRect(x, row.y + row.height - 5, width, 3)
  }
  ctx.globalAlpha = 1
}

type Mark = keyof typeof EVENT
type Shape = (ctx: Context, x: number, y: number) => void
/** ▪ hold, ◦ resist, ＋ widen, ✕ break. */
const SHAPES: Readonly<Record<Mark, Shape>> = {
  hold: (ctx, x, y) => ctx.fillRect(x - 2, y - 2, 4, 4),
  resist: (ctx, x, y) => {
    ctx.arc(x, y, 3.1, 0, 2 * Math.PI)
    ctx.stroke()
  },
  widen: (ctx, x, y) => {
    ctx.moveTo(x - 3.6, y)
    ctx.lineTo(x + 3.6, y)
    ctx.moveTo(x, y - 3.6)
    ctx.lineTo(x, y + 3.6)
    ctx.stroke()
  },
  break: (ctx, x, y) => {
    ctx.moveTo(x - 3.1, y - 3.1)
    ctx.lineTo(x + 3.1, y + 3.1)
    ctx.moveTo(x + 3.1, y - 3.1)
    ctx.lineTo(x - 3.1, y + 3.1)
    ctx.stroke()
  },
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
  for (const run of visibleRuns(scene))
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

/** Height of a bar for a share of turns: the root, so that one break among hundreds is still seen. */
function barHeight(share: number, room: number): number {
  return share <= 0 ? 0 : Math.max(1.5, Math.sqrt(share) * room)
}

/** Stacked bars, breaks at the bottom; a block of one turn has one bar whose height tells the mark. */
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
      const whole = barHeight(count / turns, room * BAR[mark])
      const height = Math.min(level.size === 1 ? room * BAR[mark] : whole, y - row.y)
      y -= height
      ctx.fillStyle = markColor(scene, mark)
      ctx.fillRect(x, y, Math.max(1 / scene.dpr, px < 3 ? px : px - 1), height)
    }
  }
}

/** What momentum did, turn by turn; a line joins turns that were resisted in a row. */
export function drawMarks(ctx: Context, scene: Scene, row: Row): void {
  if (blocksOf(scene).px >= SHAPE_PX) drawMarkShapes(ctx, scene, row)
  else drawMarkBars(ctx, scene, row)
}

function diamond(ctx: Context, x: number, y: number): void {
  ctx.beginPath()
  ctx.moveTo(x, y - 4.4)
  ctx.lineTo(x + 4.4, y)
  ctx.lineTo(x, y + 4.4)
  ctx.lineTo(x - 4.4, y)
  ctx.closePath()
  ctx.fill()
}

/** The compared replay: its primary as a thin band, strong where it differs, ◆ on every flip. */
export function drawCompare(ctx: Context, scene: Scene, row: Row): void {
  const { level, first, end, px } = blocksOf(scene)
  const bandHeight = 6
  const bandY = row.y + row.height - bandHeight - 1
  for (let block = first; block < end; block++) {
    const x = edge(scene, block * level.size)
    const width = edge(scene, Math.min(scene.data.turns, (block + 1) * level.size)) - x
    const other = level.other?.[block] ?? -1
    if (other >= 0) {
      ctx.globalAlpha = other === level.primary[block] ? scene.paint.tint : 0.95
      ctx.fillStyle = scene.paint.domain(other)
      ctx.fillRect(x, bandY, width, bandHeight)
    }
    const flips = level.flip[block] ?? 0
    if (flips === 0) continue
    ctx.globalAlpha = 1
    ctx.fillStyle = scene.paint.warn
    if (px >= SHAPE_PX) diamond(ctx, middle(scene, block), row.y + 5.5)
    else {
      const room = bandY - row.y - 2
      const height = Math.max(3, barHeight(flips / level.size, room))
      ctx.fillRect(x, bandY - 1 - height, Math.max(1, Math.min(2, px)), height)
    }
  }
  ctx.globalAlpha = 1
}
