import { createAlphabet, createSetList, type Alphabet } from './alphabet.ts'
import {
  addEvent,
  addItems,
  looksOf,
  NO_SLOT,
  PLAIN,
  rangeOf,
  walkOf,
  type Building,
  type Part,
} from './building.ts'
import { isPlacedKind, type PlacedLook, type SignalEvent, type Slot } from './events.ts'
import { createMachine, type Machine } from './machine.ts'
import { requiredLiterals, WIDE } from '../literals.ts'
import type { Looks } from './looks.ts'
import { addState } from './nfa.ts'
import { packStates } from './packed-states.ts'
import type { CompiledSignal } from '../signal.ts'
import { columnsFor, createStream, type Stream } from './stream.ts'
import { waysOf, type Way } from './ways.ts'

/** All signals of a list as automata. */
export interface Prefilter {
  readonly alphabet: Alphabet
  /** The second is of wide ways: they walk along every word, and would multiply the states of the others. */
  readonly streams: readonly [Stream, Stream]
  /** [C20] Reads the targets of looks, where a match waits for them. */
  readonly looked: Stream
  /** [C19] Of ways that match at the beginning of a text only: it is entered there alone. */
  readonly anchored: Machine
  /** [C21] Parts read from the end of a head. Each of its entries is one walk. */
  readonly walks: Machine
  readonly events: readonly SignalEvent[]
  readonly slots: readonly Slot[]
  readonly looks: readonly PlacedLook[]
  /** Signals that no automaton can judge: run on every text. */
  readonly always: readonly number[]
}

const ANY_WIDE = { negate: true, ranges: [[0, 0x7f]], categories: [], ignoreCase: true } as const

function addLiteral({ sets, narrow }: Building, literal: string, event: number): void {
  const { states, roots } = narrow
  const end = addState(states, { kind: 'event', event })
  if (literal === WIDE) {
    roots.push(addState(states, { kind: 'read', set: sets.add(ANY_WIDE, false), next: end }))
    return
  }
  const codes = Array.from(literal, (char) => char.codePointAt(0) ?? 0)
  roots.push(
    codes.reduceRight((next, code) => {
      const set = {
        negate: false,
        ranges: [[code, code]],
        categories: [],
        ignoreCase: true,
      } as const
      return addState(states, { kind: 'read', set: sets.add(set, false), next })
    }, end),
  )
}

const isLike = (one: SignalEvent | undefined, event: SignalEvent): boolean =>
  one?.kind === event.kind &&
  one.skipped === event.skipped &&
  one.most === event.most &&
  one.slot === event.slot

/** One event of the kind for all ways of a signal: fewer events make fewer states. */
function eventOf(building: Building, event: SignalEvent): number {
  const { events } = building
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const one = events[at]
    // Places are interleaved with them and belong to no signal.
    if (one?.kind !== 'place' && one?.signal !== event.signal) break
    if (isLike(one, event)) return at
  }
  return addEvent(building, event)
}

type WayOf<Kind extends Way['kind']> = Extract<Way, { kind: Kind }>

/** The event of a way that an automaton reads exactly. */
function exactEvent(building: Building, { looks }: { looks: Looks }, of: SignalRules): number {
  const { signal, ascii } = of
  const { atStart, atEnd } = looksOf(building, looks, ascii)
  if (atStart.length + atEnd.length === 0)
    return eventOf(building, { ...PLAIN, signal, kind: 'match' })
  const slot = building.slots.push({ ...NO_SLOT, atStart, atEnd }) - 1
  return addEvent(building, { ...PLAIN, signal, kind: 'ended', slot })
}

interface SignalRules {
  readonly signal: number
  readonly ascii: boolean
}

function addSplit(building: Building, way: WayOf<'split'>, { signal, ascii }: SignalRules): void {
  const { gap, rest, reach, skipped, most } = way
  const range = gap === null ? { least: 0, reach, set: -1 } : rangeOf(building, gap, ascii)
  const walk = gap === null && rest !== null ? walkOf(building, rest, ascii) : -1
  const slot = building.slots.push({ ...range, walk, ...looksOf(building, way.looks, ascii) }) - 1
  const kind = gap === null && walk < 0 ? 'head' : 'passed'
  const head = addEvent(building, { signal, kind, slot, skipped, most })
  const tail = addEvent(building, { signal, kind: 'tail', slot, skipped: 0, most })
  addItems(building, way.head, head, { ascii, part: 'narrow' })
  addItems(building, way.tail, tail, { ascii, part: 'narrow' })
}

function addWalked(building: Building, way: WayOf<'walked'>, { signal, ascii }: SignalRules): void {
  const looks = looksOf(building, way.looks, ascii)
  const walk = walkOf(building, way.rest, ascii)
  const slot = building.slots.push({ ...NO_SLOT, walk, ...looks }) - 1
  const event = addEvent(building, { ...PLAIN, signal, kind: 'walk', slot })
  addItems(building, way.head, event, { ascii, part: 'narrow' })
}

function addWay(building: Building, way: Way, of: SignalRules): void {
  const { signal, ascii } = of
  if (way.kind === 'weak') return
  if (way.kind === 'split') {
    addSplit(building, way, of)
    return
  }
  if (way.kind === 'walked') {
    addWalked(building, way, of)
    return
  }
  const isExact = way.kind === 'exact' || (way.kind === 'anchored' && way.exact)
  const skipped = way.kind === 'anchored' ? 0 : way.skipped
  const event = isExact
    ? exactEvent(building, way, of)
    : eventOf(building, { signal, kind: 'begun', slot: 0, skipped, most: way.most })
  const part = way.kind === 'anchored' ? 'anchored' : way.wide ? 'wide' : 'narrow'
  addItems(building, way.items, event, { ascii, part })
}

/** True when the automata judge the signal. */
function addSignal(building: Building, { programs }: CompiledSignal, signal: number): boolean {
  if (programs.source === null) return false
  const ways = waysOf(programs.source)
  const literals = ways.flatMap((way) =>
    way.kind === 'weak' ? [requiredLiterals({ kind: 'sequence', items: way.items })] : [],
  )
  if (literals.includes(null)) return false
  const { ascii } = programs.source.flags
  for (const way of ways) addWay(building, way, { signal, ascii })
  const all = new Set(literals.flatMap((one) => one ?? []))
  if (all.size === 0) return true
  const anywhere = addEvent(building, { ...PLAIN, signal, kind: 'anywhere' })
  for (const literal of all) addLiteral(building, literal, anywhere)
  return true
}

/** Builds the automata of a list of signals. */
export function createPrefilter(signals: readonly CompiledSignal[]): Prefilter {
  const part = (): Part => ({ states: [], roots: [] })
  const building: Building = {
    sets: createSetList(),
    narrow: part(),
    wide: part(),
    anchored: part(),
    walks: part(),
    looked: part(),
    events: [],
    slots: [],
    looks: [],
    knownLooks: new Map(),
    knownPlaces: new Map(),
    knownWalks: new Map(),
  }
  const always = signals.flatMap((signal, number) =>
    addSignal(building, signal, number) ? [] : [number],
  )
  const { events, slots, looks } = building
  const alphabet = createAlphabet(building.sets)
  const placedEvents = events.map(isPlacedKind)
  const streamOf = (of: Part): Stream =>
    createStream(
      createMachine({ ...of, states: packStates(of.states), alphabet, placedEvents }),
      columnsFor(alphabet),
    )
  const streams = [streamOf(building.narrow), streamOf(building.wide)] as const
  const looked = streamOf(building.looked)
  // The beginning of its matches is known, so no event needs it.
  const anchored = createMachine({
    ...building.anchored,
    states: packStates(building.anchored.states),
    alphabet,
    placedEvents: [],
  })
  const { states, roots: entries } = building.walks
  const walks = createMachine({
    states: packStates(states),
    roots: [],
    entries,
    alphabet,
    placedEvents: [],
  })
  return { alphabet, streams, looked, anchored, walks, events, slots, looks, always }
}
