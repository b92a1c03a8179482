import { END } from './alphabet.ts'
import { addHead } from './heads.ts'
import { beginStream, enterStream, isOpen, stepStream, TOO_LONG, UNKNOWN } from './stream.ts'
import type { Surveyor } from './surveyor.ts'

/** [C20] How far the automaton of looks has read in a text: it goes on where it stands, or begins further on. */
export interface Looking {
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

/** Finds all places from `from` to `to` that looks ask for; `from` ascends from call to call. */
export function lookAhead(looking: Looking, from: number, to: number): void {
  const { surveyor } = looking
  const { classes, count, prefilter } = surveyor
  const { looked } = prefilter
  let at = looking.at ?? -1
  if (at < from) {
    looking.state = enter(looking, from)
    at = from
  }
  while (at <= count) {
    // Whatever began up to there must have come to its end.
    if (at > to && !isOpen(looked, looking.state, at - 1 - to)) break
    at = readTable(looking, at, Math.min(count, Math.max(to, at)))
    if (at > count || (at > to && at > from && !isOpen(looked, looking.state, at - 1 - to))) break
    looking.state = stepStream(looked, looking.state, classes[at] ?? END)
    if (looked.reporting[looking.state] !== 0) takePlaces(surveyor, looking.state, at)
    at += 1
  }
  looking.at = at
}
