import { END, LAST_NEWLINE, UNSEEN, type Alphabet } from './alphabet.ts'
import { addHead, beginHeads, createHeads, hasHeads, lastEnd, takeTail, type Heads } from './heads.ts'
import type { Prefilter, SignalEvent, Slot } from './prefilter.ts'
import { beginStream, nextInStream, TOO_LONG, UNKNOWN, type Stream } from './stream.ts'
import type { TextFacts } from './text-facts.ts'
import { filledLength } from './to-end.ts'

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

/** Most room for classes that is kept for the next text. */
const KEPT = 1 << 21

/** Events as numbers side by side: they are read for every few characters of every text. */
interface EventTable {
  readonly kinds: Uint8Array
  readonly signals: Uint32Array
  readonly slots: Uint32Array
  readonly skipped: Uint8Array
  readonly most: Int32Array
}

const KINDS = ['match', 'begun', 'anywhere', 'head', 'tail'] as const satisfies ReadonlyArray<
  SignalEvent['kind']
>
const MATCH = 0
const ANYWHERE = 2
const HEAD = 3
const TAIL = 4

function tableOf(events: readonly SignalEvent[]): EventTable {
  return {
    kinds: Uint8Array.from(events, (event) => KINDS.indexOf(event.kind)),
    signals: Uint32Array.from(events, (event) => event.signal),
    slots: Uint32Array.from(events, (event) => event.slot),
    skipped: Uint8Array.from(events, (event) => event.skipped),
    most: Int32Array.from(events, (event) => event.most),
  }
}

/** Automata with what a pass over a text needs; it serves one text at a time. */
export interface Surveyor {
  readonly prefilter: Prefilter
  readonly events: EventTable
  /** Text (by count) on which a signal was last known to match, or to need a run as a whole. */
  readonly known: Uint32Array
  readonly heads: Heads
  /** The text at hand, by count, its characters as classes, and what was found in it. */
  text: number
  classes: Uint16Array
  /** States of the narrow automaton that report, and the characters that they were reached with. */
  notedStates: Uint16Array
  notedPlaces: Uint32Array
  /** Its length in characters without blanks at its end. */
  filled: number
  fired: number[]
  suspects: Suspect[]
}

/** Gets automata of so many signals ready to read texts. */
export function createSurveyor(prefilter: Prefilter, signals: number): Surveyor {
  return {
    prefilter,
    events: tableOf(prefilter.events),
    known: new Uint32Array(signals),
    heads: createHeads(prefilter.slots.length),
    text: 0,
    classes: new Uint16Array(1 << 12),
    notedStates: new Uint16Array(1 << 12),
    notedPlaces: new Uint32Array(1 << 12),
    filled: 0,
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

function makeRoom(surveyor: Surveyor, length: number): void {
  // [C11] The last of the three: a cut between them leaves it too small.
  if (surveyor.notedPlaces.length >= length) return
  surveyor.classes = new Uint16Array(length * 2)
  surveyor.notedStates = new Uint16Array(length * 2)
  surveyor.notedPlaces = new Uint32Array(length * 2)
}

/** Frees what a very long text needed. */
function freeRoom(surveyor: Surveyor): void {
  if (surveyor.notedPlaces.length <= KEPT) return
  surveyor.notedPlaces = new Uint32Array(0)
  surveyor.notedStates = new Uint16Array(0)
  surveyor.classes = new Uint16Array(0)
}

function suspectFrom({ suspects, events, filled }: Surveyor, event: number, from: number): void {
  // [C18] A match from there would have to end with the text, and cannot reach so far.
  if (from < 0 || filled - from > (events.most[event] ?? 0)) return
  suspects.push({ signal: events.signals[event] ?? 0, from })
}

/** May begin anywhere: runs once, wherever else it may begin. */
function suspectWhole({ suspects, known, text }: Surveyor, signal: number): void {
  if (known[signal] === text) return
  known[signal] = text
  suspects.push({ signal, from: null })
}

/** [C17] Whether the last head that ends early enough before `at` has only characters of the gap's set behind it. */
function bridges({ heads, prefilter, classes }: Surveyor, slot: number, at: number): boolean {
  const { least, reach, set } = prefilter.slots[slot] ?? NO_SLOT
  const end = lastEnd(heads, slot, at - least)
  if (end < 0 || at - end > reach) return false
  for (let gap = end; gap < at; gap += 1)
    if (!prefilter.alphabet.has(classes[gap] ?? END, set)) return false
  return true
}

const NO_SLOT: Slot = { least: 0, reach: -1, set: -1 }

function takeEnd(surveyor: Surveyor, event: number, at: number): void {
  const { events } = surveyor
  const slot = events.slots[event] ?? 0
  const { reach, set } = surveyor.prefilter.slots[slot] ?? NO_SLOT
  if (set < 0)
    for (const begin of takeTail(surveyor.heads, slot, at, reach))
      suspectFrom(surveyor, event, begin)
  else if (bridges(surveyor, slot, at)) fire(surveyor, events.signals[event] ?? 0)
}

function fire({ known, fired, text }: Surveyor, signal: number): void {
  known[signal] = text
  fired.push(signal)
}

/** What a report (see stream.ts) behind the character `at` means. */
function take(surveyor: Surveyor, report: number, at: number): void {
  const { events, known, text, heads } = surveyor
  const event = report >>> 8
  const kind = events.kinds[event]
  const slot = events.slots[event] ?? 0
  // By far the most are tails of heads that the text does not have.
  if (kind === TAIL && !hasHeads(heads, slot)) return
  const signal = events.signals[event] ?? 0
  if (known[signal] === text) return
  const length = report & 127
  if (length === TOO_LONG || kind === ANYWHERE) suspectWhole(surveyor, signal)
  else if (kind === MATCH) fire(surveyor, signal)
  else if (kind === TAIL) takeEnd(surveyor, event, at - length)
  else {
    const begin = at - length - (events.skipped[event] ?? 0)
    if (kind === HEAD) addHead(heads, slot, begin, (report & 128) === 0 ? at + 1 : at)
    else suspectFrom(surveyor, event, begin)
  }
}

function takeAll(surveyor: Surveyor, stream: Stream, state: number, at: number): void {
  const { reportStarts, reports } = stream
  const last = reportStarts[state + 1] ?? 0
  for (let index = reportStarts[state] ?? 0; index < last; index += 1)
    take(surveyor, reports[index] ?? 0, at)
}

/** Takes the reports of the first so many states of the narrow automaton that were noted. */
function takeNoted(surveyor: Surveyor, count: number): void {
  const { prefilter, notedStates, notedPlaces } = surveyor
  for (let index = 0; index < count; index += 1)
    takeAll(surveyor, prefilter.streams[0], notedStates[index] ?? 0, notedPlaces[index] ?? 0)
}

/**
 * [C16] Reads the text once with both automata. This loop is where the time goes: it waits for memory, so
 * that two tables at once take little longer than one. States of the narrow one that report are noted
 * without a branch, and looked at later: a branch that the processor guesses wrongly, at every 15th
 * character, would make it wait for all that it has asked for ahead.
 */
function read(surveyor: Surveyor, count: number): void {
  const { classes, notedStates, notedPlaces } = surveyor
  const [narrow, wide] = surveyor.prefilter.streams
  const { columns } = narrow
  let one = beginStream(narrow)
  let two = beginStream(wide)
  let { table: tableOne, reporting: reportingOne } = narrow
  let { table: tableTwo, reporting: reportingTwo } = wide
  let noted = 0
  for (let at = 0; at <= count; at += 1) {
    const kind = classes[at] ?? END
    const fits = kind < columns
    let nextOne = fits ? (tableOne[one * columns + kind] ?? UNKNOWN) : UNKNOWN
    let nextTwo = fits ? (tableTwo[two * columns + kind] ?? UNKNOWN) : UNKNOWN
    if (nextOne === UNKNOWN) {
      // The table may be made anew: numbers of states that were noted would mean others.
      takeNoted(surveyor, noted)
      noted = 0
      nextOne = nextInStream(narrow, one, kind)
      tableOne = narrow.table
      reportingOne = narrow.reporting
    }
    if (nextTwo === UNKNOWN) {
      nextTwo = nextInStream(wide, two, kind)
      tableTwo = wide.table
      reportingTwo = wide.reporting
    }
    one = nextOne
    two = nextTwo
    notedStates[noted] = one
    notedPlaces[noted] = at
    noted += reportingOne[one] ?? 0
    if (reportingTwo[two] !== 0) takeAll(surveyor, wide, two, at)
  }
  takeNoted(surveyor, noted)
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
  makeRoom(surveyor, text.length + 2)
  const count = classify(prefilter.alphabet, text, surveyor.classes)
  surveyor.filled = filledLength(text, count)
  read(surveyor, count)
  freeRoom(surveyor)
  const { fired, suspects } = surveyor
  return { fired, suspects, paired: count < text.length }
}
