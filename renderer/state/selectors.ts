import type { EventIndex } from '../../core/contract.ts'
import type { Flip, ReplayColumns } from '../../core/engine/schema/replay.ts'
import type { ThemeName } from '../ui/domain-style.ts'
import { domainStyle } from '../ui/domain-style.ts'
import { valueOf } from './async-data.ts'
import type { Replayed, Show, State, Theme } from './store.ts'

/** Remembers the answer to the last arguments: selectors are pure, so that is enough. */
export function remember<A extends readonly unknown[], R>(
  compute: (...args: A) => R,
): (...args: A) => R {
  let last: { readonly args: A; readonly result: R } | null = null
  return (...args) => {
    const known = last
    if (known?.args.length === args.length && args.every((arg, at) => arg === known.args[at]))
      return known.result
    const result = compute(...args)
    last = { args, result }
    return result
  }
}

/** Turn (0-based) of an event that is a turn, by `seq`. */
export const turnsBySeq = remember(
  (columns: ReplayColumns): ReadonlyMap<number, number> =>
    new Map(columns.seq.map((seq, turn) => [seq, turn])),
)

export const flipsByTurn = remember(
  (flips: readonly Flip[]): ReadonlyMap<number, Flip> =>
    new Map(flips.map((flip) => [flip.turn, flip])),
)

/** From one message of a person to the next. `number` is 0 for what came before the first. */
export interface Exchange {
  readonly number: number
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly at: number
}

export const exchanges = remember((events: EventIndex): readonly Exchange[] => {
  const found: Exchange[] = []
  const { exchange, at } = events
  let from = 0
  for (let seq = 1; seq <= exchange.length; seq += 1) {
    if (seq < exchange.length && exchange[seq] === exchange[from]) continue
    found.push({ number: (exchange[from] ?? -1) + 1, from, to: seq, at: at[from] ?? 0 })
    from = seq
  }
  return found
})

/** A line of the list: an exchange's header or an event. */
export type Item =
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'event'; readonly seq: number }

/** The list under a filter; an exchange without anything to show has no header. */
export const listItems = remember(
  (events: EventIndex, replayed: Replayed | null, show: Show): readonly Item[] => {
    const turns = replayed && turnsBySeq(replayed.columns)
    const flips = replayed && flipsByTurn(replayed.flips)
    const shown = (seq: number) => {
      if (show === 'all' || !turns) return true
      const turn = turns.get(seq)
      return turn !== undefined && (show === 'turns' || (flips?.has(turn) ?? false))
    }
    return exchanges(events).flatMap((exchange) => {
      const items: Item[] = []
      for (let seq = exchange.from; seq < exchange.to; seq += 1)
        if (shown(seq)) items.push({ kind: 'event', seq })
      return items.length === 0 ? [] : [{ kind: 'exchange' as const, exchange }, ...items]
    })
  },
)

/** Where an event stands in the list, by `seq`. */
export const itemsBySeq = remember(
  (items: readonly Item[]): ReadonlyMap<number, number> =>
    new Map(items.flatMap((item, at) => (item.kind === 'event' ? [[item.seq, at] as const] : []))),
)

/** A stretch of turns with one compound in force (L1): how long, and what the texts alone said instead. */
export interface Stretch {
  /** First and last turn, 0-based, inclusive. */
  readonly from: number
  readonly to: number
  /** Turns whose own text decided nothing: held or resisted. */
  readonly held: number
  /** Most held turns in a row. */
  readonly longest: number
  /** Domains held off, most often first. */
  readonly resisted: ReadonlyArray<{ readonly domain: string; readonly times: number }>
}

const HELD_CODES = new Set([2, 3])

function compoundOf(columns: ReplayColumns, turn: number): string {
  return [columns.primary[turn] ?? -1, columns.secondary[turn] ?? -1]
    .toSorted((a, b) => a - b)
    .join('+')
}

/** The stretch that a turn stands in. */
export function stretchAt(columns: ReplayColumns, turn: number): Stretch {
  const compound = compoundOf(columns, turn)
  let from = turn
  while (from > 0 && compoundOf(columns, from - 1) === compound) from -= 1
  let to = turn
  while (to + 1 < columns.turns && compoundOf(columns, to + 1) === compound) to += 1
  const times = new Map<string, number>()
  let held = 0
  let run = 0
  let longest = 0
  for (let at = from; at <= to; at += 1) {
    const isHeld = HELD_CODES.has(columns.event[at] ?? 0)
    run = isHeld ? run + 1 : 0
    longest = Math.max(longest, run)
    if (isHeld) held += 1
    const domain = columns.domains[columns.resisted[at] ?? -1]
    if (domain !== undefined) times.set(domain, (times.get(domain) ?? 0) + 1)
  }
  const resisted = [...times]
    .map(([domain, count]) => ({ domain, times: count }))
    .toSorted((a, b) => b.times - a.times)
  return { from, to, held, longest, resisted }
}

/** The stretch with the most held turns in a row; null where nothing was held. */
export const worstStretch = remember((columns: ReplayColumns): Stretch | null => {
  let worst: Stretch | null = null
  for (let turn = 0; turn < columns.turns;) {
    const stretch = stretchAt(columns, turn)
    if (stretch.longest > (worst?.longest ?? 0)) worst = stretch
    turn = stretch.to + 1
  }
  return worst
})

/** How many flips in a row start at a turn, itself included; 0 when it is none. */
export function flipRun(replayed: Replayed, turn: number): number {
  const flips = flipsByTurn(replayed.flips)
  let count = 0
  while (flips.has(turn + count)) count += 1
  return count
}

export const looks = remember(domainStyle)

const noNames: readonly string[] = []

/** Names of the configuration's domains in its order: from the replay, else from the host's list. */
export function domainNames(state: State): readonly string[] {
  return valueOf(state.session.replay)?.columns.domains ?? noNames
}

/** Turn (0-based) of the selected event; null when it is not classified. */
export function selectedTurn(state: State): number | null {
  const replayed = valueOf(state.session.replay)
  if (!replayed || state.view.selected === null) return null
  return turnsBySeq(replayed.columns).get(state.view.selected) ?? null
}

/** The theme to draw. */
export function resolveTheme(theme: Theme, systemDark: boolean): ThemeName {
  if (theme !== 'system') return theme
  return systemDark ? 'dark' : 'light'
}
