import { EVENT_CODES } from '../../core/engine/schema/replay.ts'
import { blockRange, blockSize, type Level, type Levels } from './bins.ts'
import type { TokenLane } from '../features/bundle/lane.ts'
import type { TimelineData } from './data.ts'
import type { Layout } from './lanes.ts'
import type { CoachLane } from '../features/coach/lane.ts'
import type { OracleLanes } from '../features/self-signals/lanes.ts'
import type { Paint } from './paint.ts'
import type { ProbeLane } from '../features/probe/lane.ts'
import type { SignatureRun } from './runs.ts'
import { pxPerTurn, xOf, type Viewport } from './viewport.ts'

/** What the canvas layers draw from. Lengths in CSS pixels; the context is scaled by `dpr`. */
export interface Scene {
  readonly data: TimelineData
  readonly levels: Levels
  readonly runs: readonly SignatureRun[]
  /** Null while self-signals and queries are not known. */
  readonly oracle: OracleLanes | null
  /** Null where there is no prompt. */
  readonly tokens: TokenLane | null
  /** Event of the selected step. */
  readonly step: number | null
  /** Turns where find found something, rising; null while nothing is looked for. */
  readonly found: Int32Array | null
  /** Null while verdicts are not known. */
  readonly coach: CoachLane | null
  /** Null while nothing was probed. */
  readonly probe: ProbeLane | null
  readonly layout: Layout
  readonly view: Viewport
  readonly width: number
  readonly dpr: number
  readonly paint: Paint
}

export type Context = CanvasRenderingContext2D

/** Where marks of a block go: blocks at this zoom, `[first, end)`, and the width of one. */
export interface Blocks {
  readonly level: Level
  readonly first: number
  readonly end: number
  /** Nominal width of one block in pixels. */
  readonly px: number
}

export function blocksOf(scene: Scene): Blocks {
  const size = blockSize(scene.view, scene.width)
  const [first, end] = blockRange(scene.view, size, scene.data.turns)
  return { level: scene.levels(size), first, end, px: pxPerTurn(scene.view, scene.width) * size }
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

/** Cells have room for shapes (outline, dot, ring) from this width on. */
export const SHAPE_PX = 7

export const EVENT = {
  hold: EVENT_CODES.indexOf('hold'),
  resist: EVENT_CODES.indexOf('resist'),
  widen: EVENT_CODES.indexOf('widen'),
  break: EVENT_CODES.indexOf('break'),
} as const
