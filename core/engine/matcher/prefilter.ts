import { createAlphabet, createSetList, type Alphabet, type SetList } from './alphabet.ts'
import { createMachine, type Machine } from './machine.ts'
import { largeGaps, longGaps, wideGaps, type IsGap } from './gaps.ts'
import { requiredLiterals, WIDE } from './literals.ts'
import { addState, buildNode, type State } from './nfa.ts'
import type { Node } from './python-ast.ts'
import type { CompiledSignal } from './signal.ts'
import { columnsFor, createStream, type Stream } from './stream.ts'
import { NO_LIMIT } from './to-end.ts'
import { waysOf, type Way } from './ways.ts'

/**
 * What it means that an automaton came to an event. `match`: the signal matches. `begun`: it may match
 * from where the automaton entered. `anywhere`: it may match somewhere. `head`, `tail`: parts of a split way, see
 * `Way`; both have the same `slot`.
 */
export interface SignalEvent {
  readonly signal: number
  readonly kind: 'match' | 'begun' | 'anywhere' | 'head' | 'tail'
  readonly slot: number
  /** Characters before the place where the automaton entered that belong to the match. */
  readonly skipped: number
  /** [C18] Most characters from where the match begins to the text's end, see `mostToEnd`. */
  readonly most: number
}

/** What may stand between a head and its tail. */
export interface Slot {
  /** Least and most characters. */
  readonly least: number
  readonly reach: number
  /** [C17] Number of the set that they are of, where head and tail then are a match; -1: they may be one. */
  readonly set: number
}

/** All signals of a list as automata. */
export interface Prefilter {
  readonly alphabet: Alphabet
  /** The second is of wide ways: they walk along every word, and would multiply the states of the others. */
  readonly streams: readonly [Stream, Stream]
  /** [C19] Of ways that match at the beginning of a text only: it is entered there alone. */
  readonly anchored: Machine
  readonly events: readonly SignalEvent[]
  readonly slots: readonly Slot[]
  /** Signals that no automaton can judge: run on every text. */
  readonly always: readonly number[]
}

interface Part {
  readonly states: State[]
  readonly roots: number[]
}

type PartName = 'narrow' | 'wide' | 'anchored'

interface Building {
  readonly sets: SetList
  readonly narrow: Part
  readonly wide: Part
  readonly anchored: Part
  readonly events: SignalEvent[]
  readonly slots: Slot[]
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

/** Which repeats each of the automata leaves out. */
const GAPS: Readonly<Record<PartName, (ascii: boolean) => IsGap>> = {
  narrow: wideGaps,
  wide: largeGaps,
  anchored: longGaps,
}

function addItems(building: Building, items: readonly Node[], event: number, signal: Signal): void {
  const { ascii } = signal
  const part = building[signal.part]
  const end = addState(part.states, { kind: 'event', event })
  const isGap = GAPS[signal.part](ascii)
  const builder = { states: part.states, sets: building.sets, ascii, cut: end, isGap }
  part.roots.push(buildNode(builder, { kind: 'sequence', items }, end))
}

interface Signal {
  readonly ascii: boolean
  readonly part: PartName
}

function addEvent(building: Building, event: SignalEvent): number {
  building.events.push(event)
  return building.events.length - 1
}

const isLike = (one: SignalEvent | undefined, { kind, skipped, most }: SignalEvent): boolean =>
  one?.kind === kind && one.skipped === skipped && one.most === most

/** One event of the kind for all ways of a signal: fewer events make fewer states. */
function eventOf(building: Building, event: SignalEvent): number {
  const { events } = building
  for (let at = events.length - 1; at >= 0 && events[at]?.signal === event.signal; at -= 1)
    if (isLike(events[at], event)) return at
  return addEvent(building, event)
}

function addWay(building: Building, way: Way, signal: number, ascii: boolean): void {
  if (way.kind === 'weak') return
  if (way.kind === 'anchored') {
    const kind = way.exact ? 'match' : 'begun'
    const event = eventOf(building, { signal, kind, slot: 0, skipped: 0, most: way.most })
    addItems(building, way.items, event, { ascii, part: 'anchored' })
    return
  }
  if (way.kind !== 'split') {
    const kind = way.kind === 'exact' ? 'match' : 'begun'
    const event = eventOf(building, { signal, kind, slot: 0, skipped: way.skipped, most: way.most })
    addItems(building, way.items, event, { ascii, part: way.wide ? 'wide' : 'narrow' })
    return
  }
  const { gap, reach, skipped, most } = way
  const set = gap === null ? -1 : building.sets.add(gap.set, ascii)
  const slot = building.slots.push({ least: gap?.min ?? 0, reach, set }) - 1
  const head = addEvent(building, { signal, kind: 'head', slot, skipped, most })
  const tail = addEvent(building, { signal, kind: 'tail', slot, skipped: 0, most })
  addItems(building, way.head, head, { ascii, part: 'narrow' })
  addItems(building, way.tail, tail, { ascii, part: 'narrow' })
}

/** True when the automata judge the signal. */
function addSignal(building: Building, { programs }: CompiledSignal, signal: number): boolean {
  if (programs.source === null) return false
  const ways = waysOf(programs.source)
  const literals = ways.flatMap((way) =>
    way.kind === 'weak' ? [requiredLiterals({ kind: 'sequence', items: way.items })] : [],
  )
  if (literals.includes(null)) return false
  for (const way of ways) addWay(building, way, signal, programs.source.flags.ascii)
  const all = new Set(literals.flatMap((one) => one ?? []))
  if (all.size === 0) return true
  const place = { slot: 0, skipped: 0, most: NO_LIMIT }
  const anywhere = addEvent(building, { signal, kind: 'anywhere', ...place })
  for (const literal of all) addLiteral(building, literal, anywhere)
  return true
}

/** [C16] Where a match began is of no matter to these kinds of events. */
export const isPlacedKind = ({ kind }: SignalEvent): boolean =>
  kind !== 'match' && kind !== 'anywhere'

/** Builds the automata of a list of signals. */
export function createPrefilter(signals: readonly CompiledSignal[]): Prefilter {
  const part = (): Part => ({ states: [], roots: [] })
  const building: Building = {
    sets: createSetList(),
    narrow: part(),
    wide: part(),
    anchored: part(),
    events: [],
    slots: [],
  }
  const always = signals.flatMap((signal, number) =>
    addSignal(building, signal, number) ? [] : [number],
  )
  const { events, slots } = building
  const alphabet = createAlphabet(building.sets)
  const placedEvents = events.map(isPlacedKind)
  const streamOf = (of: Part): Stream =>
    createStream(createMachine({ ...of, alphabet, placedEvents }), columnsFor(alphabet))
  const streams = [streamOf(building.narrow), streamOf(building.wide)] as const
  // Where its matches begin is known: nothing asks.
  const anchored = createMachine({ ...building.anchored, alphabet, placedEvents: [] })
  return { alphabet, streams, anchored, events, slots, always }
}
