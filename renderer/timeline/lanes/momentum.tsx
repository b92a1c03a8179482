import { lane, type LabelProps } from '../lane.tsx'
import type { Row } from '../layout.ts'
import { blocksOf, middle, type Context, type Scene } from '../scene.ts'
import type { TimelineData } from '../data.ts'
import { xOf } from '../viewport.ts'

/** Square root: a threshold of 3 stays visible below a momentum of 500. */
function momentumY(scene: Scene, row: Row, value: number): number {
  const share = Math.sqrt(value / Math.max(1, scene.data.maxMomentum))
  return row.y + row.height - 2 - share * (row.height - 5)
}

/** The blocks in view with one on either side, so that lines reach the edges, and the middle of a block. */
function pathOf(scene: Scene) {
  const { level, first, end } = blocksOf(scene)
  const at = (block: number) =>
    xOf(Math.min(scene.data.turns, (block + 0.5) * level.size), scene.view, scene.width)
  return { level, from: Math.max(0, first - 1), to: Math.min(level.count, end + 1), at }
}

function tracePath(ctx: Context, scene: Scene, row: Row): void {
  const { level, from, to, at } = pathOf(scene)
  ctx.beginPath()
  for (let block = from; block < to; block++)
    ctx.lineTo(at(block), momentumY(scene, row, level.momentumMax[block] ?? 0))
  if (level.size === 1) return
  // Blocks: the area between lowest and highest, so that no break disappears.
  for (let block = to - 1; block >= from; block--)
    ctx.lineTo(at(block), momentumY(scene, row, level.momentumMin[block] ?? 0))
  ctx.closePath()
}

/** Under the line where momentum is strong: there, outside domains need more to break it. */
function drawStrong(ctx: Context, scene: Scene, row: Row): void {
  const { level, from, to, at } = pathOf(scene)
  const base = momentumY(scene, row, scene.data.threshold)
  ctx.save()
  ctx.beginPath()
  ctx.rect(0, row.y, scene.width, base - row.y)
  ctx.clip()
  ctx.beginPath()
  ctx.moveTo(at(from), row.y + row.height)
  for (let block = from; block < to; block++)
    ctx.lineTo(at(block), momentumY(scene, row, level.momentumMax[block] ?? 0))
  ctx.lineTo(at(to - 1), row.y + row.height)
  ctx.fillStyle = scene.paint.accent
  ctx.globalAlpha = 0.16
  ctx.fill()
  ctx.restore()
}

function drawThreshold(ctx: Context, scene: Scene, row: Row): void {
  const y = Math.round(momentumY(scene, row, scene.data.threshold)) + 0.5
  ctx.strokeStyle = scene.paint.warn
  ctx.globalAlpha = 0.8
  ctx.lineWidth = 1
  ctx.setLineDash([3, 4])
  ctx.beginPath()
  ctx.moveTo(0, y)
  ctx.lineTo(scene.width, y)
  ctx.stroke()
  ctx.setLineDash([])
  ctx.globalAlpha = 1
}

/** Draws a dot per turn if turns are far apart, because a single turn has no line. */
function drawDots(ctx: Context, scene: Scene, row: Row): void {
  const { level, first, end, px } = blocksOf(scene)
  if (px < 20) return
  ctx.fillStyle = scene.paint.accent
  for (let turn = first; turn < end; turn++) {
    ctx.beginPath()
    const y = momentumY(scene, row, level.momentumMax[turn] ?? 0)
    ctx.arc(middle(scene, turn), y, 2.2, 0, 2 * Math.PI)
    ctx.fill()
  }
}

function drawMomentum(ctx: Context, scene: Scene, row: Row): void {
  const { paint } = scene
  const single = blocksOf(scene).level.size === 1
  if (single) drawStrong(ctx, scene, row)
  tracePath(ctx, scene, row)
  ctx.strokeStyle = ctx.fillStyle = paint.accent
  ctx.lineWidth = single ? 1.6 : 0.75
  ctx.lineJoin = 'round'
  if (!single) {
    ctx.globalAlpha = 0.3
    ctx.fill()
    ctx.globalAlpha = 0.9
  }
  ctx.stroke()
  if (scene.data.hasThreshold) drawThreshold(ctx, scene, row)
  drawDots(ctx, scene, row)
}

function MomentumLabel({ told, data, row }: LabelProps<TimelineData>) {
  return (
    <>
      <span className="tl-name" title="Square-root scale">
        momentum
        {row.height >= 30 && (
          <span className="tl-threshold quiet">
            {data.hasThreshold ? (
              <>
                <i aria-hidden="true">╌╌</i> threshold {data.threshold}
              </>
            ) : (
              'never strong'
            )}
          </span>
        )}
      </span>
      {told && <span className={`tl-value ${told.strong ? 'primary' : ''}`}>{told.momentum}</span>}
    </>
  )
}

/** Lane for the strength with which the signature is held. */
export const momentumLane = lane({
  id: 'momentum',
  place: 'below',
  prepare: ({ data }) => data,
  size: () => ({ height: 24, gap: 4, drop: 4, grow: { good: 48, most: 104 } }),
  draw: drawMomentum,
  legend: {
    name: 'momentum',
    text: 'How many turns in a row the same domains have been in force. From the threshold on they are held against weaker texts.',
  },
  Label: MomentumLabel,
})
