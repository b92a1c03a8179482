import { type ReactNode, useCallback, useRef } from 'react'
import type { ThemeName } from '../ui/domain-style.ts'
import type { ReadyLane } from './lane.tsx'
import { OVERVIEW, findRow, plotBottom } from './layout.ts'
import { type Paint, readPaint } from './paint.ts'
import { type Context, type Scene, edge, inside, middle } from './scene.ts'
import { ticks, turnNumber } from './ticks.ts'
import { prepareCanvas, useDevicePixelRatio, useFontsReady, useFrame } from './use-canvas.ts'
import { fit, isFit, xOf } from './viewport.ts'

/** Draws everything that does not follow the pointer. */
function drawBase(ctx: Context, scene: Scene, lanes: readonly ReadyLane[]): void {
  ctx.setTransform(scene.dpr, 0, 0, scene.dpr, 0, 0)
  ctx.clearRect(0, 0, scene.width, scene.layout.height)
  ctx.textBaseline = 'middle'
  if (scene.data.turns === 0 || scene.width <= 0) return
  const drawn = new Map(lanes.map((lane) => [lane.id, lane]))
  for (const row of scene.layout.rows) drawn.get(row.id)?.draw(ctx, scene, row)
}

interface Pointer {
  readonly selected: number | null
  readonly hovered: number | null
}

/** Blanks the ruler's labels that a pill would cut in half. */
function clearLabels(ctx: Context, scene: Scene, from: number, to: number): void {
  ctx.font = `10.5px ${scene.paint.font}`
  ctx.fillStyle = scene.paint.panel
  for (const tick of ticks(scene.view, scene.width, scene.data.turns)) {
    const size = ctx.measureText(tick.label).width
    const left = inside(tick.x, size, scene.width) - size / 2
    if (left < to + 4 && left + size > from - 4) ctx.fillRect(left - 1, 1, size + 2, 16)
  }
}

function pill(ctx: Context, scene: Scene, turn: number, colors: readonly [string, string]): void {
  const label = turnNumber(turn)
  ctx.font = `600 10.5px ${scene.paint.font}`
  const size = ctx.measureText(label).width + 10
  const x = inside(middle(scene, turn), size, scene.width) - size / 2
  clearLabels(ctx, scene, x, x + size)
  ctx.font = `600 10.5px ${scene.paint.font}`
  ctx.fillStyle = colors[0]
  ctx.beginPath()
  ctx.roundRect(x, 1, size, 15, 4)
  ctx.fill()
  ctx.fillStyle = colors[1]
  ctx.fillText(label, x + 5, 9)
}

function column(scene: Scene, turn: number): { x: number; width: number } {
  const x = edge(scene, turn)
  const right = edge(scene, turn + 1)
  return right - x >= 3 ? { x, width: right - x } : { x: (x + right) / 2 - 1, width: 2 }
}

function drawSelected(ctx: Context, scene: Scene, turn: number): void {
  const { paint, layout } = scene
  const overview = findRow(layout, OVERVIEW)
  const top = 17
  const bottom = plotBottom(layout) + 2
  const { x, width } = column(scene, turn)
  if (x + width > 0 && x < scene.width) {
    ctx.fillStyle = paint.accent
    ctx.globalAlpha = width > 2 ? 0.16 : 0.9
    ctx.fillRect(x, top, width, bottom - top)
    ctx.globalAlpha = 0.95
    if (width > 4) {
      ctx.fillRect(x, top, 1, bottom - top)
      ctx.fillRect(x + width - 1, top, 1, bottom - top)
    }
    ctx.globalAlpha = 1
    pill(ctx, scene, turn, [paint.accent, paint.panel])
  }
  if (overview === null || isFit(scene.view, scene.data.turns)) return
  ctx.fillStyle = paint.accent
  const at = xOf(turn + 0.5, fit(scene.data.turns), scene.width)
  ctx.fillRect(at - 1, overview.y, 2, overview.height)
}

function drawHovered(ctx: Context, scene: Scene, turn: number): void {
  const { x, width } = column(scene, turn)
  if (x + width <= 0 || x >= scene.width) return
  const bottom = plotBottom(scene.layout) + 2
  ctx.fillStyle = scene.paint.ink
  ctx.globalAlpha = width > 2 ? 0.08 : 0.55
  ctx.fillRect(x, 17, width, bottom - 17)
  ctx.globalAlpha = 0.5
  ctx.fillRect(Math.round(x + width / 2) - 0.5, 17, 1, bottom - 17)
  ctx.globalAlpha = 1
  pill(ctx, scene, turn, [scene.paint.line2, scene.paint.ink])
}

/** Draws selection and crosshair; cheap enough for every pointer move. */
function drawOverlay(ctx: Context, scene: Scene, pointer: Pointer): void {
  ctx.setTransform(scene.dpr, 0, 0, scene.dpr, 0, 0)
  ctx.clearRect(0, 0, scene.width, scene.layout.height)
  ctx.textBaseline = 'middle'
  const { selected, hovered } = pointer
  const within = (turn: number | null): turn is number =>
    turn !== null && turn >= 0 && turn < scene.data.turns
  if (within(hovered) && hovered !== selected) drawHovered(ctx, scene, hovered)
  if (within(selected)) drawSelected(ctx, scene, selected)
}

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
