import {
  personaRuns,
  probeBlock,
  type PersonaRun,
  type ProbeBlock,
  type ProbeLane,
} from './lane.ts'
import type { Row } from '../../timeline/layout.ts'
import {
  blocksOf,
  eachBlock,
  edge,
  middle,
  type Context,
  type Drawn,
  type Scene,
} from '../../timeline/scene.ts'
import { circle, cross, paintPath } from '../../timeline/shapes.ts'

/** Room for the crosses of failures above the highest bar. */
const HEAD = 6
/** Bars are never wider than this: many turns are many bars, few turns no walls. */
const WIDEST = 18
/** A weak hit (L26) is context, no more: paler. */
const WEAK = 0.55

/** [D50] Height of a bar. A similarity of 1 reaches the top, and a hit is always visible. */
export function barHeight(similarity: number, row: Pick<Row, 'height'>): number {
  const room = row.height - HEAD
  return Math.max(2, Math.min(1, Math.max(0, similarity)) * room)
}

type Mark = Drawn<ProbeBlock> & { readonly lane: ProbeLane }
const FAILED = cross(2.4)

function colorOf(scene: Scene, lane: ProbeLane, collection: number): string {
  return lane.styles[collection]?.color[scene.paint.theme] ?? scene.paint.ink3
}

/** Filled = asked now; hollow = from the session's cache. */
function drawBar(ctx: Context, scene: Scene, row: Row, drawn: Mark): void {
  const { block, width, lane } = drawn
  const height = barHeight(block.similarity, row)
  const x = drawn.middle - width / 2
  const y = row.y + row.height - height
  const color = colorOf(scene, lane, block.primary)
  ctx.globalAlpha = block.weak ? WEAK : 1
  ctx.fillStyle = ctx.strokeStyle = color
  if (block.cached && width >= 4) {
    ctx.lineWidth = 1.5
    ctx.strokeRect(x + 0.75, y + 0.75, width - 1.5, height - 1.5)
    ctx.globalAlpha *= 0.18
    ctx.fillRect(x, y, width, height)
  } else ctx.fillRect(x, y, width, height)
  ctx.globalAlpha = 1
  drawCode(ctx, scene, drawn, { y, height })
}

/** The collection's code in its bar, if it fits, so that color is not the only distinction. */
function drawCode(
  ctx: Context,
  scene: Scene,
  { lane, block, middle: x, width }: Mark,
  { y, height }: Pick<Row, 'y' | 'height'>,
): void {
  const style = lane.styles[block.primary]
  if (!style || width < 9 || height < 12) return
  ctx.font = `700 8.5px ${scene.paint.font}`
  const size = ctx.measureText(style.code).width
  if (size > width - 2) return
  ctx.fillStyle = block.cached || block.weak ? scene.paint.ink : scene.paint.panel
  ctx.fillText(style.code, x - size / 2, y + 7)
}

/** Probed and nothing hit: a dash. Skipped: a tick. Failed: a red cross above. */
function drawOther(ctx: Context, scene: Scene, row: Row, { block, middle: x }: Mark): void {
  const base = row.y + row.height
  ctx.fillStyle = scene.paint.ink3
  if (block.similarity === 0 && block.probed) ctx.fillRect(x - 2.5, base - 2, 5, 1.5)
  else if (!block.probed) ctx.fillRect(x - 0.5, base - 4, 1, 4)
  if (!block.failed) return
  paintPath(ctx, () => FAILED(ctx, x, row.y + 3.5), { color: scene.paint.bad, line: 1.5 })
}

/** Hits of the probe: height is the similarity, colour the collection. */
export function drawProbe(ctx: Context, scene: Scene, row: Row, lane: ProbeLane): void {
  ctx.fillStyle = scene.paint.line2
  ctx.fillRect(0, row.y + row.height, scene.width, 1 / scene.dpr)
  const { px } = blocksOf(scene)
  const width = Math.max(1 / scene.dpr, Math.min(WIDEST, px - (px > 4 ? 2 : 0)))
  const sumUp = (from: number, to: number) => {
    const block = probeBlock(lane, from, to)
    return block.any ? block : null
  }
  eachBlock(scene, sumUp, (drawn) => {
    const mark = { ...drawn, width, lane }
    if (drawn.block.similarity > 0) drawBar(ctx, scene, row, mark)
    drawOther(ctx, scene, row, mark)
  })
}

/** Position of the first crossed ring of a run. The run's name must end before it. */
function firstRefusal(scene: Scene, lane: ProbeLane, { from, to }: PersonaRun): number {
  const at = lane.refused.subarray(from, to).indexOf(1)
  return at < 0 ? Infinity : middle(scene, from + at)
}

interface LaneRun {
  readonly lane: ProbeLane
  readonly run: PersonaRun
}

function drawRun(ctx: Context, scene: Scene, row: Row, { lane, run }: LaneRun): void {
  const x = Math.max(-2, edge(scene, run.from))
  const right = Math.min(scene.width + 2, edge(scene, run.to))
  if (right <= 0 || x >= scene.width) return
  const color = colorOf(scene, lane, lane.broughtBy[run.persona] ?? -1)
  ctx.fillStyle = color
  ctx.globalAlpha = scene.paint.tint
  ctx.fillRect(x, row.y, Math.max(1, right - x), row.height)
  ctx.globalAlpha = 1
  // A switch is an edge in full colour.
  ctx.fillRect(x, row.y, 2, row.height)
  const name = lane.personas[run.persona] ?? ''
  ctx.font = `10px ${scene.paint.font}`
  const from = Math.max(0, x) + 6
  const until = Math.min(right, firstRefusal(scene, lane, run) - 6)
  if (ctx.measureText(name).width + 4 > until - from) return
  ctx.fillStyle = scene.paint.ink2
  ctx.fillText(name, from, row.y + row.height / 2 + 0.5)
}

/** [L26] Marks a refused switch with an amber bar and a stroke through the band. */
function drawRefused(ctx: Context, scene: Scene, row: Row, turn: number): void {
  const x = middle(scene, turn)
  if (x < 0 || x > scene.width) return
  const y = row.y + row.height / 2
  paintPath(ctx, () => circle(5.4)(ctx, x, y), { color: scene.paint.panel })
  const ring = () => {
    circle(4)(ctx, x, y)
    ctx.moveTo(x - 2.8, y + 2.8)
    ctx.lineTo(x + 2.8, y - 2.8)
  }
  paintPath(ctx, ring, { color: scene.paint.warn, line: 1.5 })
}

/** Draws the persona in force, its changes, and refused changes. */
export function drawPersonas(ctx: Context, scene: Scene, row: Row, lane: ProbeLane): void {
  ctx.fillStyle = scene.paint.line
  ctx.fillRect(0, row.y + row.height / 2, scene.width, 1 / scene.dpr)
  for (const run of personaRuns(lane)) drawRun(ctx, scene, row, { lane, run })
  for (let turn = 0; turn < lane.refused.length; turn++)
    if (lane.refused[turn] === 1) drawRefused(ctx, scene, row, turn)
}
