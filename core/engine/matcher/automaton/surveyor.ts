import { createHeads, type Heads } from './heads.ts'
import { isPlacedKind, type SignalEvent } from './events.ts'
import type { Prefilter } from './prefilter.ts'
import { createWalkTable, type WalkTable } from './walks.ts'

/** A signal that may match, from the given character (in code points) or, where null, anywhere. */
export interface Suspect {
  readonly signal: number
  readonly from: number | null
}

/** Most room for classes that is kept for the next text. */
const KEPT = 1 << 21

/** Events as numbers side by side: they are read for every few characters of every text. */
interface EventTable {
  readonly kinds: Uint8Array
  /** 1 if the beginning of the match matters. */
  readonly placed: Uint8Array
  readonly signals: Uint32Array
  readonly slots: Uint32Array
  readonly skipped: Uint8Array
  readonly most: Int32Array
}

const KINDS = [
  ...(['match', 'begun', 'anywhere', 'head', 'tail'] as const),
  ...(['passed', 'ended', 'place', 'walk'] as const),
] satisfies ReadonlyArray<SignalEvent['kind']>
function tableOf(events: readonly SignalEvent[]): EventTable {
  return {
    kinds: Uint8Array.from(events, (event) => KINDS.indexOf(event.kind)),
    placed: Uint8Array.from(events, (event) => (isPlacedKind(event) ? 1 : 0)),
    signals: Uint32Array.from(events, (event) => event.signal),
    slots: Uint32Array.from(events, (event) => event.slot),
    skipped: Uint8Array.from(events, (event) => event.skipped),
    most: Int32Array.from(events, (event) => event.most),
  }
}

/** A match that ends before the character `end`, if the looks of its slot hold. */
export interface Waiting {
  readonly event: number
  readonly end: number
}

/** Automata with the working memory of a pass over a text. It serves one text at a time. */
export interface Surveyor {
  readonly prefilter: Prefilter
  readonly events: EventTable
  /** Text (by count) on which a signal was last known to match, or to need a run as a whole. */
  readonly known: Uint32Array
  /** By event: the text on which it was last met on the way from its beginning. */
  readonly begun: Uint32Array
  readonly heads: Heads
  /** [C20] Events that match where something else holds, and the ends of their matches. */
  waiting: Waiting[]
  /** [C20] By slot: the text in which it has places that are not known. */
  readonly doubtful: Uint32Array
  /** The current text: its number, its characters as classes, and the results. */
  text: number
  classes: Uint16Array
  /** States of the narrow automaton that report, and the characters that they were reached with. */
  notedStates: Uint16Array
  notedPlaces: Uint32Array
  noted: number
  /** Its length in characters without blanks at its end. */
  filled: number
  /** [C21] The moves of walks, see walks.ts. */
  walkTable: WalkTable
  /** [C21] Characters that may still be walked over in this text. */
  walkable: number
  /** Its length in characters. */
  count: number
  fired: number[]
  suspects: Suspect[]
}

/** Gets automata of so many signals ready to read texts. */
export function createSurveyor(prefilter: Prefilter, signals: number): Surveyor {
  return {
    prefilter,
    events: tableOf(prefilter.events),
    known: new Uint32Array(signals),
    begun: new Uint32Array(prefilter.events.length),
    heads: createHeads(prefilter.slots.length),
    waiting: [],
    doubtful: new Uint32Array(prefilter.slots.length),
    text: 0,
    classes: new Uint16Array(1 << 12),
    notedStates: new Uint16Array(1 << 12),
    notedPlaces: new Uint32Array(1 << 12),
    noted: 0,
    filled: 0,
    walkTable: createWalkTable(prefilter.streams[0].columns),
    walkable: 0,
    count: 0,
    fired: [],
    suspects: [],
  }
}

/** Room for the classes of a text, and for all of its places. */
export function makeRoom(surveyor: Surveyor, length: number): void {
  // [C11] The last of the three: a cut between them leaves it too small.
  if (surveyor.notedPlaces.length >= length) return
  surveyor.classes = new Uint16Array(length * 2)
  surveyor.notedStates = new Uint16Array(length * 2)
  surveyor.notedPlaces = new Uint32Array(length * 2)
}

/** Frees the memory used for a very long text. */
export function freeRoom(surveyor: Surveyor): void {
  if (surveyor.notedPlaces.length <= KEPT) return
  surveyor.notedPlaces = new Uint32Array(0)
  surveyor.notedStates = new Uint16Array(0)
  surveyor.classes = new Uint16Array(0)
}
