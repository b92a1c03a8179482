import { END } from './alphabet.ts'
import { addHead, hasHeads, lastEnd, takeTail } from './heads.ts'
import type { Slot } from './prefilter.ts'
import { TOO_LONG, type Stream } from './stream.ts'
import type { Surveyor } from './surveyor.ts'

/** Kinds of events by their numbers in the table. */
const MATCH = 0
const ANYWHERE = 2
const HEAD = 3
const TAIL = 4

function suspectFrom({ suspects, events, filled }: Surveyor, event: number, from: number): void {
  // [C18] A match from there would have to end with the text, and cannot reach so far.
  if (from < 0 || filled - from > (events.most[event] ?? 0)) return
  suspects.push({ signal: events.signals[event] ?? 0, from })
}

/** May begin anywhere: runs once, wherever else it may begin. */
export function suspectWhole({ suspects, known, text }: Surveyor, signal: number): void {
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

/** [C19] What an event means that is met on the way from the text's beginning. */
function takeAnchored(surveyor: Surveyor, event: number): void {
  const { events, known, begun, text } = surveyor
  const signal = events.signals[event] ?? 0
  if (known[signal] === text || begun[event] === text) return
  begun[event] = text
  if (events.kinds[event] === MATCH) fire(surveyor, signal)
  else suspectFrom(surveyor, event, 0)
}

/** [C19] Takes all events of a state of the anchored automaton, of which each counts once. */
export function takeAllAnchored(surveyor: Surveyor, state: number): void {
  const { known } = surveyor.prefilter.anchored
  const from = known.startOf(state) + 2
  const last = from + known.at(from - 1)
  for (let place = from; place < last; place += 1) takeAnchored(surveyor, known.at(place) >>> 1)
}

/** Takes all reports of a state that was reached with the character `at`. */
export function takeAll(surveyor: Surveyor, stream: Stream, state: number, at: number): void {
  const { reportStarts, reports } = stream
  const last = reportStarts[state + 1] ?? 0
  for (let index = reportStarts[state] ?? 0; index < last; index += 1)
    take(surveyor, reports[index] ?? 0, at)
}
