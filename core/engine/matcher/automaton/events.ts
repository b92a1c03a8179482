/**
 * What it means that an automaton came to an event. `match`: the signal matches. `begun`: it may match
 * from where the automaton entered. `anywhere`: it may match somewhere. `head`, `tail`: parts of a split way, see
 * `Way`; both have the same `slot`. `passed`: a head whose beginning nobody asks for (C17). `ended`: the signal
 * matches where what the slot looks at is there (C20). `place`: a place that looks ask for, of no signal. `walk`: the
 * signal matches where the slot's walk can be made from here (C21).
 */
export type EventKind =
  'match' | 'begun' | 'anywhere' | 'head' | 'tail' | 'passed' | 'ended' | 'place' | 'walk'

/** What an automaton reports, and of which signal. */
export interface SignalEvent {
  readonly signal: number
  readonly kind: EventKind
  readonly slot: number
  /** Characters before the place where the automaton entered that belong to the match. */
  readonly skipped: number
  /** [C18] Most characters from where the match begins to the text's end, see `mostToEnd`. */
  readonly most: number
}

/** Least and most characters that may stand between two places, and what set they are of. */
export interface Range {
  readonly least: number
  readonly reach: number
  /** Number of the set, or `ANY_SET`. */
  readonly set: number
}

/** What may stand between a head and its tail: a set of -1 says that they may be a match, any other that they are. */
export interface Slot extends Range {
  /** [C21] Number of the walk that must be possible from the end of the head; -1: of none. */
  readonly walk: number
  /** [C20] Numbers of the looks from the text's beginning, and from the end of the match, that must hold. */
  readonly atStart: readonly number[]
  readonly atEnd: readonly number[]
}

/** [C20] One of the parts must be there, or none where it is negative. */
export interface PlacedLook {
  readonly negative: boolean
  /** `slot` is that of the places behind the characters; `NO_PLACES`, `TO_END`: the characters are all. */
  readonly parts: ReadonlyArray<Range & { readonly slot: number }>
}

/** [C16] Where a match began is of no matter to other kinds of events. */
export const isPlacedKind = ({ kind }: SignalEvent): boolean => PLACED.has(kind)

const PLACED: ReadonlySet<string> = new Set(['begun', 'head', 'tail', 'place'])
