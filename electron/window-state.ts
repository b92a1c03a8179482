import { readFileSync } from 'node:fs'
import type { Rectangle } from 'electron'
import { z } from 'zod'
import { jsonAs } from '../core/host/platform/json.ts'

const MIN = { width: 800, height: 560 } as const
const DEFAULT = { width: 1440, height: 900 } as const
/** Pixels of a window that must be on some screen, so that it can be dragged. */
const GRIP = 80

export const WindowState = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(MIN.width).max(20_000),
  height: z.int().min(MIN.height).max(20_000),
  maximized: z.boolean(),
})
export type WindowState = z.infer<typeof WindowState>

/** Window bounds in px for BrowserWindow; without x and y the system centres it. */
interface WindowBounds {
  readonly x?: number
  readonly y?: number
  readonly width: number
  readonly height: number
  readonly minWidth: number
  readonly minHeight: number
}

/** The saved state, or null if it is missing or damaged. The window then opens with defaults. */
export function readWindowState(path: string): WindowState | null {
  try {
    return jsonAs(WindowState, readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/**
 * Bounds that are visible on a screen. A saved position is kept if enough of its title bar is in a work area. A window
 * of a missing screen keeps its size and is centered. Never larger than the largest work area, unless the minimum size
 * is.
 */
export function fitToScreens(
  saved: WindowState | null,
  workAreas: readonly Rectangle[],
): WindowBounds {
  const limit = (side: 'width' | 'height', wanted: number) => {
    const largest = Math.max(...workAreas.map((area) => area[side]))
    return workAreas.length === 0 ? wanted : Math.max(Math.min(wanted, largest), MIN[side])
  }
  const width = limit('width', saved?.width ?? DEFAULT.width)
  const height = limit('height', saved?.height ?? DEFAULT.height)
  const size = { width, height, minWidth: MIN.width, minHeight: MIN.height }
  if (saved === null) return size
  const isReachable = workAreas.some((area) => {
    const shown = Math.min(saved.x + width, area.x + area.width) - Math.max(saved.x, area.x)
    const isTopInside = saved.y >= area.y && saved.y <= area.y + area.height - GRIP
    return shown >= GRIP && isTopInside
  })
  return isReachable ? { x: saved.x, y: saved.y, ...size } : size
}
