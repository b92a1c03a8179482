import { END, LAST_NEWLINE, UNSEEN, type Alphabet } from './alphabet.ts'
import { DEAD, UNKNOWN, WITH_EVENTS, type Dfa } from './machine.ts'
import { addHead, beginHeads, createHeads, takeTail, type Heads } from './heads.ts'
import type { Prefilter, SignalEvent } from './prefilter.ts'
import type { TextFacts } from './text-facts.ts'

/** A signal that may match, from the given character (in code points) or, where null, anywhere. */
export interface Suspect {
  readonly signal: number
  readonly from: number | null
}

/** What one pass over a text tells. Signals in neither list do not match. */
export interface Survey {
  /** Signals that match. */
  readonly fired: readonly number[]
  /** Signals that may match; a signal may stand several times. */
  readonly suspects: readonly Suspect[]
  /** Some characters of the text take two UTF-16 units. */
  readonly paired: boolean
}

/** Steps from one place after which what may still follow is left to the patterns: a run of a million blanks. */
const LONGEST_WALK = 2000
/** Longest text whose classes are kept for the next one. */
const KEPT = 1 << 20

/** Events as numbers side by side: they are read for every few characters of every text. */
interface EventTable {
  readonly kinds: Uint8Array
  readonly signals: Uint32Array
  readonly slots: Uint32Array
  readonly skipped: Uint8Array
}

const KINDS = ['match', 'begun', 'anywhere', 'head', 'tail'] as const satisfies ReadonlyArray<
  SignalEvent['kind']
>
const [MATCH, BEGUN, ANYWHERE, HEAD] = [0, 1, 2, 3]

function tableOf(events: readonly SignalEvent[]): EventTable {
  return {
    kinds: Uint8Array.from(events, (event) => KINDS.indexOf(event.kind)),
    signals: Uint32Array.from(events, (event) => event.signal),
    slots: Uint32Array.from(events, (event) => event.slot),
    skipped: Uint8Array.from(events, (event) => event.skipped),
  }
}

/** Automata with what a pass over a text needs; it serves one text at a time. */
export interface Surveyor {
  readonly prefilter: Prefilter
  readonly events: EventTable
  readonly reaches: Float64Array
  /** Text (by count) on which a signal was last known to match, or to need a run as a whole. */
  readonly known: Uint32Array
  readonly heads: Heads
  /** The text at hand, by count, its characters as classes, and what was found in it. */
  text: number
  classes: Uint16Array
  fired: number[]
  suspects: Suspect[]
}

/** Gets automata of so many signals ready to read texts. */
export function createSurveyor(prefilter: Prefilter, signals: number): Surveyor {
  return {
    prefilter,
    events: tableOf(prefilter.events),
    reaches: Float64Array.from(prefilter.reaches),
    known: new Uint32Array(signals),
    heads: createHeads(prefilter.reaches.length),
    text: 0,
    classes: new Uint16Array(1 << 12),
    fired: [],
    suspects: [],
  }
}

/** Writes the class of every character, and two ends; returns their number without the ends. */
function classify(alphabet: Alphabet, text: string, into: Uint16Array): number {
  const { classes } = alphabet
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    let code = text.charCodeAt(at)
    if (code >= 0xd800 && code < 0xdc00) {
      code = text.codePointAt(at) ?? code
      if (code > 0xffff) at += 1
    }
    let kind = code > 0xffff ? UNSEEN : (classes[code] ?? UNSEEN)
    if (kind === UNSEEN) kind = alphabet.classOf(code)
    into[count] = kind
    count += 1
  }
  if (text.endsWith('\n')) into[count - 1] = LAST_NEWLINE
  into[count] = END
  into[count + 1] = END
  return count
}

function roomFor(surveyor: Surveyor, length: number): Uint16Array {
  if (surveyor.classes.length >= length) return surveyor.classes
  const room = new Uint16Array(length * 2)
  if (length < KEPT) surveyor.classes = room
  return room
}

function suspectFrom({ suspects }: Surveyor, signal: number, from: number): void {
  if (from >= 0) suspects.push({ signal, from })
}

/** May begin anywhere: runs once, wherever else it may begin. */
function suspectWhole({ suspects, known, text }: Surveyor, signal: number): void {
  if (known[signal] === text) return
  known[signal] = text
  suspects.push({ signal, from: null })
}

function take(surveyor: Surveyor, event: number, from: number, end: number): void {
  const { events, known, text } = surveyor
  const signal = events.signals[event] ?? 0
  if (known[signal] === text) return
  const kind = events.kinds[event]
  const slot = events.slots[event] ?? 0
  if (kind === MATCH) {
    known[signal] = text
    surveyor.fired.push(signal)
  } else if (kind === HEAD)
    addHead(surveyor.heads, slot, { from: from - (events.skipped[event] ?? 0), end })
  else if (kind === BEGUN) suspectFrom(surveyor, signal, from - (events.skipped[event] ?? 0))
  else if (kind === ANYWHERE) suspectWhole(surveyor, signal)
  else
    for (const begin of takeTail(surveyor.heads, slot, from, surveyor.reaches[slot] ?? Infinity))
      suspectFrom(surveyor, signal, begin)
}

/** A walk that does not end: what may follow is to be looked for by the patterns themselves. */
function giveUp(surveyor: Surveyor, dfa: Dfa, state: number): void {
  for (const event of dfa.pending(state))
    suspectWhole(surveyor, surveyor.events.signals[event] ?? 0)
}

/**
 * Enters the automaton at every place. This loop is where the time goes: two characters tell at most
 * places that nothing comes of it.
 */
function walk(surveyor: Surveyor, dfa: Dfa, classes: Uint16Array, count: number): void {
  const { columns, pairs, pairStarts } = dfa
  let before: number | null = null
  let first = classes[0] ?? END
  for (let from = 0; from <= count; from += 1) {
    const second = classes[from + 1] ?? END
    let alive = UNKNOWN
    if (before !== null && before < columns && first < columns && second < columns)
      alive = pairs[(pairStarts[before] ?? 0) + first * columns + second] ?? UNKNOWN
    if (alive === 2 || (alive === UNKNOWN && dfa.pair(before, first, second)))
      follow(surveyor, dfa, classes, from)
    before = first
    first = second
  }
}

/** Follows the automaton from one place until nothing can match any more. */
function follow(surveyor: Surveyor, dfa: Dfa, classes: Uint16Array, from: number): void {
  const { columns } = dfa
  let { table } = dfa
  let state = dfa.start(from === 0 ? null : (classes[from - 1] ?? END))
  const limit = from + LONGEST_WALK
  for (let to = from; to < limit; to += 1) {
    const kind = classes[to] ?? END
    let entry = kind < columns ? (table[state * columns + kind] ?? UNKNOWN) : UNKNOWN
    if (entry === UNKNOWN) {
      entry = dfa.next(state, kind)
      table = dfa.table
    }
    if (entry === DEAD) return
    state = entry & ~WITH_EVENTS
    if (entry !== state) takeAll(surveyor, dfa, state, { from, to })
  }
  giveUp(surveyor, dfa, state)
}

function takeAll(surveyor: Surveyor, dfa: Dfa, state: number, at: Stretch): void {
  const last = dfa.eventStarts[state + 1] ?? 0
  for (let index = dfa.eventStarts[state] ?? 0; index < last; index += 1)
    take(surveyor, dfa.eventList[index] ?? 0, at.from, at.to)
}

/** Where a walk began, and the character at which an event was met. */
interface Stretch {
  readonly from: number
  readonly to: number
}

/**
 * Reads a text once and tells which of the signals match it, and which may. Exact: a signal that is not
 * named does not match, and one that is called fired does.
 */
export function surveyText(surveyor: Surveyor, { text }: TextFacts): Survey {
  const { prefilter } = surveyor
  surveyor.text += 1
  beginHeads(surveyor.heads)
  surveyor.fired = []
  surveyor.suspects = []
  for (const signal of prefilter.always) suspectWhole(surveyor, signal)
  const classes = roomFor(surveyor, text.length + 2)
  const count = classify(prefilter.alphabet, text, classes)
  for (const dfa of prefilter.dfas) {
    dfa.begin()
    walk(surveyor, dfa, classes, count)
  }
  const { fired, suspects } = surveyor
  return { fired, suspects, paired: count < text.length }
}
