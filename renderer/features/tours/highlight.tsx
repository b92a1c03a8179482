import { type CSSProperties, useEffect, useState } from 'react'
import type { TourPlace } from '../../../core/engine/schema/tour.ts'
import { elementOf } from './places.ts'

export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Parts of the window move without telling anybody: panels are dragged, answers arrive. */
const LOOK_MS = 250
/** Of the window: the ring is seen there too. */
const EDGE = 3

/** The visible part of a place; null if none is visible. */
export function boxOf(place: TourPlace): Box | null {
  const element = elementOf(place)
  if (element === null) return null
  const { left, top, right, bottom } = element.getBoundingClientRect()
  // An element scrolled out of its panel is not highlighted beyond the panel.
  const frame = element.closest('.tab-panel, .dock')?.getBoundingClientRect()
  const from = { x: Math.max(left, frame?.left ?? 0), y: Math.max(top, frame?.top ?? 0) }
  const to = {
    x: Math.min(right, frame?.right ?? innerWidth, innerWidth - EDGE),
    y: Math.min(bottom, frame?.bottom ?? innerHeight, innerHeight - EDGE),
  }
  if (to.x - from.x < 4 || to.y - from.y < 4) return null
  return { left: from.x, top: from.y, width: to.x - from.x, height: to.y - from.y }
}

const same = (a: Box | null, b: Box | null) => JSON.stringify(a) === JSON.stringify(b)

/** Tracks the position of a place on the screen. A new `step` scrolls it into view again. */
export function useBox(place: TourPlace | null, step: string): Box | null {
  const [box, setBox] = useState<Box | null>(null)
  useEffect(() => {
    let isSought = true
    const look = () => {
      const element = place === null ? null : elementOf(place)
      if (element !== null && isSought) {
        isSought = false
        element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      }
      const next = place === null ? null : boxOf(place)
      setBox((before) => (same(before, next) ? before : next))
    }
    const frame = requestAnimationFrame(look)
    const timer = setInterval(look, LOOK_MS)
    addEventListener('resize', look)
    addEventListener('scroll', look, true)
    return () => {
      cancelAnimationFrame(frame)
      clearInterval(timer)
      removeEventListener('resize', look)
      removeEventListener('scroll', look, true)
    }
  }, [place, step])
  return box
}

/**
 * A ring around the stop's subject. It ignores clicks and is hidden from screen readers, because the sentence describes
 * it.
 */
export function Ring({ box }: { readonly box: Box }) {
  const style: CSSProperties = { ...box }
  return <div className="tour-ring" style={style} aria-hidden />
}

const CORNERS = ['bottom-start', 'bottom-end', 'top-start', 'top-end'] as const
export type Corner = (typeof CORNERS)[number]
const MARGIN = 20

/** The surroundings that determine a card's corner. */
interface Around {
  /** Subject of the stop. */
  readonly box: Box | null
  /** The row of the turn, which people read beside the sentence. */
  readonly row: Box | null
  readonly window: Pick<Box, 'width' | 'height'>
}

/** An area of the place that is spoken of weighs as much as eight of the row. */
const PLACE_WEIGHT = 8

/** The corner of the window in which a card of this size covers the least important content. */
export function cornerFor(card: Pick<Box, 'width' | 'height'>, around: Around): Corner {
  const { box, row, window } = around
  const hidden = (corner: Corner): number => {
    const left = corner.endsWith('start') ? MARGIN : window.width - MARGIN - card.width
    const top = corner.startsWith('top') ? MARGIN : window.height - MARGIN - card.height
    const over = (other: Box | null): number => {
      if (other === null) return 0
      const wide =
        Math.min(left + card.width, other.left + other.width) - Math.max(left, other.left)
      const high = Math.min(top + card.height, other.top + other.height) - Math.max(top, other.top)
      return Math.max(0, wide) * Math.max(0, high)
    }
    return PLACE_WEIGHT * over(box) + over(row)
  }
  return CORNERS.toSorted((a, b) => hidden(a) - hidden(b))[0] ?? 'bottom-start'
}
