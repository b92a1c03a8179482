import type { Alphabet } from './alphabet.ts'
import { contextOf } from './closure.ts'
import {
  CONTEXTS,
  DEAD,
  emptyMachine,
  eventsOf,
  isPlaced,
  mustBeEmptied,
  nextOf,
  pendingOf,
  startOf,
  type Machine,
} from './machine.ts'
import { createMoves, type Moves } from './moves.ts'
import { createNumberLists, roomFor, type NumberLists } from './number-lists.ts'

/** Entry of the table that is not known yet. */
export const UNKNOWN = 0
/** Maximum characters of a match. A longer match whose beginning matters is left to the patterns. */
const LONGEST = 63
/** Instead of the length in a report: a match that is longer than `LONGEST` may lead to the event. */
export const TOO_LONG = 127
/** Numbers of states: an entry of the table has 16 bits. */
export const MOST_STATES = 0xffff
/** Columns at least for the first classes above U+007F: the letters and signs that most texts have. */
const SPARE = 6
/** Columns are a multiple of this, so that the frequent classes, which come first, share a cache line. */
const LINE = 32

/**
 * [C16] A machine that is entered at every position of a text, in one pass over it. A state is a list. It starts with
 * the machine's state before the next character. Next come the number of walks whose beginning does not matter, and
 * these walks, each once, as states of the machine. The others follow, the longest first, as 64 times the machine's
 * state plus the characters before the last one.
 */
export interface Stream {
  readonly machine: Machine
  readonly columns: number
  /** `table[state * columns + class]` is the next state, for classes below `columns`. */
  table: Uint16Array
  /** By state: 1 = it has reports. */
  reporting: Uint8Array
  /** `reports` from `reportStarts[state]` up to `reportStarts[state + 1]`, see `reportOf`. */
  reportStarts: Uint32Array
  reports: Uint32Array
  lists: NumberLists
  /** Next states for classes beyond the columns (of a frozen stream, for all classes). */
  aside: Moves
  /** The state at the beginning of a text; `UNKNOWN`: not known yet. */
  first: number
  /** By what came before: the state within a text that it is entered in, as `first`. */
  readonly entered: Uint32Array
  /** [C11] Set while it changes: a cut in between leaves it set. */
  growing: boolean
  /** The list of the state that is being made. */
  draft: Uint32Array
}

/**
 * An event after a character: its number times 256; 128 if that character does not belong to the match; the characters
 * of the match before that one, or `TOO_LONG`.
 */
const reportOf = (event: number, late: number, length: number): number =>
  event * 256 + late * 128 + length

/** Columns for an alphabet. */
export function columnsFor(alphabet: Alphabet): number {
  return Math.ceil((alphabet.size() + SPARE) / LINE) * LINE
}

/** The machine entered everywhere; `states`: room for so many. */
export function createStream(machine: Machine, columns: number, states = 64): Stream {
  const stream: Stream = {
    machine,
    columns,
    table: new Uint16Array(states * columns),
    reporting: new Uint8Array(states),
    reportStarts: new Uint32Array(states + 1),
    reports: new Uint32Array(256),
    lists: createNumberLists(),
    aside: createMoves(),
    first: UNKNOWN,
    growing: false,
    draft: new Uint32Array(256),
    entered: new Uint32Array(CONTEXTS),
  }
  // Number 0 is `UNKNOWN`.
  stream.lists.idOf([], 0)
  return stream
}

function emptyStream(stream: Stream): void {
  stream.growing = true
  stream.table = new Uint16Array(64 * stream.columns)
  stream.reporting = new Uint8Array(64)
  stream.reportStarts = new Uint32Array(65)
  stream.lists = createNumberLists()
  stream.lists.idOf([], 0)
  stream.aside = createMoves()
  stream.first = UNKNOWN
  stream.entered.fill(UNKNOWN)
  stream.growing = false
}

/**
 * Must be called at the beginning of a text. Drops a stream that was interrupted while growing, or has grown too large.
 */
function tidy(stream: Stream): void {
  const { machine } = stream
  if (!stream.growing && !mustBeEmptied(machine)) return
  // Set first: a cut in the next line must not leave a stream over another machine.
  stream.growing = true
  emptyMachine(machine)
  emptyStream(stream)
}

/** The state in which nothing was read, behind a character of the class, or before the text (null). */
function freshState(stream: Stream, kind: number | null): number {
  stream.draft[0] = startOf(stream.machine, kind)
  stream.draft[1] = 0
  return numberOf(stream, 2)
}

/** Begins a text: the first state. */
export function beginStream(stream: Stream): number {
  tidy(stream)
  if (stream.first === UNKNOWN) stream.first = freshState(stream, null)
  return stream.first
}

/** Begins within a text, behind a character of the class: the first state. */
export function enterStream(stream: Stream, kind: number): number {
  tidy(stream)
  const context = contextOf(stream.machine.alphabet.traits(kind))
  const known = stream.entered[context] ?? UNKNOWN
  if (known !== UNKNOWN) return known
  const state = freshState(stream, kind)
  stream.entered[context] = state
  return state
}

/** The next state from the table, or a newly built one. */
export function stepStream(stream: Stream, state: number, kind: number): number {
  const { columns, table } = stream
  const known = kind < columns ? (table[state * columns + kind] ?? UNKNOWN) : UNKNOWN
  return known === UNKNOWN ? nextInStream(stream, state, kind) : known
}

/** Whether a walk is open in the state that read so many characters or more before the last one. */
export function isOpen({ lists }: Stream, state: number, characters: number): boolean {
  const from = lists.startOf(state)
  const placed = from + 2 + lists.at(from + 1)
  // The longest walks come first.
  return placed < lists.endOf(state) && (lists.at(placed) & 63) >= characters
}

/** Reports of the state whose list is in the draft. */
function reportsOf({ machine, draft }: Stream, length: number): readonly number[] {
  const found: number[] = []
  const loose = 2 + (draft[1] ?? 0)
  for (let at = 2; at < length; at += 1) {
    const cell = draft[at] ?? 0
    const [state, age] = at < loose ? [cell, 0] : [cell >>> 6, cell & 63]
    for (const event of eventsOf(machine, state)) found.push(reportOf(event >>> 1, event & 1, age))
    if (at < loose || age < LONGEST) continue
    for (const event of pendingOf(machine, state)) found.push(reportOf(event, 0, TOO_LONG))
  }
  return found
}

/** Whether the next unknown state causes a rebuild of the table. */
export const isFull = ({ lists }: Stream): boolean => lists.size > MOST_STATES

/** Number of the state whose list is in the draft. A full table is rebuilt. */
function numberOf(stream: Stream, length: number): number {
  stream.growing = true
  if (isFull(stream)) emptyStream(stream)
  const { lists, columns, draft } = stream
  const known = lists.size
  const state = lists.idOf(draft, length)
  if (state === known) {
    const reports = reportsOf(stream, length)
    const from = stream.reportStarts[state] ?? 0
    stream.table = roomFor(stream.table, (state + 1) * columns)
    stream.reporting = roomFor(stream.reporting, state + 1)
    stream.reportStarts = roomFor(stream.reportStarts, state + 2)
    stream.reports = roomFor(stream.reports, from + reports.length)
    stream.reports.set(reports, from)
    stream.reportStarts[state + 1] = from + reports.length
    stream.reporting[state] = reports.length > 0 ? 1 : 0
  }
  stream.growing = false
  return state
}

/** Inserts a walk whose beginning does not matter among the others of the draft, ascending, each once. */
function addLoose({ draft }: Stream, end: number, walk: number): number {
  let at = end
  for (; at > 2 && (draft[at - 1] ?? 0) >= walk; at -= 1) if (draft[at - 1] === walk) return end
  draft.copyWithin(at + 1, at, end)
  draft[at] = walk
  return end + 1
}

/** The state's walks one character on, and the one that begins with it, in the draft; returns their end. */
function advance(stream: Stream, state: number, kind: number): number {
  const { machine, lists } = stream
  const from = lists.startOf(state)
  const to = lists.endOf(state)
  stream.draft = roomFor(stream.draft, 2 * (to - from + 2))
  const { draft } = stream
  const loose = from + 2 + lists.at(from + 1)
  let end = 2
  const placed: number[] = []
  const take = (walk: number, age: number): void => {
    const next = nextOf(machine, walk, kind)
    if (next === DEAD) return
    if (isPlaced(machine, next)) placed.push(next * 64 + age)
    else end = addLoose(stream, end, next)
  }
  for (let at = from + 2; at < loose; at += 1) take(lists.at(at), 0)
  for (let at = loose; at < to; at += 1) {
    const cell = lists.at(at)
    const age = cell & 63
    if (age < LONGEST) take(cell >>> 6, age + 1)
  }
  take(lists.at(from), 0)
  draft[0] = startOf(machine, kind)
  draft[1] = end - 2
  draft.set(placed, end)
  return end + placed.length
}

/** The next state, as in the table (never `UNKNOWN`). */
export function nextInStream(stream: Stream, state: number, kind: number): number {
  const fits = kind < stream.columns
  const found = fits ? -1 : stream.aside.get(state, kind)
  if (found >= 0) return found
  const { lists } = stream
  const next = numberOf(stream, advance(stream, state, kind))
  // The table may have been rebuilt.
  if (stream.lists !== lists) return next
  if (fits) stream.table[state * stream.columns + kind] = next
  else {
    stream.growing = true
    stream.aside.add(state, kind, next)
    stream.growing = false
  }
  return next
}
