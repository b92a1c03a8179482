import { memo } from 'react'
import type { LabelContext, ReadyLane } from './lane.tsx'
import type { Layout } from './layout.ts'

interface Props extends Omit<LabelContext, 'row' | 'others'> {
  readonly layout: Layout
  readonly lanes: readonly ReadyLane[]
}

/** Names, keys and values of the rows, as HTML beside the canvas: crisp, selectable, readable aloud. */
export const Gutter = memo(function Gutter({ layout, lanes, ...context }: Props) {
  return (
    <div className="tl-gutter" style={{ width: context.width }}>
      {layout.rows.map((row) => (
        <div
          key={`${row.id}${row.domain}`}
          className={`tl-row row nowrap gap-6 tl-row-${row.id}`}
          style={{ top: row.y, height: row.height }}
        >
          {lanes.find(({ id }) => id === row.id)?.label({ ...context, row, others: layout.others })}
        </div>
      ))}
    </div>
  )
})
