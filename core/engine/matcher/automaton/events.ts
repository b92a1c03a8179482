/**
 * Meaning of an event that an automaton reaches.
 * - `match`: the signal matches.
 * - `begun`: it may match from the position where the automaton entered.
 * - `anywhere`: it may match somewhere.
 * - `head`, `tail`: parts of a split way, see `Way`; both have the same `slot`.
 * - `passed`: a head whose beginning is not needed (C17).
 * - `ended`: the signal matches if the looks of its slot hold (C20).
 * - `place`: a position that looks need; it belongs to no signal.
 * - `walk`: the signal matches if the slot's walk succeeds from here (C21).
 */
export type EventKind =
  'match' | 'begun' | 'anywhere' | 'head' | 'tail' | 'passed' | 'ended' | 'place' | 'walk'

/** An event that an automaton reports, and its signal. */
export interface SignalEvent {
  readonly signal: number
  readonly kind: EventKind
  readonly slot: number
  /** Characters of the match before the position where the automaton entered. */
  readonly skipped: number
  /** [C18] Maximum characters from the beginning of the match to the end of the text, see `mostToEnd`. */
  readonly most: number
}

/** Minimum and maximum number of characters between two positions, and their set. */
export interface Range {
  readonly least: number
  readonly reach: number
  /** Number of the set, or `ANY_SET`. */
  readonly set: number
}

/**
 * The characters allowed between a head and its tail. With a set of -1, head and tail may be a match; with any other
 * set, they are one.
 */
export interface Slot extends Range {
  /** [C21] Number of the walk that must be possible from the end of the head; -1: of none. */
  readonly walk: number
  /** [C20] Numbers of the looks from the text's beginning, and from the end of the match, that must hold. */
  readonly atStart: readonly number[]
  readonly atEnd: readonly number[]
}

/** [C20] One of the parts must be present, or none if the look is negative. */
export interface PlacedLook {
  readonly negative: boolean
  /** `slot` is that of the places behind the characters; `NO_PLACES`, `TO_END`: the characters are all. */
  readonly parts: ReadonlyArray<Range & { readonly slot: number }>
}

/** [C16] For other kinds of events it does not matter where a match began. */
export const isPlacedKind = ({ kind }: SignalEvent): boolean => PLACED.has(kind)

const PLACED: ReadonlySet<string> = new Set(['begun', 'head', 'tail', 'place'])
