import { SelfSignalType } from '../../../core/engine/schema/self-signal.ts'
import type { Row } from '../../timeline/layout.ts'
import {
  blocksOf,
  eachBlock,
  SHAPE_PX,
  type Context,
  type Drawn,
  type Scene,
} from '../../timeline/scene.ts'
import { circle, diamond, polygon } from '../../timeline/shapes.ts'
import { ALERTS, selfBlock, type SelfBlock, type SelfLane } from './lane.ts'

/** Corners of a thick cross, one arm after the other. */
const STUCK = [
  -3.6, -2.4, -2.4, -3.6, 0, -1.2, 2.4, -3.6, 3.6, -2.4, 1.2, 0, 3.6, 2.4, 2.4, 3.6, 0, 1.2, -2.4,
  3.6, -3.6, 2.4, -1.2, 0,
]

/** Shape as well as colour: the signs of SELF_WORDS. */
const SHAPES: Readonly<Record<SelfSignalType, (ctx: Context, x: number, y: number) => void>> = {
  need_turn: polygon(-3, -3.6, 3.8, 0, -3, 3.6),
  context_sufficient: circle(3.5),
  stuck: polygon(...STUCK),
  need_capability: diamond(4.2),
  partial_answer: (ctx, x, y) => {
    ctx.arc(x, y, 3.7, Math.PI / 2, (3 * Math.PI) / 2)
    ctx.closePath()
  },
  delegation_recommended: polygon(-3.8, -3, 3.8, -3, 0, 3.8),
}

/** Room for the shape above the highest value, and for the bar of alerts below the lowest. */
const ABOVE = 4.5
const BELOW = 7

/** Middle of the mark of a confidence: the higher, the surer. */
export function confidenceY(row: Pick<Row, 'y' | 'height'>, confidence: number): number {
  const room = Math.max(0, row.height - ABOVE - BELOW)
  return row.y + ABOVE + room * (1 - Math.min(1, Math.max(0, confidence)))
}

type Mark = Drawn<SelfBlock>

function drawAlert(ctx: Context, scene: Scene, row: Row, { x, width, block }: Mark): void {
  if (block.alert === 0) return
  ctx.fillStyle = ALERTS[block.alert] === 'stuck' ? scene.paint.bad : scene.paint.warn
  ctx.fillRect(x, row.y + row.height - 3, width, 3)
}

/** A stem as high as the confidence, with the shape of the type on it; hollow with diagnostics. */
function drawMark(ctx: Context, scene: Scene, row: Row, drawn: Mark): void {
  const { block, middle: x } = drawn
  const type = SelfSignalType.options[block.signal]
  if (type === undefined && !block.flawed) return
  const y = confidenceY(row, block.confidence)
  const color = type === undefined ? scene.paint.ink3 : scene.paint.own(`self-${type}`)
  ctx.strokeStyle = ctx.fillStyle = color
  ctx.lineWidth = 1
  ctx.globalAlpha = 0.55
  ctx.fillRect(x - 0.5, y, 1, Math.max(0, row.y + row.height - 4 - y))
  ctx.globalAlpha = 1
  ctx.lineWidth = 1.4
  ctx.beginPath()
  if (type === undefined) ctx.rect(x - 2.5, y - 2.5, 5, 5)
  else SHAPES[type](ctx, x, y)
  if (!block.flawed) {
    ctx.fill()
    return
  }
  ctx.fillStyle = scene.paint.panel
  ctx.fill()
  ctx.stroke()
}

/** Too narrow for shapes: a bar as high as the highest confidence, in the colour of most. */
function drawBar(ctx: Context, scene: Scene, row: Row, drawn: Mark): void {
  const { block, x, width } = drawn
  const type = SelfSignalType.options[block.signal]
  if (type === undefined) return
  const y = confidenceY(row, block.confidence) - ABOVE
  ctx.fillStyle = scene.paint.own(`self-${type}`)
  ctx.globalAlpha = block.flawed ? 0.5 : 0.9
  ctx.fillRect(
    x,
    y,
    Math.max(1 / scene.dpr, width - (width > 3 ? 1 : 0)),
    row.y + row.height - 4 - y,
  )
  ctx.globalAlpha = 1
}

/** What the agent said of itself; a quiet agent has a quiet line. */
export function drawSelf(ctx: Context, scene: Scene, row: Row, lane: SelfLane): void {
  ctx.fillStyle = scene.paint.line
  ctx.fillRect(0, row.y + row.height - 1, scene.width, 1)
  const draw = blocksOf(scene).px >= SHAPE_PX ? drawMark : drawBar
  const sumUp = (from: number, to: number) => selfBlock(lane, from, to)
  eachBlock(scene, sumUp, (drawn) => drawAlert(ctx, scene, row, drawn))
  eachBlock(scene, sumUp, (drawn) => draw(ctx, scene, row, drawn))
}
