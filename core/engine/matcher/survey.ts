import { END, LAST_NEWLINE, UNSEEN, type Alphabet } from './alphabet.ts'
import { beginHeads } from './heads.ts'
import { DEAD, emptyMachine, mustBeEmptied, nextOf, startOf } from './machine.ts'
import { suspectWhole, takeAll, takeAllAnchored } from './reports.ts'
import { beginStream, nextInStream, UNKNOWN } from './stream.ts'
import { freeRoom, makeRoom, type Surveyor, type Suspect } from './surveyor.ts'
import type { TextFacts } from './text-facts.ts'
import { filledLength } from './to-end.ts'

/** What one pass over a text tells. Signals in neither list do not match. */
export interface Survey {
  /** Signals that match. */
  readonly fired: readonly number[]
  /** Signals that may match; a signal may stand several times. */
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

/** [C19] Goes from the text's beginning as far as a way may match that matches there only: rarely far. */
function readAnchored(surveyor: Surveyor, count: number): void {
  const { classes, prefilter } = surveyor
  const { anchored } = prefilter
  if (mustBeEmptied(anchored)) emptyMachine(anchored)
  let state = startOf(anchored, null)
  for (let at = 0; at <= count && state !== DEAD; at += 1) {
    state = nextOf(anchored, state, classes[at] ?? END)
    takeAllAnchored(surveyor, state)
  }
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
  readAnchored(surveyor, count)
  read(surveyor, count)
  freeRoom(surveyor)
  const { fired, suspects } = surveyor
  return { fired, suspects, paired: count < text.length }
}
