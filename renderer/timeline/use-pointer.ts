import { type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type Layout, OVERVIEW, findRow } from './layout.ts'
import { useLatest } from './use-canvas.ts'
import type { Move } from './use-viewport.ts'
import {
  type Viewport,
  fullSpan,
  isFit,
  nearestTurn,
  pan,
  positionAt,
  span,
  turnAt,
  zoom,
} from './viewport.ts'

const TOOLTIP_MS = 80

export interface PointerRequest {
  readonly plot: RefObject<HTMLElement | null>
  readonly view: Viewport
  readonly width: number
  readonly turns: number
  readonly layout: Layout
  readonly move: Move
  readonly onSelect: (turn: number) => void
  /** Selects a target that is no turn. Returns false if none is under the pointer. */
  readonly pick: (x: number, y: number) => boolean
  readonly onHover: (turn: number | null) => void
}

export interface Tip {
  readonly turn: number
  /** In pixels of the window. */
  readonly x: number
  readonly y: number
  /** Inside the plot. */
  readonly at: { readonly x: number; readonly y: number }
}

/** Wheel pans when zoomed, with ctrl or meta (and a pinch) zooms about the pointer; else the page scrolls. */
function useWheel(request: PointerRequest, hide: () => void): void {
  const latest = useLatest(request)
  const { plot } = request
  useEffect(() => {
    const element = plot.current
    if (element === null) return
    const onWheel = (event: WheelEvent) => {
      const { view, width, turns, move } = latest.current
      const line = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 24 : 1
      const along = (event.deltaX === 0 ? event.deltaY : event.deltaX) * line
      if (event.ctrlKey || event.metaKey) {
        const x = event.clientX - element.getBoundingClientRect().left
        move((now) =>
          zoom(now, Math.exp(-event.deltaY * line * 0.004), positionAt(x, now, width), turns),
        )
      } else if (isFit(view, turns)) return
      else move((now) => pan(now, (along / width) * span(now), turns))
      event.preventDefault()
      hide()
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [plot, latest, hide])
}

/** The tooltip waits 80 ms for the pointer to rest, then follows it. */
function useTip() {
  const [tip, setTip] = useState<Tip | null>(null)
  const timer = useRef(0)
  const hide = useCallback(() => {
    clearTimeout(timer.current)
    setTip(null)
  }, [])
  const show = useCallback((next: Tip) => {
    clearTimeout(timer.current)
    setTip((now) => (now === null ? null : next))
    timer.current = window.setTimeout(setTip, TOOLTIP_MS, next)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return { tip, hide, show }
}

type Drag = { readonly kind: 'select' } | { readonly kind: 'overview'; readonly x: number }

function onStrip({ layout, view, turns }: PointerRequest, y: number): boolean {
  const strip = findRow(layout, OVERVIEW)
  return strip !== null && y >= strip.y && !isFit(view, turns)
}

/** A press on the strip outside the frame brings the frame there. */
function centreOn({ view, width, turns, move }: PointerRequest, x: number): void {
  const target = (x / width) * fullSpan(turns)
  if (target < view.from || target > view.to)
    move((now) => pan(now, target - (now.from + now.to) / 2, turns))
}

/** Place of the pointer inside the plot. */
function at(event: PointerEvent<HTMLElement>): { readonly x: number; readonly y: number } {
  const box = event.currentTarget.getBoundingClientRect()
  return { x: event.clientX - box.left, y: event.clientY - box.top }
}

/** Pointer handlers of the plot: hover, click and drag to select, drag the strip to pan. */
export function usePointer(request: PointerRequest) {
  const { tip, hide, show } = useTip()
  useWheel(request, hide)
  const drag = useRef<Drag | null>(null)
  const last = useRef<number | null>(null)
  const select = (x: number) => {
    const turn = nearestTurn(x, request.view, request.width, request.turns)
    if (turn === null || turn === last.current) return
    last.current = turn
    request.onSelect(turn)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    const { x, y } = at(event)
    hide()
    if (request.pick(x, y)) return
    event.currentTarget.setPointerCapture(event.pointerId)
    last.current = null
    drag.current = onStrip(request, y) ? { kind: 'overview', x } : { kind: 'select' }
    if (drag.current.kind === 'overview') centreOn(request, x)
    else select(x)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const place = at(event)
    const { x } = place
    const { width, turns, view, move } = request
    if (drag.current?.kind === 'overview') {
      const by = ((x - drag.current.x) / width) * fullSpan(turns)
      drag.current = { kind: 'overview', x }
      move((now) => pan(now, by, turns))
      return
    }
    const turn = turnAt(x, view, width, turns)
    request.onHover(turn)
    if (drag.current !== null) select(x)
    else if (turn === null) hide()
    else show({ turn, x: event.clientX, y: event.clientY, at: place })
  }
  const onPointerUp = () => {
    drag.current = null
  }
  const onPointerLeave = () => {
    hide()
    request.onHover(null)
  }
  return {
    tip,
    /** The keyboard took over: the pointer's turn is shown no longer. */
    leave: onPointerLeave,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: onPointerUp,
      onPointerLeave,
    },
  }
}
