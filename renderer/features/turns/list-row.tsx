import { memo, useMemo } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { judge } from '../../stores/label/labels.ts'
import { useLab } from '../../stores/lab/store.ts'
import { rowAt } from '../../app/rows.ts'
import type { Exchange } from '../../app/selectors.ts'
import type { Replayed } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { counted, timeOf } from '../../ui/format.ts'
import { EventRowView } from './event-row.tsx'
import { onlyThere, verdictOf } from '../../app/verdicts.ts'

interface RowProps {
  readonly seq: number
  /** Place in the list, 0-based. */
  readonly at: number
  readonly replayed: Replayed | null
  readonly needles: readonly string[]
  readonly rowRef: (element: HTMLElement | null) => (() => void) | undefined
}

/** One event of the list. Renders again only when its own data changes. */
export const EventLine = memo(function EventLine({ seq, at, replayed, needles, rowRef }: RowProps) {
  const selected = useApp((state) => state.view.selected === seq)
  const whole = useApp((state) => state.session.whole.get(seq) ?? null)
  const row = useApp((state) => rowAt(state.session.windows, seq))
  const domain = useApp((state) => (state.view.selected === seq ? state.view.domain : null))
  const signal = useApp((state) => (state.view.selected === seq ? state.view.signal : null))
  const chosen = domain !== null && signal !== null ? { domain, signal } : null
  const wrong = useApp((state) => state.view.show === 'wrong')
  const tuned = useTunedSignal()
  const marks = useLab((state) => state.marks?.bySeq.get(seq) ?? null)
  const label = useLab((state) => valueOf(state.labels)?.bySeq.get(seq) ?? null)
  const stored = whole ?? row
  // While the draft differs from the file, its matches are marked, not the file's.
  const shown = useMemo(
    () => (stored && marks ? { ...stored, marks: [...marks] } : stored),
    [stored, marks],
  )
  const verdict = replayed && verdictOf(replayed, seq)
  // Memoized by seq, because the row below compares its props.
  const elsewhere = useMemo(() => replayed && onlyThere(replayed, seq), [replayed, seq])
  return (
    <div
      role="row"
      aria-rowindex={at + 1}
      data-index={at}
      ref={rowRef}
      className="list-row"
      id={`event-${seq}`}
      aria-selected={selected}
    >
      {shown ? (
        <EventRowView
          row={shown}
          verdict={verdict}
          elsewhere={elsewhere}
          label={label && verdict ? { label, of: judge(label, verdict) } : null}
          isWrong={wrong}
          selected={selected}
          whole={whole !== null}
          needles={needles}
          focus={chosen ?? tuned}
        />
      ) : (
        <SkeletonRow />
      )}
    </div>
  )
})

/** The signal under the editor's cursor. Its matches are highlighted in every row while the Tune tab is open. */
function useTunedSignal() {
  const tuning = useApp((state) => state.view.dock === 'tune')
  const place = useLab((state) => state.signal)
  return useMemo(
    () => (tuning && place ? { domain: place.domain, signal: place.index } : null),
    [tuning, place],
  )
}

interface HeaderProps {
  readonly exchange: Exchange
  readonly sticky?: boolean
}

function Header({ exchange, sticky }: HeaderProps) {
  const events = exchange.to - exchange.from
  return (
    <div
      className={`exchange row text-xs dim line-below bold on-bg${sticky ? ' exchange-sticky' : ''}`}
      {...(sticky ? { 'aria-hidden': true } : { role: 'gridcell' })}
    >
      <span>
        {exchange.number === 0 ? 'Before the first message' : `Exchange ${exchange.number}`}
      </span>
      <span className="quiet num">
        {counted(events, 'event')}
        {exchange.at > 0 && ` · ${timeOf(exchange.at)}`}
      </span>
    </div>
  )
}
export const ExchangeHeader = memo(Header)

export const ExchangeLine = memo(function ExchangeLine({
  exchange,
  at,
  rowRef,
}: HeaderProps & Pick<RowProps, 'at' | 'rowRef'>) {
  return (
    <div role="row" aria-rowindex={at + 1} data-index={at} ref={rowRef} className="list-row">
      <ExchangeHeader exchange={exchange} />
    </div>
  )
})

/** @param isStill shown instead of the list before its index is loaded, and hidden from screen readers */
function SkeletonRow({ isStill = false }: { readonly isStill?: boolean }) {
  return (
    <div
      className={`row-grid stack line-below row-skeleton center-items${isStill ? ' row-skeleton-static' : ''}`}
    >
      {!isStill && (
        <span role="gridcell" className="visually-hidden">
          loading
        </span>
      )}
      <i className="bone" />
      <i className="bone" />
      <i className="bone bone-long" />
      <i className="bone" />
    </div>
  )
}

/** The list before its index is here: the same places, nothing jumps. */
export function ListSkeleton() {
  return (
    <section className="list shrink-y column full-height on-bg" aria-label="Events" aria-busy>
      <div className="list-toolbar row no-shrink line-below on-panel" />
      <div className="list-frame fill relative clip" aria-hidden>
        {Array.from({ length: 9 }, (_, at) => (
          <SkeletonRow key={at} isStill />
        ))}
      </div>
    </section>
  )
}
