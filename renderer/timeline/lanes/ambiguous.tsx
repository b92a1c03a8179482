import { count } from '../../ui/format.ts'
import { lane } from '../lane.tsx'
import type { Row } from '../layout.ts'
import { type Context, eachBlock, type Scene, shareHeight } from '../scene.ts'

/** Turns marked ambiguous, as a set for drawing. */
interface Ambiguous {
  readonly turns: ReadonlySet<number>
}

const ROOM = 11

function countIn({ turns }: Ambiguous, from: number, to: number): number {
  let found = 0
  for (let turn = from; turn < to; turn += 1) found += turns.has(turn) ? 1 : 0
  return found
}

/** A bar below every turn whose text does not decide; of a block, as high as its share of such turns. */
function draw(ctx: Context, scene: Scene, row: Row, data: Ambiguous): void {
  ctx.fillStyle = scene.paint.warn
  const sumUp = (from: number, to: number) => {
    const found = countIn(data, from, to)
    return found === 0 ? null : found / (to - from)
  }
  eachBlock(scene, sumUp, ({ x, width, block }) => {
    const height = shareHeight(block, ROOM)
    ctx.fillRect(x, row.y + ROOM - height, Math.max(1, width - 1), height)
  })
}

/** [B23] Only there where the preset names a margin. */
export const ambiguousLane = lane({
  id: 'ambiguous',
  place: 'below',
  prepare: ({ source }): Ambiguous | null => {
    const found = source.columns.ambiguous
    return found === undefined ? null : { turns: new Set(found.map(({ turn }) => turn)) }
  },
  size: () => ({ height: 13, gap: 3, drop: 7 }),
  draw,
  legend: {
    name: 'ambiguous',
    text: 'Turns whose text alone does not decide: the first domain leads the second by less than the margin of the preset, or ties with it.',
  },
  Label: ({ data: { turns } }) => (
    <>
      <span className="tl-name">ambiguous</span>
      <span className="tl-value">{count(turns.size)}</span>
    </>
  ),
})
