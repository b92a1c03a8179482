import type { State } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { lane, type LabelProps } from '../../timeline/lane.tsx'
import type { Row } from '../../timeline/layout.ts'
import { turnsOfEvents } from '../../timeline/placed.ts'
import { blocksOf, edge, SHAPE_PX, type Context, type Scene } from '../../timeline/scene.ts'
import { counted } from '../../ui/format.ts'
import { firstAtOrAfter } from '../../ui/sorted.ts'
import { useLab } from '../../stores/lab/store.ts'
import { wrongIn } from '../../stores/label/wrong.ts'

/** A mark under every wrong turn; in a block of turns its height is the share of wrong ones. */
function drawWrong(ctx: Context, scene: Scene, row: Row, wrong: Int32Array): void {
  const { paint, data } = scene
  const { level, first, end, px } = blocksOf(scene)
  ctx.fillStyle = paint.line
  ctx.fillRect(0, row.y + row.height - 1, scene.width, 1)
  ctx.fillStyle = paint.own('bad')
  for (let at = firstAtOrAfter(wrong, first * level.size); at < wrong.length;) {
    const block = Math.floor((wrong[at] ?? 0) / level.size)
    if (block >= end) return
    const next = firstAtOrAfter(wrong, (block + 1) * level.size)
    const height = Math.max(4, Math.sqrt((next - at) / level.size) * (row.height - 2))
    const x = edge(scene, block * level.size)
    const right = edge(scene, Math.min(data.turns, (block + 1) * level.size))
    const width = Math.max(Math.min(4, px), 1.5, right - x - (px >= SHAPE_PX ? 2 : 0))
    ctx.fillRect(x, row.y + row.height - 1 - height, width, height)
    at = next
  }
}

function Label({ data }: LabelProps<Int32Array>) {
  return (
    <>
      <span className="tl-name">
        <i className="tl-wrong" aria-hidden="true">
          ✕
        </i>
        wrong
      </span>
      <span className="tl-value">{counted(data.length, 'turn')}</span>
    </>
  )
}

/** [U75] Present if the session has labels. */
function useWrong(): readonly number[] | null {
  const labels = useLab((state) => state.labels)
  return useApp((state: State) => wrongIn(state, labels))
}

export const wrongLane = lane<Int32Array, readonly number[]>({
  id: 'wrong',
  place: 'above',
  legend: {
    name: 'wrong',
    text: 'Turns whose label says another domain. X and Y go from one to the next.',
  },
  useSource: useWrong,
  prepare: ({ source }, wrong) => turnsOfEvents(source.columns.seq, wrong),
  size: () => ({ height: 12, gap: 4, drop: 6 }),
  draw: drawWrong,
  Label,
})
