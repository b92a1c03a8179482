import type { SetList } from './alphabet.ts'
import { isAny, type Gap } from './exact.ts'
import { largeGaps, longGaps, wideGaps, type IsGap } from './gaps.ts'
import type { Look, LookPart, Looks } from './looks.ts'
import { addState, buildNode, type State } from './nfa.ts'
import type { PlacedLook, Range, SignalEvent, Slot } from './events.ts'
import type { Node } from '../python/python-ast.ts'
import { NO_LIMIT } from './to-end.ts'

/** States of the patterns that one automaton reads, and those that are entered. */
export interface Part {
  readonly states: State[]
  readonly roots: number[]
}

export type PartName = 'narrow' | 'wide' | 'anchored' | 'walks' | 'looked'

/** Automata of a list of signals while they are built. */
export interface Building {
  readonly sets: SetList
  readonly narrow: Part
  readonly wide: Part
  readonly anchored: Part
  /** Its roots are entered one by one. */
  readonly walks: Part
  /** [C20] Automaton for the contents of looks. */
  readonly looked: Part
  readonly events: SignalEvent[]
  readonly slots: Slot[]
  readonly looks: PlacedLook[]
  /** Numbers of looks, slots of places, and numbers of walks, by how they are written: many signals have the same. */
  readonly knownLooks: Map<string, number>
  readonly knownPlaces: Map<string, number>
  readonly knownWalks: Map<string, number>
}

/** Defaults for the numbers that an event does not use. */
export const PLAIN = { slot: 0, skipped: 0, most: NO_LIMIT } as const

/** Which repeats each of the automata leaves out. */
const GAPS: Readonly<Record<PartName, (ascii: boolean) => IsGap>> = {
  narrow: wideGaps,
  wide: largeGaps,
  anchored: longGaps,
  walks: longGaps,
  looked: largeGaps,
}

/** Options for reading a sequence. */
export interface Rules {
  readonly ascii: boolean
  readonly part: PartName
}

/** Adds the items to an automaton, which reports the event after reading them. */
export function addItems(
  building: Building,
  items: readonly Node[],
  event: number,
  { ascii, part: name }: Rules,
): void {
  const part = building[name]
  const end = addState(part.states, { kind: 'event', event })
  const builder = {
    states: part.states,
    sets: building.sets,
    ascii,
    cut: end,
    isGap: GAPS[name](ascii),
  }
  part.roots.push(buildNode(builder, { kind: 'sequence', items }, end))
}

/** Returns the number of the event. */
export function addEvent(building: Building, event: SignalEvent): number {
  building.events.push(event)
  return building.events.length - 1
}

/** Two nodes that differ in their places in the pattern alone are the same. */
const writingOf = (value: unknown): string =>
  JSON.stringify(value, (key, one: unknown) =>
    key === 'at' || key === 'number' ? undefined : one === Infinity ? 'all' : one,
  )

function numberBy(numbers: Map<string, number>, key: string, make: () => number): number {
  const known = numbers.get(key)
  if (known !== undefined) return known
  const made = make()
  numbers.set(key, made)
  return made
}

/** A slot with nothing between: of places, which have no tails. */
export const NO_SLOT: Slot = { least: 0, reach: -1, set: -1, walk: -1, atStart: [], atEnd: [] }

/** Slot for the positions where the items begin. */
function placesOf(building: Building, { items }: LookPart, ascii: boolean): number {
  return numberBy(building.knownPlaces, `${ascii} ${writingOf(items)}`, () => {
    const slot = building.slots.push(NO_SLOT) - 1
    const event = addEvent(building, { ...PLAIN, signal: 0, kind: 'place', slot })
    addItems(building, items, event, { ascii, part: 'looked' })
    return slot
  })
}

/** Represents the set of all characters. */
export const ANY_SET = -2
/** Slot number for a part without items: only the characters of the gap are checked. */
export const NO_PLACES = -1

/** The same if the gap must reach the end of the text. */
export const TO_END = -2

/** The gap as numbers. Without a gap, no characters may be in between. */
export function rangeOf(building: Building, gap: Gap | null, ascii: boolean): Range {
  if (gap === null) return { least: 0, reach: 0, set: ANY_SET }
  const set = isAny(gap.set) ? ANY_SET : building.sets.add(gap.set, ascii)
  return { least: gap.min, reach: gap.max, set }
}

function slotOfPart(building: Building, part: LookPart, ascii: boolean): number {
  if (part.toEnd) return TO_END
  return part.items.length === 0 ? NO_PLACES : placesOf(building, part, ascii)
}

/** Number of the look. */
function lookNumber(building: Building, look: Look, ascii: boolean): number {
  return numberBy(building.knownLooks, `${ascii} ${writingOf(look)}`, () => {
    const parts = look.parts.map((part) => ({
      ...rangeOf(building, part.gap, ascii),
      slot: slotOfPart(building, part, ascii),
    }))
    return building.looks.push({ negative: look.negative, parts }) - 1
  })
}

/** [C20] The looks in numbers. */
export function looksOf(
  building: Building,
  { atStart, atEnd }: Looks,
  ascii: boolean,
): Pick<Slot, 'atStart' | 'atEnd'> {
  const numbers = (looks: readonly Look[]): readonly number[] =>
    looks.map((look) => lookNumber(building, look, ascii))
  return { atStart: numbers(atStart), atEnd: numbers(atEnd) }
}

/** [C21] Number of the walk over the items. */
export function walkOf(building: Building, items: readonly Node[], ascii: boolean): number {
  return numberBy(building.knownWalks, `${ascii} ${writingOf(items)}`, () => {
    // Any event says that all was read.
    addItems(building, items, 0, { ascii, part: 'walks' })
    return building.walks.roots.length - 1
  })
}
