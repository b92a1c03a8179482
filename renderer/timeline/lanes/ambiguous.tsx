import { count } from '../../ui/format.ts'
import { lane } from '../lane.tsx'
import type { Row } from '../layout.ts'
import { type Context, eachBlock, type Scene, shareHeight } from '../scene.ts'

/** Turns marked ambiguous. */
interface Ambiguous {
  readonly count: number
  /** Cumulative count before each turn, and after the last. The count of a block is one subtraction for any size. */
  readonly before: Uint32Array
}

const ROOM = 11

/** A bar below every turn whose text does not decide; of a block, as high as its share of such turns. */
function draw(ctx: Context, scene: Scene, row: Row, data: Ambiguous): void {
  ctx.fillStyle = scene.paint.warn
  const sumUp = (from: number, to: number) => {
    const found = (data.before[to] ?? 0) - (data.before[from] ?? 0)
    return found === 0 ? null : found / (to - from)
  }
  eachBlock(scene, sumUp, ({ x, width, block }) => {
    const height = shareHeight(block, ROOM)
    ctx.fillRect(x, row.y + ROOM - height, Math.max(1, width - 1), height)
  })
}

/** [B23] Present only if the preset names a margin. */
export const ambiguousLane = lane({
  id: 'ambiguous',
  place: 'below',
  prepare: ({ source }): Ambiguous | null => {
    const found = source.columns.ambiguous
    if (found === undefined) return null
    const before = new Uint32Array(source.columns.turns + 1)
    for (const { turn } of found) before[turn + 1] = 1
    before.forEach((here, turn) => (before[turn] = here + (before[turn - 1] ?? 0)))
    return { count: found.length, before }
  },
  size: () => ({ height: 13, gap: 3, drop: 7 }),
  draw,
  legend: {
    name: 'ambiguous',
    text: 'Turns whose text alone does not decide: the first domain leads the second by less than the margin of the preset, or ties with it.',
  },
  Label: ({ data }) => (
    <>
      <span className="tl-name">ambiguous</span>
      <span className="tl-value">{count(data.count)}</span>
    </>
  ),
})
