import { segmentColor } from '../../views/prompt/segment-color.ts'
import type { Row } from '../../timeline/layout.ts'
import type { Context, Scene } from '../../timeline/scene.ts'
import { cross, paintPath, polygon } from '../../timeline/shapes.ts'
import { pxPerTurn, xOf } from '../../timeline/viewport.ts'
import {
  type CallBar,
  type ContextLane,
  type Reason,
  layerLook,
  layersOf,
  visibleBars,
} from './lane.ts'

/** Room above the columns for marks. */
const ABOVE = 9
const MARK = 3.4
const WIDEST = 28

interface Drawn {
  readonly bar: CallBar
  readonly x: number
  readonly width: number
  readonly slot: number
  readonly yOf: (tokens: number) => number
}

function drawLayers(
  ctx: Context,
  { bar, x, width, yOf }: Drawn,
  tokens: readonly number[],
  colors: readonly string[],
): void {
  let sum = 0
  let below = yOf(0)
  for (const [layer, own] of tokens.entries()) {
    if (own === 0) continue
    sum += own
    const top = yOf(sum)
    ctx.fillStyle = colors[layer] ?? ''
    ctx.fillRect(x, top, width, below - top)
    below = top
  }
  // A call with few tokens is seen too.
  if (bar.total > 0 && yOf(0) - below < 1) ctx.fillRect(x, yOf(0) - 1, width, 1)
}

/** The window over a column. A line of dashes at the top is a window beyond the scale. */
function drawWindow(ctx: Context, scene: Scene, drawn: Drawn, top: number): void {
  const { bar, x, width, slot, yOf } = drawn
  if (bar.window <= 0) return
  const isBeyond = bar.window > top
  const y = Math.round(yOf(Math.min(bar.window, top))) - 0.5
  const half = Math.max(width, slot) / 2
  ctx.strokeStyle = scene.paint.warn
  ctx.globalAlpha = isBeyond ? 0.5 : 0.95
  ctx.lineWidth = 1
  ctx.setLineDash(isBeyond ? [2, 3] : [])
  ctx.beginPath()
  ctx.moveTo(x + width / 2 - half, y)
  ctx.lineTo(x + width / 2 + half, y)
  ctx.stroke()
  ctx.setLineDash([])
  ctx.globalAlpha = 1
}

const triangle = polygon(-MARK, -MARK + 0.6, MARK, -MARK + 0.6, 0, MARK - 0.4)
const CUTS: Readonly<
  Record<
    Reason,
    {
      readonly shape: (ctx: Context, x: number, y: number) => void
      readonly line?: number
    }
  >
> = {
  compacted: { shape: triangle },
  cleared: { shape: cross(MARK - 0.4), line: 1.6 },
  shrank: { shape: triangle, line: 1.4 },
}

/** A line across the lane on the left of the first call behind the cut, with the shape of its reason. */
function drawCut(ctx: Context, scene: Scene, row: Row, { bar, x }: Drawn): void {
  if (bar.cut === null) return
  const { shape, line } = CUTS[bar.cut.reason]
  const color = scene.paint.own(`cut-${bar.cut.reason}`)
  const at = Math.round(x) - 0.5
  ctx.strokeStyle = color
  ctx.lineWidth = 1
  ctx.setLineDash([3, 2])
  ctx.beginPath()
  ctx.moveTo(at, row.y + ABOVE)
  ctx.lineTo(at, row.y + row.height)
  ctx.stroke()
  ctx.setLineDash([])
  const own = line === undefined ? { color } : { color, line }
  paintPath(ctx, () => shape(ctx, at, row.y + ABOVE / 2), own)
}

/** [X15] Columns of layers of all calls in view. */
export function drawContext(ctx: Context, scene: Scene, row: Row, lane: ContextLane): void {
  const { columns, top } = lane
  const base = row.y + row.height - 1
  const room = row.height - ABOVE - 1
  const { view, width: wide } = scene
  const colors = columns.layers.map((name, layer) => {
    const look = layerLook(name, layer)
    return typeof look === 'number' ? segmentColor(look, scene.paint.theme) : scene.paint[look]
  })
  ctx.fillStyle = scene.paint.line
  ctx.fillRect(0, base, scene.width, 1)
  const px = pxPerTurn(view, wide)
  const pixelOf = (position: number) => Math.round(xOf(position, view, wide))
  for (const bar of visibleBars(lane, view, pixelOf, wide)) {
    const slot = bar.slot * px
    const gap = slot >= 4 ? 1 : 0
    const width = Math.max(1, Math.min(WIDEST, slot - gap))
    const drawn: Drawn = {
      bar,
      slot,
      width,
      x: xOf(bar.position, view, wide) - width / 2,
      yOf: (tokens) => base - (Math.min(tokens, top) / top) * room,
    }
    drawLayers(ctx, drawn, layersOf(columns, bar.nth), colors)
    drawWindow(ctx, scene, drawn, top)
    drawCut(ctx, scene, row, drawn)
  }
}
