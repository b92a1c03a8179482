import { QueryType } from '../../../core/engine/schema/query.ts'
import { SelfSignalType } from '../../../core/engine/schema/self-signal.ts'
import type { Row } from '../../timeline/lanes.ts'
import { ALERTS, oracleBlock, QUERY_LETTERS, type OracleBlock, type OracleLanes } from './lanes.ts'
import {
  blocksOf,
  edge,
  middle,
  SHAPE_PX,
  type Blocks,
  type Context,
  type Scene,
} from '../../timeline/scene.ts'

type Path = (ctx: Context, x: number, y: number) => void

function polygon(ctx: Context, points: ReadonlyArray<readonly [number, number]>): void {
  for (const [x, y] of points) ctx.lineTo(x, y)
  ctx.closePath()
}

/** Shape as well as colour: the signs of SELF_WORDS. */
const SHAPES: Readonly<Record<SelfSignalType, Path>> = {
  need_turn: (ctx, x, y) =>
    polygon(ctx, [
      [x - 3, y - 3.6],
      [x + 3.8, y],
      [x - 3, y + 3.6],
    ]),
  context_sufficient: (ctx, x, y) => ctx.arc(x, y, 3.5, 0, 2 * Math.PI),
  stuck: (ctx, x, y) => {
    const arm = 3.6
    const w = 1.2
    polygon(ctx, [
      [x - arm, y - arm + w],
      [x - arm + w, y - arm],
      [x, y - w],
      [x + arm - w, y - arm],
      [x + arm, y - arm + w],
      [x + w, y],
      [x + arm, y + arm - w],
      [x + arm - w, y + arm],
      [x, y + w],
      [x - arm + w, y + arm],
      [x - arm, y + arm - w],
      [x - w, y],
    ])
  },
  need_capability: (ctx, x, y) =>
    polygon(ctx, [
      [x, y - 4.2],
      [x + 4.2, y],
      [x, y + 4.2],
      [x - 4.2, y],
    ]),
  partial_answer: (ctx, x, y) => {
    ctx.arc(x, y, 3.7, Math.PI / 2, (3 * Math.PI) / 2)
    ctx.closePath()
  },
  delegation_recommended: (ctx, x, y) =>
    polygon(ctx, [
      [x - 3.8, y - 3],
      [x + 3.8, y - 3],
      [x, y + 3.8],
    ]),
}

/** Room for the shape above the highest value, and for the bar of alerts below the lowest. */
const ABOVE = 4.5
const BELOW = 7

/** Middle of the mark of a confidence: the higher, the surer. */
export function confidenceY(row: Pick<Row, 'y' | 'height'>, confidence: number): number {
  const room = Math.max(0, row.height - ABOVE - BELOW)
  return row.y + ABOVE + room * (1 - Math.min(1, Math.max(0, confidence)))
}

interface Drawn {
  readonly x: number
  readonly width: number
  readonly middle: number
  readonly block: OracleBlock
}

function eachBlock(
  scene: Scene,
  lanes: OracleLanes,
  { level, first, end }: Blocks,
  visit: (drawn: Drawn) => void,
): void {
  for (let at = first; at < end; at++) {
    const from = at * level.size
    const to = Math.min(scene.data.turns, from + level.size)
    const x = edge(scene, from)
    const width = Math.max(1 / scene.dpr, edge(scene, to) - x)
    visit({
      x,
      width,
      middle: middle(scene, (from + to - 1) / 2),
      block: oracleBlock(lanes, from, to),
    })
  }
}

function drawAlert(ctx: Context, scene: Scene, row: Row, { x, width, block }: Drawn): void {
  if (block.alert === 0) return
  ctx.fillStyle = ALERTS[block.alert] === 'stuck' ? scene.paint.bad : scene.paint.warn
  ctx.fillRect(x, row.y + row.height - 3, width, 3)
}

/** A stem as high as the confidence, with the shape of the type on it; hollow with diagnostics. */
function drawMark(ctx: Context, scene: Scene, row: Row, drawn: Drawn): void {
  const { block, middle: x } = drawn
  const type = SelfSignalType.options[block.signal]
  if (type === undefined && !block.flawed) return
  const y = confidenceY(row, block.confidence)
  const color = type === undefined ? scene.paint.ink3 : scene.paint.self(type)
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
function drawBar(ctx: Context, scene: Scene, row: Row, drawn: Drawn): void {
  const { block, x, width } = drawn
  const type = SelfSignalType.options[block.signal]
  if (type === undefined) return
  const y = confidenceY(row, block.confidence) - ABOVE
  ctx.fillStyle = scene.paint.self(type)
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
export function drawSelf(ctx: Context, scene: Scene, row: Row): void {
  const lanes = scene.oracle
  if (lanes === null) return
  ctx.fillStyle = scene.paint.line
  ctx.fillRect(0, row.y + row.height - 1, scene.width, 1)
  const blocks = blocksOf(scene)
  const draw = blocks.px >= SHAPE_PX ? drawMark : drawBar
  eachBlock(scene, lanes, blocks, (drawn) => drawAlert(ctx, scene, row, drawn))
  eachBlock(scene, lanes, blocks, (drawn) => draw(ctx, scene, row, drawn))
}

/** Width that a letter in its box needs. */
const LETTER_PX = 13

function drawLetter(ctx: Context, scene: Scene, row: Row, at: { x: number; type: QueryType }) {
  const { x, type } = at
  const size = LETTER_PX - 1
  ctx.fillStyle = scene.paint.query(type)
  ctx.globalAlpha = scene.paint.tint
  ctx.beginPath()
  ctx.roundRect(x - size / 2, row.y, size, row.height, 3)
  ctx.fill()
  ctx.globalAlpha = 1
  ctx.fillStyle = scene.paint.ink
  ctx.font = `600 9.5px ${scene.paint.font}`
  const letter = QUERY_LETTERS[type]
  ctx.fillText(letter, x - ctx.measureText(letter).width / 2, row.y + row.height / 2 + 0.5)
}

/** The type of each message: a letter where it has room, else a bar in its colour. */
export function drawQueries(ctx: Context, scene: Scene, row: Row): void {
  const lanes = scene.oracle
  if (lanes === null) return
  const blocks = blocksOf(scene)
  const found: Array<Drawn & { readonly type: QueryType }> = []
  eachBlock(scene, lanes, blocks, (drawn) => {
    const type = QueryType.options[drawn.block.query]
    if (type !== undefined) found.push({ ...drawn, type })
  })
  found.forEach((one, at) => {
    const before = found[at - 1]?.middle ?? -Infinity
    const after = found[at + 1]?.middle ?? Infinity
    const free = Math.min(one.middle - before, after - one.middle)
    if (blocks.level.size === 1 && free >= LETTER_PX) {
      drawLetter(ctx, scene, row, { x: one.middle, type: one.type })
      return
    }
    ctx.fillStyle = scene.paint.query(one.type)
    const share = one.block.queries / blocks.level.size
    const height = row.height * Math.max(0.5, Math.sqrt(Math.min(1, share)))
    ctx.fillRect(
      one.x,
      row.y + row.height - height,
      Math.max(1, Math.min(one.width - 0.5, 8)),
      height,
    )
  })
}
