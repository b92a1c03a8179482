import { EVENT_CODES } from '../../core/engine/schema/replay.ts'
import { blockRange, blockSize, type Level } from './bins.ts'
import type { Layout } from './layout.ts'
import type { Paint } from './paint.ts'
import type { Prepared } from './use-prepared.ts'
import { pxPerTurn, xOf, type Viewport } from './viewport.ts'

/** Input of the canvas layers. Lengths are in CSS pixels; the context is scaled by `dpr`. */
export interface Scene extends Pick<Prepared, 'data' | 'levels' | 'runs'> {
  readonly layout: Layout
  readonly view: Viewport
  readonly width: number
  readonly dpr: number
  readonly paint: Paint
}

export type Context = CanvasRenderingContext2D

/** Positions for marks of a block: blocks at this zoom, `[first, end)`, and the nominal width of one in pixels. */
export function blocksOf(scene: Scene) {
  const size = blockSize(scene.view, scene.width)
  const [first, end] = blockRange(scene.view, size, scene.data.turns)
  return { level: scene.levels(size), first, end, px: pxPerTurn(scene.view, scene.width) * size }
}

/** Left edge and width of a block on the canvas. */
export function boxOf(scene: Scene, { size }: Pick<Level, 'size'>, block: number) {
  const x = edge(scene, block * size)
  return { x, width: edge(scene, Math.min(scene.data.turns, (block + 1) * size)) - x }
}

/** A block of turns on the canvas, with a lane's summary of it. */
export interface Drawn<Block> {
  readonly x: number
  /** At least one device pixel. */
  readonly width: number
  readonly middle: number
  readonly block: Block
}

/** Visits the blocks in view: `sumUp` gets the turns `[from, to)` of each, null = nothing to draw. */
export function eachBlock<Block>(
  scene: Scene,
  sumUp: (from: number, to: number) => Block | null,
  visit: (drawn: Drawn<Block>) => void,
): void {
  const { level, first, end } = blocksOf(scene)
  for (let at = first; at < end; at++) {
    const from = at * level.size
    const to = Math.min(scene.data.turns, from + level.size)
    const block = sumUp(from, to)
    if (block === null) continue
    const x = edge(scene, from)
    const width = Math.max(1 / scene.dpr, edge(scene, to) - x)
    visit({ x, width, middle: middle(scene, (from + to - 1) / 2), block })
  }
}

/** Left edge of a turn position, on a device pixel so that neighbours meet without a seam. */
export function edge(scene: Scene, position: number): number {
  return Math.round(xOf(position, scene.view, scene.width) * scene.dpr) / scene.dpr
}

export function middle(scene: Scene, turn: number): number {
  return xOf(turn + 0.5, scene.view, scene.width)
}

/** Keeps a centred label of this width inside the plot. */
export function inside(x: number, labelWidth: number, width: number): number {
  return Math.min(width - labelWidth / 2 - 1, Math.max(labelWidth / 2 + 1, x))
}

/** Space between the cells of neighbouring blocks. */
export function cellGap(px: number): number {
  if (px < 3) return 0
  return px < 10 ? 1 : 2
}

/** Height of a bar for a share of turns: the root, so that one break among hundreds is still seen. */
export function shareHeight(share: number, room: number): number {
  return share <= 0 ? 0 : Math.max(1.5, Math.sqrt(share) * room)
}

/** Cells have room for shapes (outline, dot, ring) from this width on. */
export const SHAPE_PX = 7

export const EVENT = {
  hold: EVENT_CODES.indexOf('hold'),
  resist: EVENT_CODES.indexOf('resist'),
  widen: EVENT_CODES.indexOf('widen'),
  break: EVENT_CODES.indexOf('break'),
} as const
