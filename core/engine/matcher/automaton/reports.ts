import { END } from './alphabet.ts'
import { DEAD } from './machine.ts'
import { addHead, hasHeads, lastEnd, takeTail } from './heads.ts'
import { ANY_SET, NO_SLOT } from './building.ts'
import type { Slot } from './events.ts'
import { TOO_LONG, type Stream } from './stream.ts'
import type { Surveyor } from './surveyor.ts'
import { beginWalk, ENDS_BEFORE, ENDS_BEHIND, walkCell } from './walks.ts'

/** Kinds of events by their numbers in the table. */
const MATCH = 0
const HEAD = 3
const TAIL = 4
const PASSED = 5
const ENDED = 6
const WALK = 8

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

/** Whether the characters from `from` to `to` are of the set. */
export function isFilled(
  { prefilter: { alphabet }, classes }: Surveyor,
  set: number,
  from: number,
  to: number,
): boolean {
  if (set === ANY_SET) return true
  for (let at = from; at < to; at += 1) if (!alphabet.has(classes[at] ?? END, set)) return false
  return true
}

/** [C17] Whether the last head that ends early enough before `at` has only characters of the gap's set behind it. */
function bridges(
  surveyor: Surveyor,
  { least, reach, set }: Slot,
  slot: number,
  at: number,
): boolean {
  const end = lastEnd(surveyor.heads, slot, at - least)
  return end >= 0 && at - end <= reach && isFilled(surveyor, set, end, at)
}

/** [C21] Runs the slot's walk from `from`. If it reaches its end, the signal matches. */
function walk(surveyor: Surveyor, event: number, { walk: entry }: Slot, from: number): void {
  const { classes, count, known, text, events, prefilter, walkTable } = surveyor
  const { walks } = prefilter
  const signal = events.signals[event] ?? 0
  let state = beginWalk(walks, entry, classes, from)
  let at = from
  for (; at <= count && state !== DEAD && known[signal] !== text; at += 1) {
    const cell = walkCell(walkTable, walks, state, classes[at] ?? END)
    if ((cell & ENDS_BEHIND) !== 0) takeMatch(surveyor, event, at + 1)
    if ((cell & ENDS_BEFORE) !== 0) takeMatch(surveyor, event, at)
    state = (cell >>> 2) - 1
  }
  surveyor.walkable -= at - from
}

/** [C21] The same while the text has not been walked over too often; then the pattern is run. */
function tryWalk(surveyor: Surveyor, event: number, slot: Slot, from: number): void {
  if (surveyor.walkable > 0) walk(surveyor, event, slot, from)
  else suspectWhole(surveyor, surveyor.events.signals[event] ?? 0)
}

/** A tail that begins at `at`; its match ends before `end`. */
function takeTailAt(surveyor: Surveyor, event: number, at: number, end: number): void {
  const { heads, events } = surveyor
  const number = events.slots[event] ?? 0
  const slot = slotOf(surveyor, event)
  if (slot.walk >= 0)
    for (const begin of takeTail(heads, number, at, slot.reach))
      tryWalk(surveyor, event, slot, begin)
  else if (slot.set === NO_SET)
    for (const begin of takeTail(heads, number, at, slot.reach)) suspectFrom(surveyor, event, begin)
  else if (bridges(surveyor, slot, number, at)) takeMatch(surveyor, event, end)
}

/** The slot's head and tail may be a match, with any characters in between. */
const NO_SET = -1

const slotOf = ({ prefilter, events }: Surveyor, event: number): Slot =>
  prefilter.slots[events.slots[event] ?? 0] ?? NO_SLOT

/** [C20] The signal matches, or it will be seen whether it does. */
function takeMatch(surveyor: Surveyor, event: number, end: number): void {
  const { atStart, atEnd } = slotOf(surveyor, event)
  if (atStart.length + atEnd.length === 0) fire(surveyor, surveyor.events.signals[event] ?? 0)
  else surveyor.waiting.push({ event, end })
}

/** The signal matches. */
export function fire({ known, fired, text }: Surveyor, signal: number): void {
  known[signal] = text
  fired.push(signal)
}

/** Handles an event for which the end of the match matters, not its beginning. The match ends before `end`. */
function takeEnd(surveyor: Surveyor, event: number, kind: number, end: number): void {
  const signal = surveyor.events.signals[event] ?? 0
  if (kind === PASSED) addHead(surveyor.heads, surveyor.events.slots[event] ?? 0, end, end)
  else if (kind === MATCH) fire(surveyor, signal)
  else if (kind === ENDED) surveyor.waiting.push({ event, end })
  else if (kind === WALK) tryWalk(surveyor, event, slotOf(surveyor, event), end)
  else suspectWhole(surveyor, signal)
}

/** Handles a report (see stream.ts) after the character `at`. */
function take(surveyor: Surveyor, report: number, at: number): void {
  const { events, known, text, heads } = surveyor
  const event = report >>> 8
  const kind = events.kinds[event] ?? 0
  const slot = events.slots[event] ?? 0
  // By far the most are tails of heads that the text does not have.
  if (kind === TAIL && !hasHeads(heads, slot)) return
  const signal = events.signals[event] ?? 0
  if (known[signal] === text) return
  const end = (report & 128) === 0 ? at + 1 : at
  const length = report & 127
  // A walk that is too long is dropped with all events that it may lead to, of any kind.
  if (length === TOO_LONG) suspectWhole(surveyor, signal)
  else if (events.placed[event] === 0) takeEnd(surveyor, event, kind, end)
  else if (kind === TAIL) takeTailAt(surveyor, event, at - length, end)
  else {
    const begin = at - length - (events.skipped[event] ?? 0)
    if (kind === HEAD) addHead(heads, slot, begin, end)
    else suspectFrom(surveyor, event, begin)
  }
}

/** [C19] Handles an event reached from the beginning of the text, before the character `end`. */
function takeAnchored(surveyor: Surveyor, event: number, end: number): void {
  const { events, known, begun, text } = surveyor
  const signal = events.signals[event] ?? 0
  if (known[signal] === text) return
  if (events.kinds[event] === ENDED) {
    surveyor.waiting.push({ event, end })
    return
  }
  if (begun[event] === text) return
  begun[event] = text
  if (events.kinds[event] === MATCH) fire(surveyor, signal)
  else suspectFrom(surveyor, event, 0)
}

/** [C19] Takes all events of a state of the anchored automaton that was reached with the character `at`. */
export function takeAllAnchored(surveyor: Surveyor, state: number, at: number): void {
  const { known } = surveyor.prefilter.anchored
  const from = known.startOf(state) + 2
  const last = from + known.at(from - 1)
  for (let place = from; place < last; place += 1) {
    const cell = known.at(place)
    takeAnchored(surveyor, cell >>> 1, at + 1 - (cell & 1))
  }
}

/** Takes all reports of a state that was reached with the character `at`. */
export function takeAll(surveyor: Surveyor, stream: Stream, state: number, at: number): void {
  const { reportStarts, reports } = stream
  const last = reportStarts[state + 1] ?? 0
  for (let index = reportStarts[state] ?? 0; index < last; index += 1)
    take(surveyor, reports[index] ?? 0, at)
}
