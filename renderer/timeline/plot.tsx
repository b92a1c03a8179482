import { useCallback, useRef, type ReactNode } from 'react'
import type { ThemeName } from '../ui/domain-style.ts'
import { drawBase } from './draw-base.ts'
import { drawOverlay } from './draw-overlay.ts'
import type { ReadyLane } from './lane.tsx'
import { readPaint, type Paint } from './paint.ts'
import type { Context, Scene } from './scene.ts'
import { prepareCanvas, useDevicePixelRatio, useFontsReady, useFrame } from './use-canvas.ts'

/** Two stacked canvases: data below, selection and crosshair above, each redrawn only when it changed. */
export function Plot(props: {
  readonly scene: Omit<Scene, 'paint' | 'dpr'>
  readonly lanes: readonly ReadyLane[]
  readonly theme: ThemeName
  readonly selected: number | null
  readonly hovered: number | null
}): ReactNode {
  const { scene, lanes, theme, selected, hovered } = props
  const base = useRef<HTMLCanvasElement>(null)
  const over = useRef<HTMLCanvasElement>(null)
  const dpr = useDevicePixelRatio()
  const fonts = useFontsReady()
  const read = useRef<{ readonly key: unknown; readonly paint: Paint } | null>(null)
  const drawOn = useCallback(
    (canvas: HTMLCanvasElement | null, draw: (ctx: Context, full: Scene) => void) => {
      const size = { width: scene.width, height: scene.layout.height }
      const ctx = prepareCanvas(canvas, size, dpr)
      if (ctx === null || canvas === null) return
      const key = `${theme}\n${fonts}\n${scene.data.names.join('\n')}`
      const paint =
        read.current?.key === key ? read.current.paint : readPaint(canvas, theme, scene.data.names)
      read.current = { key, paint }
      draw(ctx, { ...scene, paint, dpr })
    },
    [scene, theme, dpr, fonts],
  )
  useFrame(
    useCallback(
      () => drawOn(base.current, (ctx, full) => drawBase(ctx, full, lanes)),
      [drawOn, lanes],
    ),
  )
  useFrame(
    useCallback(
      () => drawOn(over.current, (ctx, full) => drawOverlay(ctx, full, { selected, hovered })),
      [drawOn, selected, hovered],
    ),
  )
  const size = { width: scene.width, height: scene.layout.height }
  return (
    <>
      <canvas ref={base} style={size} aria-hidden="true" />
      <canvas ref={over} style={size} aria-hidden="true" />
    </>
  )
}
