import { END, LAST_NEWLINE, UNSEEN, type Alphabet } from './alphabet.ts'
import { beginHeads } from './heads.ts'
import { DEAD, emptyMachine, mustBeEmptied, nextOf, startOf } from './machine.ts'
import { suspectWhole, takeAll, takeAllAnchored } from './reports.ts'
import { settle } from './settle.ts'
import { beginStream, isFull, stepStream, UNKNOWN } from './stream.ts'
import { freeRoom, makeRoom, type Surveyor, type Suspect } from './surveyor.ts'
import type { TextFacts } from '../text-facts.ts'
import { filledLength } from './to-end.ts'
import { createWalkTable } from './walks.ts'

/** [C21] Characters that walks may take in a text: so many, and so many times its own. */
const WALKABLE = 10_000
const WALKS = 4

/** Result of one pass over a text. Signals in neither list do not match. */
export interface Survey {
  /** Signals that match. */
  readonly fired: readonly number[]
  /** Signals that may match. A signal may occur several times. */
  readonly suspects: readonly Suspect[]
  /** Some characters of the text take two UTF-16 units. */
  readonly paired: boolean
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

/** Takes the reports of the states of the narrow automaton that were noted. */
function takeNoted(surveyor: Surveyor): void {
  const { prefilter, notedStates, notedPlaces, noted } = surveyor
  surveyor.noted = 0
  for (let index = 0; index < noted; index += 1)
    takeAll(surveyor, prefilter.streams[0], notedStates[index] ?? 0, notedPlaces[index] ?? 0)
}

/** Positions of both automata in a text. */
interface Cursor {
  at: number
  one: number
  two: number
}

/**
 * [C16] Advances both automata as far as their tables reach, up to the next reporting state of the wide one. This loop
 * takes most of the time. It waits for memory, so reading two tables together takes little longer than one, and it must
 * not look up anything that a call might change. Reporting states of the narrow automaton are recorded without a branch
 * and processed later. A mispredicted branch at every 15th character would stall the processor for all its prefetched
 * reads.
 */
function readKnown(surveyor: Surveyor, cursor: Cursor, count: number): void {
  const { classes, notedStates, notedPlaces } = surveyor
  const [narrow, wide] = surveyor.prefilter.streams
  const { columns, table: tableOne, reporting: reportingOne } = narrow
  const { table: tableTwo, reporting: reportingTwo } = wide
  let { at, one, two } = cursor
  let { noted } = surveyor
  for (; at <= count; at += 1) {
    const kind = classes[at] ?? END
    if (kind >= columns) break
    const nextOne = tableOne[one * columns + kind] ?? UNKNOWN
    const nextTwo = tableTwo[two * columns + kind] ?? UNKNOWN
    if (nextOne === UNKNOWN || nextTwo === UNKNOWN || reportingTwo[nextTwo] !== 0) break
    one = nextOne
    two = nextTwo
    notedStates[noted] = one
    notedPlaces[noted] = at
    noted += reportingOne[one] ?? 0
  }
  surveyor.noted = noted
  cursor.at = at
  cursor.one = one
  cursor.two = two
}

/** Reads one character with both automata, even if it is missing in their tables. */
function readOne(surveyor: Surveyor, cursor: Cursor): void {
  const { classes, prefilter, notedStates, notedPlaces } = surveyor
  const [narrow, wide] = prefilter.streams
  const { at } = cursor
  const kind = classes[at] ?? END
  // The table may be rebuilt, which would invalidate the recorded state numbers.
  if (isFull(narrow)) takeNoted(surveyor)
  cursor.one = stepStream(narrow, cursor.one, kind)
  cursor.two = stepStream(wide, cursor.two, kind)
  notedStates[surveyor.noted] = cursor.one
  notedPlaces[surveyor.noted] = at
  surveyor.noted += narrow.reporting[cursor.one] ?? 0
  if (wide.reporting[cursor.two] !== 0) takeAll(surveyor, wide, cursor.two, at)
  cursor.at = at + 1
}

/** Reads the text once with both automata. */
function read(surveyor: Surveyor, count: number): void {
  const [narrow, wide] = surveyor.prefilter.streams
  const cursor: Cursor = { at: 0, one: beginStream(narrow), two: beginStream(wide) }
  surveyor.noted = 0
  while (cursor.at <= count) {
    readKnown(surveyor, cursor, count)
    if (cursor.at <= count) readOne(surveyor, cursor)
  }
  takeNoted(surveyor)
}

/** [C19] Goes from the text's beginning as far as a way may match that matches there only: rarely far. */
function readAnchored(surveyor: Surveyor, count: number): void {
  const { classes, prefilter } = surveyor
  const { anchored } = prefilter
  if (mustBeEmptied(anchored)) emptyMachine(anchored)
  let state = startOf(anchored, null)
  for (let at = 0; at <= count && state !== DEAD; at += 1) {
    state = nextOf(anchored, state, classes[at] ?? END)
    takeAllAnchored(surveyor, state, at)
  }
}

/**
 * Reads a text once and returns the signals that match, and those that may. Exact: a signal not listed does not match,
 * and one listed as fired does.
 */
export function surveyText(surveyor: Surveyor, { text }: TextFacts): Survey {
  const { prefilter } = surveyor
  surveyor.text += 1
  beginHeads(surveyor.heads)
  surveyor.fired = []
  surveyor.suspects = []
  surveyor.waiting = []
  for (const signal of prefilter.always) suspectWhole(surveyor, signal)
  makeRoom(surveyor, text.length + 2)
  const count = classify(prefilter.alphabet, text, surveyor.classes)
  surveyor.filled = filledLength(text, count)
  surveyor.count = count
  surveyor.walkable = WALKABLE + count * WALKS
  if (mustBeEmptied(prefilter.walks)) {
    // [C11] If a cut-off happens here, the machine remains marked as to be emptied.
    surveyor.walkTable = createWalkTable(prefilter.streams[0].columns)
    emptyMachine(prefilter.walks)
  }
  readAnchored(surveyor, count)
  read(surveyor, count)
  settle(surveyor)
  freeRoom(surveyor)
  const { fired, suspects } = surveyor
  return { fired, suspects, paired: count < text.length }
}
