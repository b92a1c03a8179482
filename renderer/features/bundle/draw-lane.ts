import {
  firstBarFrom,
  shareOf,
  TIERS,
  type TokenBar,
  type TokenLane,
  type TokenMark,
} from './lane.ts'
import type { Row } from '../../timeline/layout.ts'
import type { Context, Scene } from '../../timeline/scene.ts'
import { circle, cross, diamond, paintPath, polygon } from '../../timeline/shapes.ts'
import { pxPerTurn, xOf } from '../../timeline/viewport.ts'

/** Room over the bars for their marks. */
const ABOVE = 9
/** In a low row. */
const LOW = 4
const MARK = 3.6
const WIDEST = 20

/** The lane, and the step that is selected in it. */
export interface Tokens {
  readonly lane: TokenLane
  /** Event of the step. */
  readonly selected: number | null
}

interface Drawn {
  readonly bar: TokenBar
  readonly lane: TokenLane
  readonly x: number
  readonly width: number
  readonly slot: number
  readonly base: number
  readonly room: number
}

function colorOf(scene: Scene, bar: TokenBar, at: number): string {
  if (bar.seq < 0) return scene.paint.ink3
  const tier = TIERS[at]
  return tier === undefined ? scene.paint.ink2 : scene.paint.own(`tier-${tier}`)
}

function yOf({ base, room, lane }: Drawn, tokens: number): number {
  return base - shareOf(tokens, lane.top) * room
}

function drawStack(ctx: Context, scene: Scene, drawn: Drawn): number {
  const { bar, x, width } = drawn
  let tokens = 0
  let below = drawn.base
  bar.stack.forEach((own, at) => {
    if (own === 0) return
    tokens += own
    // Every tier that is there is seen, however small it is.
    const top = Math.min(yOf(drawn, tokens), below - 1)
    const gap = below - top > 2.5 && width >= 4 ? 0.75 : 0
    ctx.fillStyle = colorOf(scene, bar, at)
    ctx.fillRect(x, top, width, below - top - (at === 0 ? 0 : gap))
    below = top
  })
  return below
}

/** Space reserved for the answer, hatched to distinguish it from text. */
function drawReserve(ctx: Context, scene: Scene, drawn: Drawn, from: number): number {
  const { bar, x, width } = drawn
  const top = Math.min(from, yOf(drawn, bar.used + bar.reserve))
  const height = from - top
  if (height < 1) return from
  ctx.strokeStyle = ctx.fillStyle = scene.paint.ink3
  if (width < 4) {
    ctx.globalAlpha = 0.3
    ctx.fillRect(x, top, width, height)
    ctx.globalAlpha = 1
    return top
  }
  ctx.save()
  ctx.beginPath()
  ctx.rect(x, top, width, height)
  ctx.clip()
  ctx.globalAlpha = 0.7
  ctx.lineWidth = 0.8
  ctx.beginPath()
  for (let at = -height; at < width; at += 4) {
    ctx.moveTo(x + at, from)
    ctx.lineTo(x + at + height, top)
  }
  ctx.stroke()
  ctx.restore()
  ctx.globalAlpha = 0.7
  ctx.lineWidth = 1
  ctx.strokeRect(x + 0.5, top + 0.5, width - 1, Math.max(0, height - 0.5))
  ctx.globalAlpha = 1
  return top
}

/** The limit of a bar, as wide as its slot. A small tip marks a limit beyond the scale. */
function drawLimit(ctx: Context, scene: Scene, drawn: Drawn): void {
  const { bar, lane, slot } = drawn
  if (bar.limit <= 0) return
  const beyond = bar.limit > lane.top
  const y = Math.round(yOf(drawn, bar.limit)) - 0.5
  const half = Math.min(slot / 2 - 1, 34)
  if (half <= 0) return
  const middle = drawn.x + drawn.width / 2
  ctx.strokeStyle = scene.paint.warn
  ctx.globalAlpha = beyond ? 0.55 : 0.95
  ctx.lineWidth = 1
  ctx.setLineDash(beyond ? [2, 3] : [])
  ctx.beginPath()
  ctx.moveTo(middle - half, y)
  ctx.lineTo(middle + half, y)
  ctx.stroke()
  ctx.setLineDash([])
  if (beyond && half > 9) {
    ctx.beginPath()
    ctx.moveTo(middle + half - 6, y - 1.5)
    ctx.lineTo(middle + half - 3, y - 5)
    ctx.lineTo(middle + half, y - 1.5)
    ctx.stroke()
  }
  ctx.globalAlpha = 1
}

const triangle = polygon(-MARK, -MARK + 0.6, MARK, -MARK + 0.6, 0, MARK - 0.4)

const SHAPES: Readonly<
  Record<Exclude<TokenMark, 'none'>, (ctx: Context, x: number, y: number) => void>
> = {
  cut: triangle,
  real: triangle,
  over: cross(MARK),
  problem: (ctx, x, y) => {
    circle(MARK)(ctx, x, y)
    ctx.moveTo(x - 2.5, y + 2.5)
    ctx.lineTo(x + 2.5, y - 2.5)
  },
  differs: diamond(MARK),
}

function markColor(scene: Scene, mark: TokenMark): string {
  if (mark === 'over' || mark === 'problem') return scene.paint.bad
  return mark === 'differs' ? scene.paint.accent : scene.paint.warn
}

function drawMark(ctx: Context, scene: Scene, { bar, x, width }: Drawn, top: number): void {
  const { mark } = bar
  if (mark === 'none') return
  const color = (ctx.fillStyle = markColor(scene, mark))
  if (width < 4) {
    ctx.fillRect(x - 0.5, top - 4, Math.max(2, width), 3)
    return
  }
  const line = mark === 'cut' ? {} : { line: 1.5 }
  paintPath(ctx, () => SHAPES[mark](ctx, x + width / 2, top - MARK - 2.5), { color, ...line })
}

/** A step without a bundle: an empty, dashed place. */
function drawNothing(ctx: Context, scene: Scene, { x, width, base, room }: Drawn): number {
  const top = base - Math.min(16, room * 0.5)
  ctx.strokeStyle = scene.paint.bad
  ctx.lineWidth = 1
  ctx.setLineDash([2, 2])
  ctx.strokeRect(x + 0.5, top + 0.5, Math.max(1, width - 1), base - top - 1)
  ctx.setLineDash([])
  return top
}

function drawSelected(ctx: Context, scene: Scene, drawn: Drawn, row: Row): void {
  ctx.strokeStyle = scene.paint.accent
  ctx.lineWidth = 1.5
  ctx.beginPath()
  const wide = Math.max(drawn.width, 5) + 8
  ctx.roundRect(drawn.x + drawn.width / 2 - wide / 2, row.y + 0.75, wide, row.height - 0.5, 3.5)
  ctx.stroke()
}

/** Bars that are narrower than a pixel share it: the one that matters most is drawn. */
function visible(scene: Scene, lane: TokenLane): readonly TokenBar[] {
  const { view, width } = scene
  const from = firstBarFrom(lane.bars, view.from - 1)
  const end = firstBarFrom(lane.bars, view.to + 1)
  if (end - from <= width) return lane.bars.slice(from, end)
  const kept = new Map<number, TokenBar>()
  for (let at = from; at < end; at++) {
    const bar = lane.bars[at]
    if (bar === undefined) continue
    const pixel = Math.round(xOf(bar.position, view, width))
    const other = kept.get(pixel)
    if (other === undefined || worse(bar, other)) kept.set(pixel, bar)
  }
  return [...kept.values()]
}

const RANK: readonly TokenMark[] = ['none', 'differs', 'real', 'cut', 'over', 'problem']

function worse(bar: TokenBar, than: TokenBar): boolean {
  const by = RANK.indexOf(bar.mark) - RANK.indexOf(than.mark)
  return by === 0 ? bar.used > than.used : by > 0
}

/** Tokens of every step and every composed prompt, against their limits. */
export function drawTokens(ctx: Context, scene: Scene, row: Row, tokens: Tokens): void {
  const { lane, selected } = tokens
  const base = row.y + row.height - 1
  ctx.fillStyle = scene.paint.line
  ctx.fillRect(0, base, scene.width, 1)
  const px = pxPerTurn(scene.view, scene.width)
  for (const bar of visible(scene, lane)) {
    const slot = bar.slot * px
    const width = Math.max(1, Math.min(bar.seq < 0 ? WIDEST / 2 : WIDEST, Math.round(slot * 0.6)))
    const x = Math.round(xOf(bar.position, scene.view, scene.width) - width / 2)
    const room = row.height - (row.height < 30 ? LOW : ABOVE) - 1
    const drawn: Drawn = { bar, lane, x, width, slot, base, room }
    const stack = bar.mark === 'problem' ? drawNothing(ctx, scene, drawn) : null
    const top = stack ?? drawReserve(ctx, scene, drawn, drawStack(ctx, scene, drawn))
    drawLimit(ctx, scene, drawn)
    drawMark(ctx, scene, drawn, top)
    if (bar.seq >= 0 && bar.seq === selected) drawSelected(ctx, scene, drawn, row)
  }
}
