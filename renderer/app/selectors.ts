import type { EventIndex } from '../../core/wire/contract.ts'
import type { ReplayColumns } from '../../core/engine/schema/replay.ts'
import { type ThemeName, domainStyle } from '../ui/domain-style.ts'
import { valueOf } from './async-data.ts'
import { flipAt } from '../timeline/data.ts'
import { remember } from '../ui/remember.ts'
import { placeOf, runsOf } from '../ui/sorted.ts'
import type { Replayed, State, Theme } from './store.ts'

/** Turn (0-based) of an event, by `seq`; undefined when it is not a turn. */
export function turnOf(columns: Pick<ReplayColumns, 'seq'>, seq: number): number | undefined {
  return placeOf(columns.seq, seq)
}

/** From one user message to the next, `to` exclusive. `number` is 0 for events before the first message. */
export type Exchange = Readonly<ReturnType<typeof exchanges>[number]>

export const exchanges = remember(({ exchange, at }: EventIndex) =>
  runsOf(exchange.length, (seq) => exchange[seq]).map(({ from, to }) => {
    return { number: (exchange[from] ?? -1) + 1, from, to, at: at[from] ?? 0 }
  }),
)

/**
 * A stretch of turns with one compound in force (L1): its length, and the domains that the text alone indicated
 * instead.
 */
export type Stretch = Readonly<ReturnType<typeof stretchAt>>

const HELD_CODES = new Set([2, 3])

/** The same number for the same two domains in either order. */
function compoundOf(columns: ReplayColumns, turn: number): number {
  const a = columns.primary[turn] ?? -1
  const b = columns.secondary[turn] ?? -1
  return a < b ? a * 65_536 + b : b * 65_536 + a
}

/**
 * The stretch that contains a turn: first and last turn, 0-based, inclusive. Also the number of turns whose own text
 * decided nothing (held or resisted), the longest run of them, and the resisted domains, most frequent first.
 */
export function stretchAt(columns: ReplayColumns, turn: number) {
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

/**
 * The stretch with the most held turns in a row; null if no turn was held. One pass, because it is computed for every
 * session.
 */
export const worstStretch = remember((columns: ReplayColumns): Stretch | null => {
  // Turns that are held in a row under one compound are a run; those that are not held are runs of no account.
  const isHeld = (turn: number) => HELD_CODES.has(columns.event[turn] ?? 0)
  const held = runsOf(columns.turns, (turn) => (isHeld(turn) ? compoundOf(columns, turn) : null))
  let worst = { from: 0, to: 0 }
  for (const run of held)
    if (isHeld(run.from) && run.to - run.from > worst.to - worst.from) worst = run
  return worst.to === 0 ? null : stretchAt(columns, worst.from)
})

/** Number of consecutive flips from a turn on, itself included; 0 if the turn is no flip. */
export function flipRun(replayed: Replayed, turn: number): number {
  let count = 0
  while (flipAt(replayed.flips, turn + count)) count += 1
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
  return turnOf(replayed.columns, state.view.selected) ?? null
}

/** [U189] True once the session in view is read, replayed and drawn. Optional requests may start now. */
export function isSettled(state: State): boolean {
  return state.session.isDrawn && isReplayed(state)
}

/** The same before it is drawn. A session that is followed may never be, and counts as soon as a replay is there. */
export function isReplayed({ document, session }: State): boolean {
  const { replay, events } = session
  if (replay.status !== 'ready' || document.growth !== null) return false
  if (document.follow.state !== 'off') return true
  return replay.value.events >= (valueOf(events)?.kind.length ?? 0)
}

/** The theme to draw. */
export function resolveTheme(theme: Theme, systemDark: boolean): ThemeName {
  if (theme !== 'system') return theme
  return systemDark ? 'dark' : 'light'
}
