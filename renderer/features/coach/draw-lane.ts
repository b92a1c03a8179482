import { OutputType } from '../../../core/engine/schema/coach.ts'
import { coachBlock, type CoachBlock, type CoachLane } from './lane.ts'
import type { Row } from '../../timeline/lanes.ts'
import { blocksOf, edge, middle, SHAPE_PX, type Context, type Scene } from '../../timeline/scene.ts'
import { strokeCross } from '../../timeline/shapes.ts'

type Path = (ctx: Context, x: number, y: number) => void

function polygon(ctx: Context, points: ReadonlyArray<readonly [number, number]>): void {
  for (const [x, y] of points) ctx.lineTo(x, y)
  ctx.closePath()
}

/** Shape as well as colour: the signs of VERDICT_WORDS. */
const SHAPES: Readonly<Record<OutputType, Path>> = {
  question: (ctx, x, y) =>
    polygon(ctx, [
      [x, y - 4],
      [x + 4, y],
      [x, y + 4],
      [x - 4, y],
    ]),
  status: (ctx, x, y) => ctx.arc(x, y, 2.9, 0, 2 * Math.PI),
  completion: (ctx, x, y) => ctx.rect(x - 3, y - 3, 6, 6),
  blocker: (ctx, x, y) =>
    polygon(ctx, [
      [x, y - 3.8],
      [x + 4, y + 3.2],
      [x - 4, y + 3.2],
    ]),
  error: (ctx, x, y) => {
    for (const [dx, dy] of [
      [3, 3],
      [3, -3],
    ] as const) {
      ctx.moveTo(x - dx, y - dy)
      ctx.lineTo(x + dx, y + dy)
    }
  },
}

/** Drawn as lines: a hollow ring for what is sent back, a cross for an error. */
const STROKED: ReadonlySet<OutputType> = new Set(['status', 'error'])
/** Strength of marks after which the agent went on by itself: nobody was asked there. */
const WENT_ON = 0.45
/** Height of the marks at the bottom: disagreement and failure. */
const FOOT = 7

/** Middle of a mark: what passes is above, what is sent back below. */
export function verdictY(row: Pick<Row, 'y' | 'height'>, back: boolean): number {
  const room = row.height - FOOT
  return row.y + room * (back ? 0.75 : 0.25)
}

interface Drawn {
  readonly x: number
  readonly width: number
  readonly middle: number
  readonly block: CoachBlock
}

/** Disagreement: an amber diamond. Failure: a red cross. One beside the other when both. */
function drawFoot(ctx: Context, scene: Scene, row: Row, drawn: Drawn): void {
  const { block } = drawn
  const y = row.y + row.height - 3.2
  const apart = block.disagrees && block.failed ? 3 : 0
  if (block.disagrees) {
    ctx.fillStyle = scene.paint.warn
    ctx.beginPath()
    const x = drawn.middle - apart
    polygon(ctx, [
      [x, y - 2.6],
      [x + 2.6, y],
      [x, y + 2.6],
      [x - 2.6, y],
    ])
    ctx.fill()
  }
  if (!block.failed) return
  ctx.strokeStyle = scene.paint.bad
  ctx.lineWidth = 1.4
  strokeCross(ctx, drawn.middle + apart, y, 2.1)
}

function drawShape(
  ctx: Context,
  scene: Scene,
  row: Row,
  { type, x }: { readonly type: OutputType; readonly x: number },
): void {
  const y = verdictY(row, type === 'status')
  ctx.fillStyle = ctx.strokeStyle = scene.paint.verdict(type)
  ctx.lineWidth = 1.7
  ctx.beginPath()
  SHAPES[type](ctx, x, y)
  if (STROKED.has(type)) ctx.stroke()
  else ctx.fill()
}

/** One turn: the shape of its last output; a ring below when another one was sent back. */
function drawMark(ctx: Context, scene: Scene, row: Row, drawn: Drawn): void {
  const { block, middle: x } = drawn
  const type = OutputType.options[block.type]
  if (type !== undefined) drawShape(ctx, scene, row, { type, x })
  if (block.back > 0) drawShape(ctx, scene, row, { type: 'status', x })
  drawFoot(ctx, scene, row, drawn)
}

/** Too narrow for shapes: above, what passes in the colour of most; below, how many are sent back. */
function drawBar(ctx: Context, scene: Scene, row: Row, drawn: Drawn): void {
  const { block, x } = drawn
  const width = Math.max(1 / scene.dpr, drawn.width - (drawn.width > 3 ? 1 : 0))
  const half = (row.height - FOOT) / 2
  const type = OutputType.options[block.type]
  const part = (share: number) => Math.max(2, Math.sqrt(share) * (half - 1))
  if (type !== undefined && block.count > block.back) {
    const height = part((block.count - block.back) / block.count)
    ctx.fillStyle = scene.paint.verdict(type)
    ctx.fillRect(x, row.y + half - height, width, height)
  }
  if (block.back > 0) {
    ctx.fillStyle = scene.paint.verdict('status')
    ctx.fillRect(x, row.y + half + 1, width, part(block.back / block.count))
  }
  if (block.disagrees) {
    ctx.fillStyle = scene.paint.warn
    ctx.fillRect(x, row.y + row.height - 5, width, 2)
  }
  if (!block.failed) return
  ctx.fillStyle = scene.paint.bad
  ctx.fillRect(x, row.y + row.height - 2, width, 2)
}

function eachBlock(scene: Scene, lane: CoachLane, visit: (drawn: Drawn) => void): void {
  const { level, first, end } = blocksOf(scene)
  for (let at = first; at < end; at++) {
    const from = at * level.size
    const to = Math.min(scene.data.turns, from + level.size)
    const block = coachBlock(lane, from, to)
    if (block.count === 0) continue
    const x = edge(scene, from)
    visit({ x, width: edge(scene, to) - x, middle: middle(scene, (from + to - 1) / 2), block })
  }
}

/** What the coach says of the agent's outputs: above the line it passes, below it goes back. */
export function drawVerdicts(ctx: Context, scene: Scene, row: Row): void {
  const lane = scene.coach
  if (lane === null) return
  ctx.fillStyle = scene.paint.line
  ctx.fillRect(0, Math.round(row.y + (row.height - FOOT) / 2), scene.width, 1 / scene.dpr)
  const draw = blocksOf(scene).px >= SHAPE_PX ? drawMark : drawBar
  eachBlock(scene, lane, (drawn) => {
    ctx.globalAlpha = drawn.block.wentOn ? WENT_ON : 1
    draw(ctx, scene, row, drawn)
  })
  ctx.globalAlpha = 1
}
