import { drawTokens } from '../features/bundle/draw-lane.ts'
import { drawVerdicts } from '../features/coach/draw-lane.ts'
import { ROLES } from './data.ts'
import { drawCompare, drawMarks, drawSignature } from './draw-bands.ts'
import { drawFound } from '../features/find/draw-lane.ts'
import { drawLanes, drawRoles } from './draw-lanes.ts'
import { drawQueries, drawSelf } from '../features/self-signals/draw-lanes.ts'
import { plotBottom, type Row, type RowKind } from './lanes.ts'
import { drawPersonas, drawProbe } from '../features/probe/draw-lane.ts'
import { blocksOf, edge, inside, middle, type Context, type Scene } from './scene.ts'
import { ticks } from './ticks.ts'
import { fit, isFit, xOf } from './viewport.ts'

const USER = ROLES.indexOf('user')

function drawRuler(ctx: Context, scene: Scene, row: Row): void {
  const { paint, width, layout } = scene
  ctx.font = `10.5px ${paint.font}`
  const bottom = plotBottom(layout)
  for (const tick of ticks(scene.view, width, scene.data.turns)) {
    ctx.fillStyle = paint.line
    ctx.fillRect(Math.round(tick.x) - 0.5, row.y + row.height, 1, bottom - row.y - row.height)
    ctx.fillStyle = paint.ink3
    const size = ctx.measureText(tick.label).width
    ctx.fillText(tick.label, inside(tick.x, size, width) - size / 2, row.y + 9)
  }
  drawExchanges(ctx, scene, row)
}

/** A tick where a person speaks, as long as they stand apart. */
function drawExchanges(ctx: Context, scene: Scene, row: Row): void {
  const { level, first, end, px } = blocksOf(scene)
  ctx.fillStyle = scene.paint.line2
  ctx.fillRect(0, row.y + row.height - 1, scene.width, 1)
  if (level.size > 1) return
  ctx.fillStyle = scene.paint.ink3
  for (let turn = first; turn < end; turn++)
    if (scene.data.role[turn] === USER)
      ctx.fillRect(edge(scene, turn), row.y + row.height - 5, px < 3 ? 0.75 : 1, 5)
}

/** Square root: a threshold of 3 stays visible below a momentum of 500. */
function momentumY(scene: Scene, row: Row, value: number): number {
  const share = Math.sqrt(value / Math.max(1, scene.data.maxMomentum))
  return row.y + row.height - 2 - share * (row.height - 5)
}

function tracePath(ctx: Context, scene: Scene, row: Row): void {
  const { level, first, end } = blocksOf(scene)
  const from = Math.max(0, first - 1)
  const to = Math.min(level.count, end + 1)
  const at = (block: number) =>
    xOf(Math.min(scene.data.turns, (block + 0.5) * level.size), scene.view, scene.width)
  ctx.beginPath()
  for (let block = from; block < to; block++)
    ctx.lineTo(at(block), momentumY(scene, row, level.momentumMax[block] ?? 0))
  if (level.size === 1) return
  // Blocks: the area between lowest and highest, so that no break disappears.
  for (let block = to - 1; block >= from; block--)
    ctx.lineTo(at(block), momentumY(scene, row, level.momentumMin[block] ?? 0))
  ctx.closePath()
}

/** Under the line where momentum is strong: there, outside domains need more to break it. */
function drawStrong(ctx: Context, scene: Scene, row: Row): void {
  const { level, first, end } = blocksOf(scene)
  const base = momentumY(scene, row, scene.data.threshold)
  ctx.save()
  ctx.beginPath()
  ctx.rect(0, row.y, scene.width, base - row.y)
  ctx.clip()
  ctx.beginPath()
  const from = Math.max(0, first - 1)
  const to = Math.min(level.count, end + 1)
  const at = (block: number) =>
    xOf(Math.min(scene.data.turns, (block + 0.5) * level.size), scene.view, scene.width)
  ctx.moveTo(at(from), row.y + row.height)
  for (let block = from; block < to; block++)
    ctx.lineTo(at(block), momentumY(scene, row, level.momentumMax[block] ?? 0))
  ctx.lineTo(at(to - 1), row.y + row.height)
  ctx.fillStyle = scene.paint.accent
  ctx.globalAlpha = 0.16
  ctx.fill()
  ctx.restore()
}

function drawThreshold(ctx: Context, scene: Scene, row: Row): void {
  const y = Math.round(momentumY(scene, row, scene.data.threshold)) + 0.5
  ctx.strokeStyle = scene.paint.warn
  ctx.globalAlpha = 0.8
  ctx.lineWidth = 1
  ctx.setLineDash([3, 4])
  ctx.beginPath()
  ctx.moveTo(0, y)
  ctx.lineTo(scene.width, y)
  ctx.stroke()
  ctx.setLineDash([])
  ctx.globalAlpha = 1
}

/** A dot a turn where they stand far apart: a single turn has no line. */
function drawDots(ctx: Context, scene: Scene, row: Row): void {
  const { level, first, end, px } = blocksOf(scene)
  if (px < 20) return
  ctx.fillStyle = scene.paint.accent
  for (let turn = first; turn < end; turn++) {
    ctx.beginPath()
    const y = momentumY(scene, row, level.momentumMax[turn] ?? 0)
    ctx.arc(middle(scene, turn), y, 2.2, 0, 2 * Math.PI)
    ctx.fill()
  }
}

function drawMomentum(ctx: Context, scene: Scene, row: Row): void {
  const { paint } = scene
  const single = blocksOf(scene).level.size === 1
  if (single) drawStrong(ctx, scene, row)
  tracePath(ctx, scene, row)
  ctx.strokeStyle = ctx.fillStyle = paint.accent
  ctx.lineWidth = single ? 1.6 : 0.75
  ctx.lineJoin = 'round'
  if (!single) {
    ctx.globalAlpha = 0.3
    ctx.fill()
    ctx.globalAlpha = 0.9
  }
  ctx.stroke()
  drawThreshold(ctx, scene, row)
  drawDots(ctx, scene, row)
}

/** The whole session in a strip, the visible part framed. Empty while everything is visible. */
function drawOverview(ctx: Context, scene: Scene, row: Row): void {
  const { data, paint, view, width } = scene
  if (isFit(view, data.turns)) return
  const whole = { ...scene, view: fit(data.turns) }
  const { level } = blocksOf(whole)
  ctx.globalAlpha = 0.6
  for (let block = 0; block < level.count; block++) {
    const x = edge(whole, block * level.size)
    ctx.fillStyle = paint.domain(level.primary[block] ?? -1)
    const right = edge(whole, Math.min(data.turns, (block + 1) * level.size))
    ctx.fillRect(x, row.y + 3, right - x, row.height - 6)
  }
  const from = xOf(view.from, whole.view, width)
  const size = Math.max(10, xOf(view.to, whole.view, width) - from)
  const x = Math.min(width - size, from)
  ctx.fillStyle = paint.panel
  ctx.globalAlpha = 0.62
  ctx.fillRect(0, row.y, x, row.height)
  ctx.fillRect(x + size, row.y, width - x - size, row.height)
  ctx.globalAlpha = 1
  ctx.strokeStyle = paint.ink2
  ctx.lineWidth = 1.25
  ctx.beginPath()
  ctx.roundRect(x + 0.75, row.y + 0.75, size - 1.5, row.height - 1.5, 3.5)
  ctx.stroke()
}

const DRAW: Readonly<Partial<Record<RowKind, (ctx: Context, scene: Scene, row: Row) => void>>> = {
  ruler: drawRuler,
  roles: drawRoles,
  signature: drawSignature,
  marks: drawMarks,
  compare: drawCompare,
  momentum: drawMomentum,
  self: drawSelf,
  query: drawQueries,
  tokens: drawTokens,
  find: drawFound,
  coach: drawVerdicts,
  probe: drawProbe,
  persona: drawPersonas,
  overview: drawOverview,
}

/** Draws everything that does not follow the pointer. */
export function drawBase(ctx: Context, scene: Scene): void {
  ctx.setTransform(scene.dpr, 0, 0, scene.dpr, 0, 0)
  ctx.clearRect(0, 0, scene.width, scene.layout.height)
  ctx.textBaseline = 'middle'
  if (scene.data.turns === 0 || scene.width <= 0) return
  for (const row of scene.layout.rows) DRAW[row.kind]?.(ctx, scene, row)
  drawLanes(ctx, scene)
}
