import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { move } from '../../app/select.ts'
import type { Exchange } from '../../app/selectors.ts'
import { Slot } from '../../app/slot.tsx'
import type { State } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { replayedOf } from '../../app/verdicts.ts'
import { inForce } from '../../app/wire.ts'
import { Empty } from '../../ui/answered.tsx'
import { ListFrame } from '../../ui/list-frame.tsx'
import { remember } from '../../ui/remember.ts'
import { useRows } from '../../ui/use-rows.ts'
import { needlesOf } from '../../stores/find/find-terms.ts'
import { isSticking, pauseSticking, resumeSticking } from '../../app/stick.ts'
import { useLab } from '../../stores/lab/store.ts'
import { wrongIn } from '../../stores/label/wrong.ts'
import { marksFor } from '../../stores/label/marks.ts'
import { type Items, exchangeOf, itemAt, listItems, placeOfSeq } from './list-items.ts'
import { EventLine, ExchangeHeader, ExchangeLine, ListSkeleton } from './list-row.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { ensureRows } from '../../app/rows.ts'

const HEADER_PX = 30
const ROW_PX = 52

/** Events that the list is limited to; null = no such limit. */
function onlyMatches(state: State): readonly number[] | null {
  const { find } = state.view
  return find?.only && find.scope === 'session' && find.query !== '' ? find.seqs : null
}

/** [U75] Wrong turns, of those that match where something is looked for. */
const wrongAnd = remember(
  (matches: readonly number[] | null, wrong: readonly number[] | null): readonly number[] => {
    const found = matches && new Set(matches)
    return (wrong ?? []).filter((seq) => found?.has(seq) ?? true)
  },
)

/** The transcript: a virtual list of events, grouped by exchange; beside it what find found. */
export function TurnList() {
  const events = useApp((state) => valueOf(state.session.events))
  const replayed = useApp(replayedOf)
  const show = useApp((state) => state.view.show)
  const matches = useApp(onlyMatches)
  const labels = useLab((state) => state.labels)
  const wrong = useApp((state) => wrongIn(state, labels))
  const finding = useApp((state) => state.view.find !== null)
  const panel = useApp((state) => state.view.find?.panel ?? false)
  if (!events) return <ListSkeleton />
  const items =
    show === 'wrong'
      ? listItems(events, replayed, 'all', wrongAnd(matches, wrong))
      : listItems(events, replayed, show, matches)
  return (
    <section className="list shrink-y column full-height on-bg" aria-label="Events">
      <ListToolbar />
      {finding && <Slot name="ListBar" />}
      <div className={panel ? 'list-split fill flex list-split-panel' : 'list-split fill flex'}>
        {panel && <Slot name="ListSide" />}
        {items.cells.length === 0 ? (
          <Empty>{emptyWords(show, matches !== null)}</Empty>
        ) : (
          <Rows items={items} />
        )}
      </div>
    </section>
  )
}

function emptyWords(show: string, matching: boolean): string {
  if (matching) return 'No event that is listed matches what you look for.'
  if (show === 'flips') return 'No turn flips: both presets decide every turn alike.'
  if (show === 'wrong') return 'No labelled turn is wrong.'
  return 'No events to show.'
}

/** Headers have separate keys from events. */
function keyOf({ cells, exchanges }: Items, at: number): number {
  const cell = cells[at] ?? 0
  return cell >= 0 ? cell * 2 : (exchanges[~cell]?.from ?? 0) * 2 + 1
}

function Rows({ items }: { readonly items: Items }) {
  const selected = useApp((state) => state.view.selected)
  const replayed = useApp(replayedOf)
  const stick = useApp(isSticking)
  const query = useApp((state) => state.view.find?.query ?? '')
  // Rows of another configuration have other marks: asking again is cheap when nothing changed.
  const config = useApp((state) => inForce(state)?.of ?? '')
  const needles = useMemo(() => needlesOf(query), [query])
  const [exchange, setExchange] = useState<Exchange | null>(null)
  const source = useMemo(
    () => ({
      count: items.cells.length,
      keyAt: (at: number) => keyOf(items, at),
      estimate: (at: number) => ((items.cells[at] ?? 0) < 0 ? HEADER_PX : ROW_PX),
    }),
    [items],
  )
  const view = useRows(source, {
    stick,
    onTop: (at) => setExchange(exchangeOf(items, at)),
    onEnd: (isAtEnd) => {
      if (isAtEnd) resumeSticking()
      else pauseSticking()
    },
  })
  const { box, from, to, row } = view
  const target = selected === null ? undefined : placeOfSeq(items, selected)
  useLayoutEffect(() => {
    // Following keeps the end in sight, wherever the selection is.
    if (target !== undefined && !stick) box.scrollTo(target)
    // oxlint-disable-next-line react/exhaustive-deps -- scrolls when the selection moves, not when following pauses
  }, [target, box])
  useFetchedRows(items, from, to, config)
  return (
    <div className="list-frame fill relative clip">
      {exchange && <ExchangeHeader exchange={exchange} sticky />}
      <ListFrame
        view={view}
        className="list-scroll virtual-scroll scroll"
        role="grid"
        label="Events of this session"
        rowCount={items.cells.length}
        active={selected === null ? undefined : `event-${selected}`}
        onStep={(by) => move('event', by)}
      >
        {(at) => {
          const item = itemAt(items, at)
          if (!item) return null
          return item.kind === 'exchange' ? (
            <ExchangeLine
              key={`x${item.exchange.from}`}
              exchange={item.exchange}
              at={at}
              rowRef={row}
            />
          ) : (
            <EventLine
              key={item.seq}
              at={at}
              replayed={replayed}
              needles={needles}
              seq={item.seq}
              rowRef={row}
            />
          )
        }}
      </ListFrame>
      <Slot name="ListEnd" />
    </div>
  )
}

/** Rows around those in view are fetched too, so that slow scrolling never meets an empty one. */
const AHEAD = 40
/** Debounce before requesting the rows in view during fast scrolling, in ms. */
const FETCH_MS = 60
/** Jumps that follow each other faster than this are a held key: texts come when it pauses. */
const HELD_MS = 120
const WIDE = 400

function useFetchedRows(items: Items, from: number, to: number, config: string): void {
  const seen = useRef({ from: 0, to: 0, jumpedAt: -Infinity })
  useEffect(() => {
    const before = seen.current
    const isJump = from >= before.to || to <= before.from
    const now = performance.now()
    const held = isJump && now - before.jumpedAt < HELD_MS
    seen.current = { from, to, jumpedAt: isJump ? now : before.jumpedAt }
    const ends = [from, to - 1].flatMap((at) => itemAt(items, at) ?? [])
    const seqs = ends.map((item) => (item.kind === 'event' ? item.seq : item.exchange.from))
    const [first = 0, last = first] = seqs
    // A filtered list may span thousands of events. In that case only the visible ones are requested.
    const wide = last - first > WIDE
    marksFor(first, wide ? first + WIDE : last)
    const timer = setTimeout(() => {
      if (!wide) ensureRows(first - AHEAD, last + AHEAD)
      else
        for (let at = from; at < to; at += 1) {
          const item = itemAt(items, at)
          if (item?.kind === 'event') ensureRows(item.seq, item.seq)
        }
    }, FETCH_MS)
    if (!wide && !held) ensureRows(first, last)
    return () => clearTimeout(timer)
  }, [items, from, to, config])
}
