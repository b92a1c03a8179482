import type { Row } from '../../timeline/lanes.ts'
import { blocksOf, edge, SHAPE_PX, type Context, type Scene } from '../../timeline/scene.ts'

/** Index of the first turn that is not below `turn`. */
function firstFrom(found: Int32Array, turn: number): number {
  let low = 0
  let high = found.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((found[middle] ?? 0) < turn) low = middle + 1
    else high = middle
  }
  return low
}

/** A tick where find found something; in a block of turns its height is the share of turns with a match. */
export function drawFound(ctx: Context, scene: Scene, row: Row): void {
  const { found, paint, data } = scene
  if (!found) return
  const { level, first, end, px } = blocksOf(scene)
  ctx.fillStyle = paint.line
  ctx.fillRect(0, row.y + row.height - 1, scene.width, 1)
  ctx.fillStyle = paint.found
  const least = Math.min(4, px)
  for (let at = firstFrom(found, first * level.size); at < found.length;) {
    const block = Math.floor((found[at] ?? 0) / level.size)
    if (block >= end) return
    const next = firstFrom(found, (block + 1) * level.size)
    const share = (next - at) / level.size
    const height = Math.max(4, Math.sqrt(share) * (row.height - 2))
    const x = edge(scene, block * level.size)
    const right = edge(scene, Math.min(data.turns, (block + 1) * level.size))
    const width = Math.max(least, 1.5, right - x - (px >= SHAPE_PX ? 2 : 0))
    ctx.fillRect(x, row.y + row.height - 1 - height, width, height)
    at = next
  }
}
