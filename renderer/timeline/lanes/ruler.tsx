import { Minus, Plus } from 'lucide-react'
import { Pressable } from '../../ui/button.tsx'
import { ROLES } from '../data.ts'
import { ZOOM_STEP } from '../keys.ts'
import { type Controls, lane } from '../lane.tsx'
import { type Row, NEVER, OVERVIEW, RULER, plotBottom } from '../layout.ts'
import { type Context, type Scene, blocksOf, boxOf, edge, inside } from '../scene.ts'
import { ticks } from '../ticks.ts'
import { fit, isFit, xOf } from '../viewport.ts'

/** The whole session in a strip, the visible part framed. Empty while everything is visible. */
function drawOverview(ctx: Context, scene: Scene, row: Row): void {
  const { data, paint, view, width } = scene
  if (isFit(view, data.turns)) return
  const whole = { ...scene, view: fit(data.turns) }
  const { level } = blocksOf(whole)
  ctx.globalAlpha = 0.6
  for (let block = 0; block < level.count; block++) {
    const { x, width: wide } = boxOf(whole, level, block)
    ctx.fillStyle = paint.domain(level.primary[block] ?? -1)
    ctx.fillRect(x, row.y + 3, wide, row.height - 6)
  }
  const from = xOf(view.from, whole.view, width)
  const size = Math.max(10, xOf(view.to, whole.view, width) - from)
  const x = Math.min(width - size, from)
  ctx.fillStyle = paint.panel
  ctx.globalAlpha = 0.62
  ctx.fillRect(0, row.y, x, row.height)
  ctx.fillRect(x + size, row.y, width - x - size, row.height)
  ctx.globalAlpha = 1
  ctx.strokeStyle = paint.ink2
  ctx.lineWidth = 1.25
  ctx.beginPath()
  ctx.roundRect(x + 0.75, row.y + 0.75, size - 1.5, row.height - 1.5, 3.5)
  ctx.stroke()
}

/** The strip at the foot, with the range in view. */
export const overviewLane = lane({
  id: OVERVIEW,
  place: 'foot',
  prepare: (base) => base,
  size: () => ({ height: 14, gap: 4, drop: 1 }),
  draw: drawOverview,
  legend: { name: 'overview', text: 'The whole session; the frame is what the lanes above show.' },
  Label: ({ range }: Controls) => <span className="tl-name quiet tl-range">{range}</span>,
})

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

/** A tick at each user message, as long as the ticks are far enough apart. */
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

function Zoom({ zoomed, closest, onZoom, onFit, menu }: Controls) {
  const buttons = [
    ['Zoom out (−)', 'Zoom out', !zoomed, () => onZoom(1 / ZOOM_STEP), <Minus size={12} />],
    ['Zoom in (+)', 'Zoom in', closest, () => onZoom(ZOOM_STEP), <Plus size={12} />],
    ['Show all turns (0)', 'Fit: show all turns', !zoomed, onFit, 'Fit'],
  ] as const
  return (
    <>
      <div className="tl-zoom gap-3 flex" role="group" aria-label="Zoom">
        {buttons.map(([title, label, disabled, act, face]) => (
          <Pressable key={label} title={title} aria-label={label} disabled={disabled} onClick={act}>
            {face}
          </Pressable>
        ))}
      </div>
      {menu}
    </>
  )
}

/** Numbers of turns, with a grid through all lanes; zoom in the gutter. */
export const rulerLane = lane({
  id: RULER,
  place: 'above',
  prepare: (base) => base,
  size: () => ({ height: 24, gap: 2, drop: NEVER }),
  draw: drawRuler,
  legend: { name: 'turns', text: 'Numbers of the turns, with a tick where a person speaks.' },
  Label: Zoom,
})
