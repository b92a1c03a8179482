import { END } from './alphabet.ts'
import { NO_PLACES, NO_SLOT, TO_END } from './building.ts'
import type { PlacedLook, Range } from './events.ts'
import { addHead, firstEnd } from './heads.ts'
import { fire, isFilled, suspectWhole } from './reports.ts'
import { beginStream, enterStream, isOpen, stepStream, TOO_LONG, UNKNOWN } from './stream.ts'
import type { Surveyor, Waiting } from './surveyor.ts'

type Part = Range & { readonly slot: number }

/** If characters of a set are in between, only the nearest position that is far enough away needs a check. */
function isThere({ surveyor }: Looking, { slot, least, reach, set }: Part, at: number): boolean {
  const { heads, count } = surveyor
  if (slot === TO_END) return at + least <= count && isFilled(surveyor, set, at, count)
  const place = slot === NO_PLACES ? at + least : firstEnd(heads, slot, at + least)
  return place - at <= reach && place <= count && isFilled(surveyor, set, at, place)
}

const holds = (looking: Looking, { negative, parts }: PlacedLook, at: number): boolean =>
  negative !== parts.some((part) => isThere(looking, part, at))

/** Most characters that the looks need to be told of. */
function reachOf({ prefilter }: Surveyor, numbers: readonly number[]): number {
  let most = -1
  for (const number of numbers)
    for (const { slot, reach } of prefilter.looks[number]?.parts ?? [])
      if (slot >= 0 && reach > most) most = reach
  return most
}

/** Null if undecidable. */
function allHold(looking: Looking, numbers: readonly number[], at: number): boolean | null {
  const { prefilter, doubtful, text } = looking.surveyor
  const reach = reachOf(looking.surveyor, numbers)
  if (reach >= 0) lookAhead(looking, at, at + reach)
  let known = true
  for (const number of numbers) {
    const look = prefilter.looks[number]
    if (look?.parts.some(({ slot }) => doubtful[slot] === text)) known = false
    else if (look === undefined || !holds(looking, look, at)) return false
  }
  return known ? true : null
}

const slotOf = ({ prefilter, events }: Surveyor, { event }: Waiting) =>
  prefilter.slots[events.slots[event] ?? 0] ?? NO_SLOT

/** Matches that wait for looks from the beginning of the text, without those ruled out. */
function fromStart(looking: Looking, waiting: readonly Waiting[]): readonly Waiting[] {
  const { surveyor } = looking
  const answers = new Map<number, boolean | null>()
  for (const one of waiting) {
    const slot = surveyor.events.slots[one.event] ?? 0
    if (!answers.has(slot)) answers.set(slot, allHold(looking, slotOf(surveyor, one).atStart, 0))
  }
  return waiting.filter(({ event }) => {
    const answer = answers.get(surveyor.events.slots[event] ?? 0) ?? null
    if (answer === null) suspectWhole(surveyor, surveyor.events.signals[event] ?? 0)
    return answer === true
  })
}

/** [C20] Says of all matches that wait whether they are any, when the text was read. */
export function settle(surveyor: Surveyor): void {
  const { waiting, known, events, text } = surveyor
  if (waiting.length === 0) return
  const looking: Looking = { surveyor, at: null, state: 0 }
  const open = fromStart(looking, waiting).toSorted((a, b) => a.end - b.end)
  for (const one of open) {
    const signal = events.signals[one.event] ?? 0
    if (known[signal] === text) continue
    const answer = allHold(looking, slotOf(surveyor, one).atEnd, one.end)
    if (answer === null) suspectWhole(surveyor, signal)
    else if (answer) fire(surveyor, signal)
  }
}

/** [C20] Reading position of the looks' automaton in a text. It continues from its position, or restarts further on. */
interface Looking {
  readonly surveyor: Surveyor
  /** The next character to read; null: it has not begun. */
  at: number | null
  state: number
}

/** A place that was found behind the character `at`; one that is too far back is not known. */
function takePlace({ events, heads, doubtful, text }: Surveyor, report: number, at: number): void {
  const slot = events.slots[report >>> 8] ?? 0
  const length = report & 127
  if (length === TOO_LONG) doubtful[slot] = text
  else addHead(heads, slot, at - length, at - length)
}

function takePlaces(surveyor: Surveyor, state: number, at: number): void {
  const { reportStarts, reports } = surveyor.prefilter.looked
  const last = reportStarts[state + 1] ?? 0
  for (let index = reportStarts[state] ?? 0; index < last; index += 1)
    takePlace(surveyor, reports[index] ?? 0, at)
}

/** Reads on as far as the table goes, up to `to`, or to the next state that has places. */
function readTable(looking: Looking, from: number, to: number): number {
  const { surveyor } = looking
  const { classes } = surveyor
  const { columns, table, reporting } = surveyor.prefilter.looked
  let { state } = looking
  let at = from
  for (; at <= to; at += 1) {
    const kind = classes[at] ?? END
    if (kind >= columns) break
    const next = table[state * columns + kind] ?? UNKNOWN
    if (next === UNKNOWN || reporting[next] !== 0) break
    state = next
  }
  looking.state = state
  return at
}

function enter({ surveyor }: Looking, from: number): number {
  const { looked } = surveyor.prefilter
  return from === 0 ? beginStream(looked) : enterStream(looked, surveyor.classes[from - 1] ?? END)
}

/** Finds all positions from `from` to `to` that looks need. `from` must ascend from call to call. */
function lookAhead(looking: Looking, from: number, to: number): void {
  const { surveyor } = looking
  const { classes, count, prefilter } = surveyor
  const { looked } = prefilter
  let at = looking.at ?? -1
  if (at < from) {
    looking.state = enter(looking, from)
    at = from
  }
  while (at <= count) {
    // Every place that began up to `to` must be complete.
    if (at > to && !isOpen(looked, looking.state, at - 1 - to)) break
    at = readTable(looking, at, Math.min(count, Math.max(to, at)))
    if (at > count || (at > to && at > from && !isOpen(looked, looking.state, at - 1 - to))) break
    looking.state = stepStream(looked, looking.state, classes[at] ?? END)
    if (looked.reporting[looking.state] !== 0) takePlaces(surveyor, looking.state, at)
    at += 1
  }
  looking.at = at
}
