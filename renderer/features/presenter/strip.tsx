import { type MouseEvent, useMemo } from 'react'
import { EVENT_CODES, type ReplayColumns } from '../../../core/engine/schema/replay.ts'
import { valueOf } from '../../app/async-data.ts'
import { selectTurn } from '../../app/select.ts'
import { useApp } from '../../app/use-store.ts'
import { flipAt } from '../../timeline/data.ts'
import { classes } from '../../ui/button.tsx'
import { useLook } from '../../ui/use-look.ts'

/** Maximum turns in the strip, so that each stays distinguishable on a stage. */
const MOST_CELLS = 120

interface Span {
  readonly from: number
  readonly to: number
}

/** The turns around one, as many as a strip holds; the strip moves when the turn leaves its middle. */
export function spanOf(turns: number, turn: number, most: number = MOST_CELLS): Span {
  if (turns <= most) return { from: 0, to: turns }
  const from = Math.min(Math.max(0, turn - Math.floor(most / 2)), turns - most)
  return { from, to: from + most }
}

function heights(columns: ReplayColumns, { from, to }: Span): readonly number[] {
  const most = Math.max(1, columns.threshold, ...columns.momentum.slice(from, to))
  // Square root, as in the timeline: a threshold of 3 stays visible below a momentum of 500.
  return columns.momentum.slice(from, to).map((value) => Math.sqrt(value / most))
}

/** [U137] Momentum turn by turn, in the colour of the primary; breaks and flips have signs. */
export function Strip({ turn }: { readonly turn: number }) {
  const columns = useApp((state) => valueOf(state.session.replay)?.columns)
  const flips = useApp((state) => valueOf(state.session.replay)?.flips)
  const look = useLook()
  const span = columns ? spanOf(columns.turns, turn) : null
  const { from = 0, to = 0 } = span ?? {}
  const high = useMemo(() => (columns ? heights(columns, { from, to }) : []), [columns, from, to])
  if (!columns || !span) return null
  const choose = (event: MouseEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const at = Math.floor(((event.clientX - left) / width) * high.length)
    selectTurn(span.from + Math.min(Math.max(0, at), high.length - 1))
  }
  return (
    <div
      className="stage-strip flex"
      role="img"
      aria-label={`Momentum of turns ${span.from + 1} to ${span.to}, turn ${turn + 1} marked`}
      onClick={choose}
    >
      {high.map((height, at) => {
        const own = span.from + at
        const event = EVENT_CODES[columns.event[own] ?? 0]
        const domain = columns.domains[columns.primary[own] ?? -1] ?? ''
        const isFlip = flips !== undefined && flipAt(flips, own) !== undefined
        return (
          <span
            key={own}
            className={classes('stage-cell', own === turn && 'on')}
            data-break={event === 'break' || undefined}
            data-held={event === 'hold' || event === 'resist' || undefined}
            data-flip={isFlip || undefined}
          >
            <i
              style={{ height: `${Math.max(8, 100 * height)}%`, background: look(domain).color }}
            />
          </span>
        )
      })}
    </div>
  )
}
