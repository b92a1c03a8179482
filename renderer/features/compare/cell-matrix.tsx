import { useMemo } from 'react'
import type { FlipCell } from '../../../core/engine/schema/lab.ts'
import { Pressable } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Domain, Swatch } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import { shortName } from '../../ui/visible.ts'

export type Pair = Pick<FlipCell, 'from' | 'to'>

interface Props {
  readonly cells: readonly FlipCell[]
  readonly chosen: Pair | null
  readonly onChoose: (pair: Pair | null) => void
}

/** Rows are the primary before, columns the primary after. A cell lists its turns. */
export function CellMatrix({ cells, chosen, onChoose }: Props) {
  const { rows, columns } = useMemo(() => {
    const most = Math.max(1, ...cells.map((cell) => cell.count))
    const to = [...new Set(cells.map((cell) => cell.to))]
    const heads = to.map((name): Column<string> => ({
      head: (
        <span className="cell-head inline-row" title={`becomes ${name}`}>
          <Swatch domain={name} />
          <span className="truncate">{shortName(name)}</span>
        </span>
      ),
      className: 'num',
      cell: (from) => {
        const cell = cells.find((one) => one.from === from && one.to === name)
        if (!cell) return <span className="quiet">·</span>
        const isChosen = chosen?.from === from && chosen.to === name
        return (
          <Pressable
            className="flip-cell rounded"
            aria-pressed={isChosen}
            aria-label={`${from} becomes ${name}: ${counted(cell.count, 'turn')}`}
            style={{ '--share': `${Math.round((100 * cell.count) / most)}%` }}
            onClick={() => onChoose(isChosen ? null : { from, to: name })}
          >
            {count(cell.count)}
          </Pressable>
        )
      },
    }))
    const name: Column<string> = {
      head: <span className="quiet">from ↓ to →</span>,
      isCorner: true,
      isName: true,
      cell: (from) => <Domain name={from} />,
    }
    return { rows: [...new Set(cells.map((cell) => cell.from))], columns: [name, ...heads] }
  }, [cells, chosen, onChoose])
  return (
    <div
      className="cell-matrix scroll"
      tabIndex={0}
      role="group"
      aria-label="Primaries, from and to"
    >
      <DataTable className="text-s" columns={columns} rows={rows} keyOf={(from) => from} />
    </div>
  )
}
