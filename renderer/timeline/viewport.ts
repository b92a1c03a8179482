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

/** The visible range of turns as floats: turn i covers [i, i + 1). Pure arithmetic, no DOM. */
export interface Viewport {
  readonly from: number
  readonly to: number
}

/** Closest zoom: this many turns fill the width. A shorter session leaves the rest empty. */
export const MIN_SPAN = 8

/** Length of the whole scale in turns. */
export function fullSpan(turns: number): number {
  return Math.max(turns, MIN_SPAN)
}

export function fit(turns: number): Viewport {
  return { from: 0, to: fullSpan(turns) }
}

export function span(view: Viewport): number {
  return view.to - view.from
}

export function isFit(view: Viewport, turns: number): boolean {
  return span(view) >= fullSpan(turns) - 1e-6
}

/** A range of `length` turns starting at `from`, moved and cut so that it stays inside the session. */
function place(from: number, length: number, turns: number): Viewport {
  const full = fullSpan(turns)
  const width = Math.min(full, Math.max(MIN_SPAN, length))
  const start = Math.min(full - width, Math.max(0, from))
  return { from: start, to: start + width }
}

/** The same range after the session changed its length. */
export function clampTo(view: Viewport, turns: number): Viewport {
  return place(view.from, span(view), turns)
}

/** Moves by a number of turns (may be a fraction), stopping at the ends. */
export function pan(view: Viewport, by: number, turns: number): Viewport {
  return place(view.from + by, span(view), turns)
}

/** Shows 1/factor of the range; the turn position `about` keeps its place on the screen unless an end is met. */
export function zoom(view: Viewport, factor: number, about: number, turns: number): Viewport {
  const length = Math.min(fullSpan(turns), Math.max(MIN_SPAN, span(view) / factor))
  const share = (about - view.from) / span(view)
  return place(about - share * length, length, turns)
}

/** Zoom by button or key: about the selected turn when it is in view, else about the middle. */
export function zoomKeeping(
  view: Viewport,
  factor: number,
  selected: number | null,
  turns: number,
): Viewport {
  const inView = selected !== null && selected >= view.from && selected < view.to
  return zoom(view, factor, inView ? selected + 0.5 : (view.from + view.to) / 2, turns)
}

/** The nearest range of the same length that shows the whole turn with some room on both sides. */
export function ensureVisible(view: Viewport, turn: number, turns: number): Viewport {
  const room = Math.min(span(view) * 0.1, 12)
  if (turn < view.from || turn + 1 > view.to) {
    const jump = turn + 1 < view.from - span(view) || turn > view.to + span(view)
    if (jump) return place(turn + 0.5 - span(view) / 2, span(view), turns)
    const from = turn < view.from ? turn - room : turn + 1 + room - span(view)
    return place(from, span(view), turns)
  }
  return view
}

/** Position of a turn in pixels from the left edge of a plot `width` wide. */
export function xOf(position: number, view: Viewport, width: number): number {
  return ((position - view.from) / span(view)) * width
}

/** The turn position under a pixel; the inverse of `xOf`. */
export function positionAt(x: number, view: Viewport, width: number): number {
  return view.from + (x / Math.max(1, width)) * span(view)
}

export function pxPerTurn(view: Viewport, width: number): number {
  return width / span(view)
}

/** Share of the way from one range to another, for easing; `share` 0 to 1. */
export function between(start: Viewport, end: Viewport, share: number): Viewport {
  const eased = 1 - (1 - share) ** 3
  return {
    from: start.from + (end.from - start.from) * eased,
    to: start.to + (end.to - start.to) * eased,
  }
}
