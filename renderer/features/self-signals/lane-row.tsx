import type { ResponseColumns } from '../../../core/engine/schema/answer-columns.ts'
import { SelfSignalType } from '../../../core/engine/schema/self-signal.ts'
import { valueOf } from '../../app/async-data.ts'
import { useApp } from '../../app/use-store.ts'
import { type LabelProps, LaneValue, lane } from '../../timeline/lane.tsx'
import type { Row } from '../../timeline/layout.ts'
import {
  type Context,
  type Drawn,
  type Scene,
  SHAPE_PX,
  blocksOf,
  eachBlock,
} from '../../timeline/scene.ts'
import { circle, diamond, polygon } from '../../timeline/shapes.ts'
import {
  type SelfBlock,
  type SelfLane,
  ALERTS,
  SELF_WORDS,
  selfBlock,
  selfLane,
  selfWords,
} from './lane.ts'

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

/** The agent's self-signals. An agent without signals has an empty line. */
function drawSelf(ctx: Context, scene: Scene, row: Row, lane: SelfLane): void {
  ctx.fillStyle = scene.paint.line
  ctx.fillRect(0, row.y + row.height - 1, scene.width, 1)
  const draw = blocksOf(scene).px >= SHAPE_PX ? drawMark : drawBar
  const sumUp = (from: number, to: number) => selfBlock(lane, from, to)
  eachBlock(scene, sumUp, (drawn) => drawAlert(ctx, scene, row, drawn))
  eachBlock(scene, sumUp, (drawn) => draw(ctx, scene, row, drawn))
}

/** Name of the lane of self-signals; for an agent that emits none, that it emits none. */
function Label({ data, told }: LabelProps<SelfLane>) {
  if (data.emitted === 0)
    return (
      <span
        className="tl-name quiet"
        title="This agent says nothing about its own state: that is how it works, not a fault"
      >
        no self-signals
      </span>
    )
  const turn = told?.turn ?? -1
  const signal = SelfSignalType.options[data.signal[turn] ?? -1]
  return (
    <>
      <span
        className="tl-name"
        title="What the agent says about its own state: shape and colour by type, height by confidence, hollow with diagnostics. Red bar: going in circles. Amber bar: silent, or a fallback"
      >
        self-signals
      </span>
      {!signal && ALERTS[data.alert[turn] ?? 0] === 'fallback' && (
        <span className="tl-value tl-alert">silent</span>
      )}
      {signal && (
        <LaneValue
          title={selfWords(data, turn)}
          color={`--self-${signal}`}
          sign={SELF_WORDS[signal].sign}
          value={(data.confidence[turn] ?? 0).toFixed(2)}
        />
      )}
    </>
  )
}

/** Height of the lane: an agent that emits no self-signals has one quiet line. */
export function selfHeight({ emitted, flawed, alert }: SelfLane): number {
  const shows = emitted > 0 || flawed.includes(1) || alert.some((one) => one > 0)
  return shows ? 28 : 13
}

/** Lane of the agent's statements about its own state. */
export const selfSignalsLane = lane<SelfLane, ResponseColumns>({
  id: 'self',
  place: 'below',
  useSource: () => useApp(({ session }) => valueOf(session.answers)?.responses ?? null),
  prepare: ({ source }, responses) =>
    responses.seq.length > 0 ? selfLane(source.columns.seq, responses) : null,
  size: (data) => ({ height: selfHeight(data), gap: 3, drop: 4.4 }),
  draw: drawSelf,
  Label,
  term: 'answer',
  words: selfWords,
  isOptional: true,
  legend: {
    name: 'self-signals',
    signs: { color: 'self', looks: SELF_WORDS },
    text: 'What the agent says of itself: the higher, the surer; hollow with diagnostics. A red bar: going in circles. An amber bar: silent, or a fallback.',
  },
})
