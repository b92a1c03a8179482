import { NO_PLACES, NO_SLOT, TO_END } from './building.ts'
import { firstEnd } from './heads.ts'
import { lookAhead, type Looking } from './looking.ts'
import type { PlacedLook, Range } from './events.ts'
import { fire, isFilled, suspectWhole } from './reports.ts'
import type { Surveyor, Waiting } from './surveyor.ts'

type Part = Range & { readonly slot: number }

/** Where characters of a set stand between, the nearest place that is far enough away tells of all others. */
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

/** Null where it cannot be told. */
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

/** What waits for looks from the text's beginning, without what they rule out. */
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
