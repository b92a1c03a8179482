import type { CoachColumns } from '../../../core/engine/schema/coach-wire.ts'
import { OutputType } from '../../../core/engine/schema/coach.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { valueOf } from '../../app/async-data.ts'
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
import { circle, cross, diamond, paintPath, polygon } from '../../timeline/shapes.ts'
import { type CoachBlock, type CoachLane, coachBlock, coachLane, coachWords } from './lane.ts'
import { VERDICT_WORDS } from '../../views/coach/verdict-words.ts'
import { useCoach } from '../../stores/coach/store.ts'

/** Shape as well as colour: the signs of VERDICT_WORDS. */
const SHAPES: Readonly<Record<OutputType, (ctx: Context, x: number, y: number) => void>> = {
  question: diamond(4),
  status: circle(2.9),
  completion: polygon(-3, -3, 3, -3, 3, 3, -3, 3),
  blocker: polygon(0, -3.8, 4, 3.2, -4, 3.2),
  error: cross(3),
}
const DISAGREES = diamond(2.6)
const FAILED = cross(2.1)

/** Types drawn as outlines: a hollow ring for outputs sent back, a cross for an error. */
const STROKED: ReadonlySet<OutputType> = new Set(['status', 'error'])
/** Opacity of marks after which the agent continued without user input, so that no user was asked. */
const WENT_ON = 0.45
/** Height of the marks at the bottom: disagreement and failure. */
const FOOT = 7

/** Center of a mark: above the middle if the output passes, below if it is sent back. */
export function verdictY(row: Pick<Row, 'y' | 'height'>, back: boolean): number {
  const room = row.height - FOOT
  return row.y + room * (back ? 0.75 : 0.25)
}

type Mark = Drawn<CoachBlock>

/** Disagreement: an amber diamond. Failure: a red cross. One beside the other when both. */
function drawFoot(ctx: Context, scene: Scene, row: Row, { block, middle: x }: Mark): void {
  const y = row.y + row.height - 3.2
  const apart = block.disagrees && block.failed ? 3 : 0
  const { warn, bad } = scene.paint
  if (block.disagrees) paintPath(ctx, () => DISAGREES(ctx, x - apart, y), { color: warn })
  if (block.failed) paintPath(ctx, () => FAILED(ctx, x + apart, y), { color: bad, line: 1.4 })
}

interface Shape {
  readonly type: OutputType
  readonly x: number
}

function drawShape(ctx: Context, scene: Scene, row: Row, { type, x }: Shape): void {
  const color = scene.paint.own(`verdict-${type}`)
  const y = verdictY(row, type === 'status')
  const line = STROKED.has(type) ? { line: 1.7 } : {}
  paintPath(ctx, () => SHAPES[type](ctx, x, y), { color, ...line })
}

/** One turn: the shape of its last output; a ring below when another one was sent back. */
function drawMark(ctx: Context, scene: Scene, row: Row, drawn: Mark): void {
  const { block, middle: x } = drawn
  const type = OutputType.options[block.type]
  if (type !== undefined) drawShape(ctx, scene, row, { type, x })
  if (block.back > 0) drawShape(ctx, scene, row, { type: 'status', x })
  drawFoot(ctx, scene, row, drawn)
}

/** Too narrow for shapes: above, what passes in the colour of most; below, how many are sent back. */
function drawBar(ctx: Context, scene: Scene, row: Row, drawn: Mark): void {
  const { block, x } = drawn
  const width = Math.max(1 / scene.dpr, drawn.width - (drawn.width > 3 ? 1 : 0))
  const half = (row.height - FOOT) / 2
  const type = OutputType.options[block.type]
  const part = (share: number) => Math.max(2, Math.sqrt(share) * (half - 1))
  if (type !== undefined && block.count > block.back) {
    const height = part((block.count - block.back) / block.count)
    ctx.fillStyle = scene.paint.own(`verdict-${type}`)
    ctx.fillRect(x, row.y + half - height, width, height)
  }
  if (block.back > 0) {
    ctx.fillStyle = scene.paint.own('verdict-status')
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

/** The coach's verdicts on the agent's outputs: above the line they pass, below it they are sent back. */
function drawVerdicts(ctx: Context, scene: Scene, row: Row, lane: CoachLane): void {
  ctx.fillStyle = scene.paint.line
  ctx.fillRect(0, Math.round(row.y + (row.height - FOOT) / 2), scene.width, 1 / scene.dpr)
  const draw = blocksOf(scene).px >= SHAPE_PX ? drawMark : drawBar
  const sumUp = (from: number, to: number) => {
    const block = coachBlock(lane, from, to)
    return block.count === 0 ? null : block
  }
  eachBlock(scene, sumUp, (drawn) => {
    ctx.globalAlpha = drawn.block.wentOn ? WENT_ON : 1
    draw(ctx, scene, row, drawn)
  })
  ctx.globalAlpha = 1
}

/** Name of the lane, with the verdict of the told turn, else how many were sent back. */
function Label({ data, told }: LabelProps<CoachLane>) {
  const turn = told?.turn ?? -1
  const type = OutputType.options[data.type[turn] ?? -1]
  return (
    <>
      <span
        className="tl-name"
        title="What the coach says of each output of the agent: above the line it passes, a ring below goes back to the agent. ◆ question, ■ completion, ▲ blocker, ✕ error. Amber diamond: rules or runs disagree. Red cross: the model failed. Pale: the agent went on by itself"
      >
        verdicts
      </span>
      {type ? (
        <LaneValue
          title={coachWords(data, turn)}
          color={`--verdict-${type}`}
          sign={VERDICT_WORDS[type].sign}
          value={(data.confidence[turn] ?? 0).toFixed(2)}
        />
      ) : (
        <LaneValue
          title={`${data.back} of ${data.outputs} outputs are sent back`}
          color="--verdict-status"
          sign="○"
          value={`${data.back} of ${data.outputs}`}
        />
      )}
    </>
  )
}

/** Verdicts of the coach on the agent's outputs. */
export const verdictsLane = lane<CoachLane, Immutable<CoachColumns>>({
  id: 'coach',
  place: 'below',
  useSource: () => useCoach((state) => valueOf(state.columns)),
  prepare: ({ source }, columns) =>
    columns.seq.length > 0 ? coachLane(source.columns.seq, columns) : null,
  size: () => ({ height: 27, gap: 4, drop: 4.2 }),
  draw: drawVerdicts,
  Label,
  term: 'verdict',
  words: coachWords,
  isOptional: true,
  legend: {
    name: 'verdicts',
    signs: { color: 'verdict', looks: VERDICT_WORDS },
    text: 'What the coach says of an output: above the line it passes, the ring below goes back to the agent. Amber diamond: rules or runs disagree. Red cross: the model failed.',
  },
})
