import { lane, type LabelProps } from '../lane.tsx'
import type { Row } from '../layout.ts'
import {
  blocksOf,
  edge,
  middle,
  SHAPE_PX,
  shareHeight,
  type Context,
  type Scene,
} from '../scene.ts'
import { diamond, paintPath } from '../shapes.ts'
import type { TimelineSource } from '../data.ts'

const flipped = diamond(4.4)

/** The compared replay: its primary as a thin band, strong where it differs, ◆ on every flip. */
function drawCompare(ctx: Context, scene: Scene, row: Row): void {
  const { level, first, end, px } = blocksOf(scene)
  const bandHeight = 6
  const bandY = row.y + row.height - bandHeight - 1
  for (let block = first; block < end; block++) {
    const x = edge(scene, block * level.size)
    const width = edge(scene, Math.min(scene.data.turns, (block + 1) * level.size)) - x
    const other = level.other?.[block] ?? -1
    if (other >= 0) {
      ctx.globalAlpha = other === level.primary[block] ? scene.paint.tint : 0.95
      ctx.fillStyle = scene.paint.domain(other)
      ctx.fillRect(x, bandY, width, bandHeight)
    }
    const flips = level.flip[block] ?? 0
    if (flips === 0) continue
    ctx.globalAlpha = 1
    const color = (ctx.fillStyle = scene.paint.warn)
    if (px >= SHAPE_PX)
      paintPath(ctx, () => flipped(ctx, middle(scene, block), row.y + 5.5), { color })
    else {
      const room = bandY - row.y - 2
      const height = Math.max(3, shareHeight(flips / level.size, room))
      ctx.fillRect(x, bandY - 1 - height, Math.max(1, Math.min(2, px)), height)
    }
  }
  ctx.globalAlpha = 1
}

function CompareLabel({ data: { compare, flips } }: LabelProps<TimelineSource>) {
  const name = compare?.config.preset ?? ''
  return (
    <>
      <span className="tl-name" title={`Compared with ${name}`}>
        <i className="tl-diamond warn" aria-hidden="true">
          ◆
        </i>
        {name}
      </span>
      <span className="tl-value">
        {flips.length === 1 ? '1 flip' : `${flips.length.toLocaleString('en-US')} flips`}
      </span>
    </>
  )
}

/** Where a second replay differs. */
export const compareLane = lane({
  id: 'compare',
  place: 'below',
  prepare: ({ source }) => (source.compare === null ? null : source),
  size: () => ({ height: 20, gap: 4, drop: 6 }),
  draw: drawCompare,
  Label: CompareLabel,
})
