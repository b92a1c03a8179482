import { lane, type Controls } from '../lane.tsx'
import { OVERVIEW, type Row } from '../layout.ts'
import { blocksOf, edge, type Context, type Scene } from '../scene.ts'
import { fit, isFit, xOf } from '../viewport.ts'

/** The whole session in a strip, the visible part framed. Empty while everything is visible. */
function drawOverview(ctx: Context, scene: Scene, row: Row): void {
  const { data, paint, view, width } = scene
  if (isFit(view, data.turns)) return
  const whole = { ...scene, view: fit(data.turns) }
  const { level } = blocksOf(whole)
  ctx.globalAlpha = 0.6
  for (let block = 0; block < level.count; block++) {
    const x = edge(whole, block * level.size)
    ctx.fillStyle = paint.domain(level.primary[block] ?? -1)
    const right = edge(whole, Math.min(data.turns, (block + 1) * level.size))
    ctx.fillRect(x, row.y + 3, right - x, row.height - 6)
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
  Label: ({ range }: Controls) => <span className="tl-name quiet tl-range">{range}</span>,
})
