import { Minus, Plus } from 'lucide-react'
import { Pressable } from '../../ui/button.tsx'
import { ROLES } from '../data.ts'
import { ZOOM_STEP } from '../keys.ts'
import { type Controls, lane } from '../lane.tsx'
import { NEVER, type Row, plotBottom } from '../layout.ts'
import { type Context, type Scene, blocksOf, edge, inside } from '../scene.ts'
import { ticks } from '../ticks.ts'

const USER = ROLES.indexOf('user')

function drawRuler(ctx: Context, scene: Scene, row: Row): void {
  const { paint, width, layout } = scene
  ctx.font = `10.5px ${paint.font}`
  const bottom = plotBottom(layout)
  for (const tick of ticks(scene.view, width, scene.data.turns)) {
    ctx.fillStyle = paint.line
    ctx.fillRect(Math.round(tick.x) - 0.5, row.y + row.height, 1, bottom - row.y - row.height)
    ctx.fillStyle = paint.ink3
    const size = ctx.measureText(tick.label).width
    ctx.fillText(tick.label, inside(tick.x, size, width) - size / 2, row.y + 9)
  }
  drawExchanges(ctx, scene, row)
}

/** A tick where a person speaks, as long as they stand apart. */
function drawExchanges(ctx: Context, scene: Scene, row: Row): void {
  const { level, first, end, px } = blocksOf(scene)
  ctx.fillStyle = scene.paint.line2
  ctx.fillRect(0, row.y + row.height - 1, scene.width, 1)
  if (level.size > 1) return
  ctx.fillStyle = scene.paint.ink3
  for (let turn = first; turn < end; turn++)
    if (scene.data.role[turn] === USER)
      ctx.fillRect(edge(scene, turn), row.y + row.height - 5, px < 3 ? 0.75 : 1, 5)
}

function Zoom({ zoomed, closest, onZoom, onFit }: Controls) {
  const buttons = [
    ['Zoom out (−)', 'Zoom out', !zoomed, () => onZoom(1 / ZOOM_STEP), <Minus size={12} />],
    ['Zoom in (+)', 'Zoom in', closest, () => onZoom(ZOOM_STEP), <Plus size={12} />],
    ['Show all turns (0)', 'Fit: show all turns', !zoomed, onFit, 'Fit'],
  ] as const
  return (
    <div className="tl-zoom gap-3 flex" role="group" aria-label="Zoom">
      {buttons.map(([title, label, disabled, act, face]) => (
        <Pressable key={label} title={title} aria-label={label} disabled={disabled} onClick={act}>
          {face}
        </Pressable>
      ))}
    </div>
  )
}

/** Numbers of turns, with a grid through all lanes; zoom in the gutter. */
export const rulerLane = lane({
  id: 'ruler',
  place: 'above',
  prepare: (base) => base,
  size: () => ({ height: 24, gap: 2, drop: NEVER }),
  draw: drawRuler,
  Label: Zoom,
})
