import type { VirtualItem } from '@tanstack/react-virtual'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { KeyboardEvent } from 'react'
import { useEffect, useRef } from 'react'
import { valueOf } from '../state/async-data.ts'
import { ensureRows, rowAt } from '../state/rows.ts'
import { move } from '../state/select.ts'
import type { Exchange, Item } from '../state/selectors.ts'
import { itemsBySeq, listItems } from '../state/selectors.ts'
import { runKey } from '../state/store.ts'
import { useApp } from '../state/use-store.ts'
import { counted, timeOf } from '../ui/format.ts'
import { EventRowView } from './event-row.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { replayedOf, verdictOf } from './verdicts.ts'

const HEADER_PX = 30
const ROW_PX = 52
/** A selection that far from what is visible comes to the middle; a nearer one just into view. */
const NEAR_ROWS = 4
/** Rows that come into view are measured in the frames after: until then the place is looked up again. */
const SETTLE_FRAMES = 5

/** The transcript: a virtual list of events, grouped by exchange. */
export function TurnList() {
  const events = useApp((state) => valueOf(state.session.events))
  const replayed = useApp(replayedOf)
  const show = useApp((state) => state.view.show)
  if (!events) return <ListSkeleton />
  const items = listItems(events, replayed, show)
  return (
    <section className="list" aria-label="Events">
      <ListToolbar />
      {items.length === 0 ? (
        <p className="list-empty quiet">
          {show === 'flips'
            ? 'No turn flips: both presets decide every turn alike.'
            : 'No events to show.'}
        </p>
      ) : (
        <Rows items={items} />
      )}
    </section>
  )
}

function Rows({ items }: { readonly items: readonly Item[] }) {
  const scroller = useRef<HTMLDivElement>(null)
  const selected = useApp((state) => state.view.selected)
  // Rows of another configuration have other marks: asking again is cheap when nothing changed.
  const config = useApp((state) => runKey(state.view.run))
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are called in this component only
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (items[at]?.kind === 'exchange' ? HEADER_PX : ROW_PX),
    getItemKey: (at) => keyOf(items[at]),
    overscan: 6,
    scrollPaddingStart: HEADER_PX + 4,
    scrollPaddingEnd: 12,
  })
  const visible = virtual.getVirtualItems()
  const seqs = visible.flatMap(({ index }) => {
    const item = items[index]
    return item?.kind === 'event' ? [item.seq] : []
  })
  const first = seqs[0] ?? 0
  const last = seqs.at(-1) ?? 0
  useEffect(() => {
    ensureRows(first, last)
  }, [first, last, config])

  const target = selected === null ? undefined : itemsBySeq(items).get(selected)
  // A row has its real height only when its text is here: then its place is looked up once more.
  const arrived = useApp(
    (state) => selected !== null && rowAt(state.session.windows, selected) !== null,
  )
  const jump = useRef<{ target: number; align: 'auto' | 'center' } | null>(null)
  useEffect(() => {
    if (target === undefined) return undefined
    if (jump.current?.target !== target) {
      const near = visible.some(({ index }) => Math.abs(index - target) < NEAR_ROWS)
      jump.current = { target, align: near ? 'auto' : 'center' }
    }
    const { align } = jump.current
    let frames = 0
    let next = 0
    const show = () => {
      virtual.scrollToIndex(target, { align })
      frames += 1
      if (frames < SETTLE_FRAMES) next = requestAnimationFrame(show)
    }
    show()
    return () => {
      cancelAnimationFrame(next)
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- scrolls when the selection moves, not when rows are measured
  }, [target, arrived])

  const top = visible.find((entry) => entry.end > (virtual.scrollOffset ?? 0))
  const exchange = top && exchangeAt(items, top.index)
  return (
    <div className="list-frame">
      {exchange && <ExchangeHeader exchange={exchange} sticky />}
      <div
        ref={scroller}
        className="list-scroll"
        role="grid"
        aria-label="Events of this session"
        aria-rowcount={items.length}
        aria-activedescendant={selected === null ? undefined : `event-${selected}`}
        tabIndex={0}
        onKeyDown={onKey}
      >
        <div role="rowgroup" className="list-size" style={{ height: virtual.getTotalSize() }}>
          {visible.map((entry) => (
            <ListRow
              key={entry.key}
              entry={entry}
              item={items[entry.index]}
              measure={virtual.measureElement}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

function onKey(event: KeyboardEvent) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  move('event', event.key === 'ArrowDown' ? 1 : -1)
}

function keyOf(item: Item | undefined): string {
  if (!item) return 'none'
  return item.kind === 'exchange' ? `x${item.exchange.from}` : `e${item.seq}`
}

function exchangeAt(items: readonly Item[], index: number): Exchange | null {
  for (let at = index; at >= 0; at -= 1) {
    const item = items[at]
    if (item?.kind === 'exchange') return item.exchange
  }
  return null
}

interface RowProps {
  readonly entry: VirtualItem
  readonly item: Item | undefined
  readonly measure: (element: Element | null) => void
}

function ListRow({ entry, item, measure }: RowProps) {
  if (!item) return null
  const common = {
    role: 'row',
    'aria-rowindex': entry.index + 1,
    'data-index': entry.index,
    ref: measure,
    className: 'list-row',
    style: { transform: `translateY(${entry.start}px)` },
  }
  if (item.kind === 'exchange')
    return (
      <div {...common}>
        <ExchangeHeader exchange={item.exchange} />
      </div>
    )
  return <SelectableRow common={common} seq={item.seq} />
}

interface SelectableProps {
  readonly common: Readonly<Record<string, unknown>>
  readonly seq: number
}

function SelectableRow({ common, seq }: SelectableProps) {
  const selected = useApp((state) => state.view.selected === seq)
  const whole = useApp((state) => state.session.whole.get(seq) ?? null)
  const row = useApp((state) => rowAt(state.session.windows, seq))
  const replayed = useApp(replayedOf)
  const needle = useApp((state) => state.view.find?.text ?? '')
  const domain = useApp((state) => state.view.domain)
  const signal = useApp((state) => state.view.signal)
  const focus = selected && domain !== null && signal !== null ? { domain, signal } : null
  const shown = whole ?? row
  return (
    <div {...common} id={`event-${seq}`} aria-selected={selected}>
      {shown ? (
        <EventRowView
          row={shown}
          verdict={replayed && verdictOf(replayed, seq)}
          selected={selected}
          whole={whole !== null}
          needle={needle}
          focus={focus}
        />
      ) : (
        <SkeletonRow />
      )}
    </div>
  )
}

function ExchangeHeader({
  exchange,
  sticky,
}: {
  readonly exchange: Exchange
  readonly sticky?: boolean
}) {
  const events = exchange.to - exchange.from
  return (
    <div
      className={sticky ? 'exchange exchange-sticky' : 'exchange'}
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

function SkeletonRow() {
  return (
    <div className="row-grid row-skeleton">
      <span role="gridcell" className="visually-hidden">
        loading
      </span>
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
    <section className="list" aria-label="Events" aria-busy>
      <div className="list-toolbar" />
      <div className="list-frame" aria-hidden>
        {Array.from({ length: 9 }, (_, at) => (
          <div key={at} className="row-grid row-skeleton row-skeleton-static">
            <i className="bone" />
            <i className="bone" />
            <i className="bone bone-long" />
            <i className="bone" />
          </div>
        ))}
      </div>
    </section>
  )
}
