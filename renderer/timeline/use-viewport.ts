import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { between, clampTo, ensureVisible, fit, isFit, type Viewport } from './viewport.ts'

const EASE_MS = 120

function prefersReducedMotion(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}

export type Move = (change: (view: Viewport) => Viewport) => void

/**
 * The visible range; the whole session until the operator zooms. Manual moves are immediate. If the selection leaves
 * the range, the view follows with a short easing, or immediately under reduced motion.
 */
export function useViewport(
  turns: number,
  selected: number | null,
): { readonly view: Viewport; readonly move: Move; readonly showAll: () => void } {
  // null = everything, so that a replay with more or fewer turns still shows all of them.
  const [kept, setKept] = useState<Viewport | null>(null)
  const view = useMemo(() => (kept === null ? fit(turns) : clampTo(kept, turns)), [kept, turns])
  const frame = useRef(0)
  const latest = useRef(view)
  useEffect(() => {
    latest.current = view
  }, [view])

  const move = useCallback<Move>(
    (change) => {
      cancelAnimationFrame(frame.current)
      setKept((before) => {
        const next = change(before === null ? fit(turns) : clampTo(before, turns))
        return isFit(next, turns) ? null : next
      })
    },
    [turns],
  )
  const showAll = useCallback(() => {
    cancelAnimationFrame(frame.current)
    setKept(null)
  }, [])

  useEffect(() => {
    if (selected === null || selected < 0 || selected >= turns) return
    const start = latest.current
    const end = ensureVisible(start, selected, turns)
    if (end === start) return
    const began = performance.now()
    const step = (now: number) => {
      const share = prefersReducedMotion() ? 1 : Math.min(1, Math.max(0, now - began) / EASE_MS)
      setKept(between(start, end, share))
      if (share < 1) frame.current = requestAnimationFrame(step)
    }
    frame.current = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame.current)
  }, [selected, turns])

  return { view, move, showAll }
}
