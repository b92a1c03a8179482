import type { Alphabet } from './alphabet.ts'
import { close, contextOf, type Marks, type Step } from './closure.ts'
import type { State } from './nfa.ts'

/** Numbers of contexts, and one that none has: its pairs stay unknown. */
export const CONTEXTS = 17
export const NO_CONTEXT = 16

/** Entries of the table: not known yet; nothing can match any more. Others are numbers of states. */
export const UNKNOWN = 0
export const DEAD = 1
/** Set in entries that lead to a state with events. */
export const WITH_EVENTS = 0x8000

/** Columns at least for the first classes above U+007F: the letters and signs that most texts have. */
export const SPARE = 6

/** Above this many states the table is made anew: memory must not grow with the corpus. */
export const MOST_STATES = 0x7f00
/** Columns are a multiple of this, so that the frequent classes, which come first, share a cache line. */
export const LINE = 32

/**
 * A deterministic automaton, made while texts are read. `table[state * columns + class]` is the next
 * entry for classes below `columns`; for others, and for `UNKNOWN`, ask `next`. Texts spend their time
 * waiting for this table, so its entries are small.
 */
export interface Dfa {
  readonly columns: number
  table: Uint16Array
  /** State before a text's first character (null), and after a character of the class. */
  start(kind: number | null): number
  /** The next entry by class, as in the table (never `UNKNOWN`). */
  next(state: number, kind: number): number
  /** `eventList` from `eventStarts[state]` up to `eventStarts[state + 1]`: events of a state. */
  eventStarts: Uint32Array
  eventList: Uint32Array
  /** Events that may still follow from the state. */
  pending(state: number): readonly number[]
  /**
   * `pairs[pairStarts[before] + first * columns + second]`, all below `columns`: 1 = nothing comes of these
   * two characters after that one, 2 = something may, `UNKNOWN` = ask `pair`. Most places end here,
   * without touching the large table.
   */
  readonly pairStarts: Int32Array
  readonly pairs: Uint8Array
  pair(before: number | null, first: number, second: number): boolean
  /** Begins a text: drops everything when it has grown too large or was interrupted while growing. */
  begin(): void
  /** States by now. */
  size(): number
  /** [C13] All that it has learned, as plain data; null where it was interrupted while growing. */
  freeze(): FrozenDfa | null
}

/**
 * [C13] An automaton as far as texts have made it grow, as plain data. By state: its row of the table, the
 * events that it reports, and the states of the patterns that it stands for.
 */
export interface FrozenDfa {
  readonly columns: number
  /** States of the patterns, see `packStates`. */
  readonly states: Int32Array
  readonly root: Int32Array
  readonly rootEvents: Int32Array
  readonly table: Uint16Array
  readonly eventStarts: Uint32Array
  readonly eventList: Uint32Array
  readonly pairStarts: Int32Array
  readonly pairs: Uint8Array
  /** `kernels` from `kernelStarts[state]` up to `kernelStarts[state + 1]`: states of the patterns. */
  readonly kernels: Int32Array
  readonly kernelStarts: Int32Array
  readonly contexts: Uint8Array
  /** Pairs of key and value. */
  readonly starts: Uint32Array
  readonly aside: Uint32Array
}

/** A state that texts have led to: the states of the patterns that it stands for. */
export interface Known {
  readonly kernel: readonly number[]
  readonly context: number
}

export const NOTHING: Known = { kernel: [], context: 0 }

/** The array, or a copy with room for so many cells, at least twice as large. */
export function grown<T extends Uint16Array | Uint32Array | Int32Array>(
  array: T,
  length: number,
): T {
  if (length <= array.length) return array
  // The constructor of an array makes arrays of its own kind.
  const larger = new (array.constructor as new (size: number) => T)(
    Math.max(length, array.length * 2),
  )
  larger.set(array)
  return larger
}

/** An automaton with what it needs to grow. */
export interface Machine {
  readonly states: readonly State[]
  readonly alphabet: Alphabet
  readonly marks: Marks
  /** States entered at every place, as far as nothing needs to be read. */
  readonly root: Step
  readonly known: Known[]
  readonly entries: Map<string, number>
  /** Next entries for classes beyond the columns. */
  readonly aside: Map<number, number>
  readonly starts: Map<number, number>
  readonly dfa: Dfa
  growing: boolean
}

function contextAfter({ alphabet }: Machine, kind: number | null): number {
  return contextOf(kind === null ? undefined : alphabet.traits(kind))
}

function addState({ dfa, known }: Machine, { kernel, events }: Step, context: number): number {
  const state = known.length
  const from = dfa.eventStarts[state] ?? 0
  dfa.table = grown(dfa.table, (state + 1) * dfa.columns)
  dfa.eventList = grown(dfa.eventList, from + events.length)
  dfa.eventStarts = grown(dfa.eventStarts, state + 2)
  dfa.eventList.set(events, from)
  dfa.eventStarts[state + 1] = from + events.length
  known.push({ kernel, context })
  return state
}

/** What tells one state from all others, as a key. */
export function keyOf({ kernel, events }: Step, context: number): string {
  return `${kernel.join()};${events.join()};${context}`
}

function entryOf(machine: Machine, step: Step, context: number): number {
  const { kernel, events } = step
  if (kernel.length === 0 && events.length === 0) return DEAD
  // What came before matters only where a condition may ask.
  const asked = kernel.some((at) => machine.states[at]?.kind === 'when') ? context : 0
  const key = keyOf(step, asked)
  const found = machine.entries.get(key)
  if (found !== undefined) return found
  machine.growing = true
  const entry = addState(machine, step, asked) | (events.length > 0 ? WITH_EVENTS : 0)
  machine.entries.set(key, entry)
  machine.growing = false
  return entry
}

function step(machine: Machine, state: number, kind: number): number {
  const { states, marks, alphabet } = machine
  const { kernel, context } = machine.known[state] ?? NOTHING
  const traits = alphabet.traits(kind)
  if (traits === undefined) return DEAD
  const before = close(states, marks, [...kernel], { context, kind, traits })
  const reached: number[] = []
  for (const at of before.kernel) {
    const one = states[at]
    if (one?.kind === 'read' && alphabet.has(kind, one.set)) reached.push(one.next)
  }
  const after = close(states, marks, reached, null)
  const events = [...new Set([...before.events, ...after.events])]
  return entryOf(machine, { kernel: after.kernel, events }, contextOf(traits))
}

/** [C11] A cut in here leaves `growing` set, so that the next text empties the rest too. */
export function reset(machine: Machine): void {
  const { dfa, known } = machine
  machine.growing = true
  known.length = 0
  // Numbers 0 and 1 are `UNKNOWN` and `DEAD`.
  known.push(NOTHING, NOTHING)
  machine.entries.clear()
  machine.aside.clear()
  machine.starts.clear()
  dfa.pairs.fill(UNKNOWN)
  dfa.table = new Uint16Array(1024 * dfa.columns)
  dfa.eventStarts = new Uint32Array(1024)
  machine.growing = false
}

export function startOf(machine: Machine, kind: number | null): number {
  const context = contextAfter(machine, kind)
  const found = machine.starts.get(context)
  if (found !== undefined) return found
  const state = entryOf(machine, machine.root, context) & ~WITH_EVENTS
  machine.starts.set(context, state)
  return state
}

export function nextOf(machine: Machine, state: number, kind: number): number {
  const { dfa, aside } = machine
  const fits = kind < dfa.columns
  const place = fits ? state * dfa.columns + kind : state * 0x10000 + kind
  const found = fits ? dfa.table[place] : aside.get(place)
  if (found !== undefined && found !== UNKNOWN) return found
  const entry = step(machine, state, kind)
  if (fits) dfa.table[place] = entry
  else aside.set(place, entry)
  return entry
}

export function pairOf(
  machine: Machine,
  before: number | null,
  first: number,
  second: number,
): boolean {
  const { columns, pairs, pairStarts } = machine.dfa
  const one = nextOf(machine, startOf(machine, before), first)
  const alive = one >= WITH_EVENTS || (one !== DEAD && nextOf(machine, one, second) !== DEAD)
  const start = contextAfter(machine, before) * columns * columns
  if (before !== null && before < columns) pairStarts[before] = start
  if (first < columns && second < columns) pairs[start + first * columns + second] = alive ? 2 : 1
  return alive
}

export function pendingOf({ states, known }: Machine, state: number): readonly number[] {
  const found = new Set<number>()
  const seen = new Set<number>()
  const open = [...(known[state]?.kernel ?? [])]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    const one = states[at]
    if (one?.kind === 'event') found.add(one.event)
    else if (one?.kind === 'split') open.push(...one.next)
    else if (one !== undefined) open.push(one.next)
  }
  return [...found]
}
