import type { EventIndex } from '../../../core/wire/contract.ts'
import { remember } from '../../ui/remember.ts'
import { bisect } from '../../ui/sorted.ts'
import { type Exchange, exchanges } from '../../app/selectors.ts'
import type { Replayed, Show } from '../../app/store.ts'

/** A line of the list: an exchange's header or an event. */
export type Item =
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'event'; readonly seq: number }

/**
 * The lines of the list. One number each, because a session has hundreds of thousands: the `seq` of an
 * event, or `~n` for the header of exchange n.
 */
export interface Items {
  readonly cells: Int32Array
  readonly exchanges: readonly Exchange[]
}

/** 1 for every event that the filter lets through; null = all of them. */
function shownEvents(
  events: EventIndex,
  replayed: Replayed | null,
  show: Exclude<Show, 'wrong'>,
  matches: readonly number[] | null,
): Uint8Array | null {
  const byShow = show === 'all' || !replayed ? null : new Uint8Array(events.kind.length)
  if (byShow && replayed) {
    const { seq } = replayed.columns
    if (show === 'turns') for (const at of seq) byShow[at] = 1
    else for (const { turn } of replayed.flips) byShow[seq[turn] ?? 0] = 1
  }
  if (!matches) return byShow
  const both = new Uint8Array(events.kind.length)
  for (const at of matches) both[at] = byShow ? (byShow[at] ?? 0) : 1
  return both
}

/** The list under a filter; an exchange without anything to show has no header. `matches`: only these events. */
export const listItems = remember(
  (
    events: EventIndex,
    replayed: Replayed | null,
    show: Exclude<Show, 'wrong'>,
    matches: readonly number[] | null,
  ): Items => {
    const shown = shownEvents(events, replayed, show, matches)
    const all = exchanges(events)
    const cells = new Int32Array(events.kind.length + all.length)
    let size = 0
    all.forEach(({ from, to }, at) => {
      const header = size
      size += 1
      for (let seq = from; seq < to; seq += 1)
        if (!shown || shown[seq] === 1) {
          cells[size] = seq
          size += 1
        }
      if (size === header + 1) size = header
      else cells[header] = ~at
    })
    return { cells: cells.subarray(0, size), exchanges: all }
  },
)

/** A line by its place; undefined outside the list. */
export function itemAt({ cells, exchanges: all }: Items, at: number): Item | undefined {
  const cell = cells[at]
  if (cell === undefined) return undefined
  if (cell >= 0) return { kind: 'event', seq: cell }
  const exchange = all[~cell]
  return exchange && { kind: 'exchange', exchange }
}

/** Index of an event in the list, by `seq`; undefined if it is not listed. */
export function placeOfSeq({ cells, exchanges: all }: Items, seq: number): number | undefined {
  const place = bisect(cells.length, (at) => {
    const cell = cells[at] ?? 0
    // A header precedes the first event of its exchange.
    return (cell >= 0 ? cell : (all[~cell]?.from ?? 0) - 0.5) < seq
  })
  return cells[place] === seq ? place : undefined
}

/** The exchange that a line belongs to. */
export function exchangeOf(items: Items, at: number): Exchange | null {
  for (let place = Math.min(at, items.cells.length - 1); place >= 0; place -= 1) {
    const cell = items.cells[place] ?? 0
    if (cell < 0) return items.exchanges[~cell] ?? null
  }
  return null
}
