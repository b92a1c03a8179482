import { positionAt, type Viewport } from './viewport.ts'

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
