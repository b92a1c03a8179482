import type { State } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { lane, type LabelProps } from '../../timeline/lane.tsx'
import type { Row } from '../../timeline/layout.ts'
import { turnsOfEvents } from '../../timeline/placed.ts'
import { blocksOf, edge, SHAPE_PX, type Context, type Scene } from '../../timeline/scene.ts'
import { counted } from '../../ui/format.ts'
import { firstAtOrAfter } from '../../ui/sorted.ts'

/** A tick where find found something; in a block of turns its height is the share of turns with a match. */
function drawFound(ctx: Context, scene: Scene, row: Row, found: Int32Array): void {
  const { paint, data } = scene
  const { level, first, end, px } = blocksOf(scene)
  ctx.fillStyle = paint.line
  ctx.fillRect(0, row.y + row.height - 1, scene.width, 1)
  ctx.fillStyle = paint.own('mark')
  const least = Math.min(4, px)
  for (let at = firstAtOrAfter(found, first * level.size); at < found.length;) {
    const block = Math.floor((found[at] ?? 0) / level.size)
    if (block >= end) return
    const next = firstAtOrAfter(found, (block + 1) * level.size)
    const share = (next - at) / level.size
    const height = Math.max(4, Math.sqrt(share) * (row.height - 2))
    const x = edge(scene, block * level.size)
    const right = edge(scene, Math.min(data.turns, (block + 1) * level.size))
    const width = Math.max(least, 1.5, right - x - (px >= SHAPE_PX ? 2 : 0))
    ctx.fillRect(x, row.y + row.height - 1 - height, width, height)
    at = next
  }
}

function Label({ data }: LabelProps<Int32Array>) {
  return (
    <>
      <span className="tl-name">
        <i className="tl-found" aria-hidden="true">
          ▮
        </i>
        found
      </span>
      <span className="tl-value">{counted(data.length, 'turn')}</span>
    </>
  )
}

/** Events that find found in the session; null while nothing is looked for. */
function matchesOf({ view: { find } }: State): readonly number[] | null {
  return find?.scope === 'session' && find.asked !== '' ? find.seqs : null
}

/** Turns where find found something, rising. */
export const foundLane = lane<Int32Array, readonly number[]>({
  id: 'find',
  place: 'above',
  useSource: () => useApp(matchesOf),
  prepare: ({ source }, matches) => turnsOfEvents(source.columns.seq, matches),
  size: () => ({ height: 12, gap: 4, drop: 7 }),
  draw: drawFound,
  legend: { name: 'found', text: 'Turns that find found. m and M go from one to the next.' },
  Label,
})
