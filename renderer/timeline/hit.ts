import { EVENT_CODES } from '../../core/engine/schema/replay.ts'
import type { TimelineData } from './data.ts'
import { rowAt, type Layout, type Row } from './lanes.ts'
import { positionAt, type Viewport } from './viewport.ts'

export interface Hit {
  readonly turn: number
  readonly row: Row | null
  /** The mark under the pointer: an event on the marks row, a flip on the compare row. */
  readonly mark: (typeof EVENT_CODES)[number] | 'flip' | null
}

/** The turn under a pixel; null outside the session. */
export function turnAt(x: number, view: Viewport, width: number, turns: number): number | null {
  const turn = Math.floor(positionAt(x, view, width))
  return turn < 0 || turn >= turns ? null : turn
}

/** The same, stopping at the first and last turn (for dragging beyond the edge); null without turns. */
export function nearestTurn(
  x: number,
  view: Viewport,
  width: number,
  turns: number,
): number | null {
  if (turns === 0) return null
  return Math.min(turns - 1, Math.max(0, Math.floor(positionAt(x, view, width))))
}

function markAt(row: Row | null, turn: number, data: TimelineData): Hit['mark'] {
  if (row?.kind === 'compare') return data.flip[turn] === 1 ? 'flip' : null
  if (row?.kind !== 'marks') return null
  const event = EVENT_CODES[data.event[turn] ?? 0] ?? 'same'
  return event === 'same' || event === 'accept' ? null : event
}

export interface Place {
  readonly x: number
  readonly y: number
  readonly view: Viewport
  readonly width: number
}

/** What is under a pixel of the plot. */
export function hit(place: Place, layout: Layout, data: TimelineData): Hit | null {
  const turn = turnAt(place.x, place.view, place.width, data.turns)
  if (turn === null) return null
  const row = rowAt(layout, place.y)
  return { turn, row, mark: markAt(row, turn, data) }
}
