import type { Alphabet } from './alphabet.ts'
import { close, contextOf, createMarks, type Marks, type Numbers, type Step } from './closure.ts'
import { createMoves, type Moves } from './moves.ts'
import { EVENT, reaching, READ, SPLIT, WHEN, type PackedStates } from './packed-states.ts'
import { createNumberLists, roomFor, type NumberLists } from './number-lists.ts'

/** Nothing can match any more. */
export const DEAD = 0

/**
 * A deterministic automaton, built while texts are read, that is entered at one position of a text. A state is a list
 * of numbers: the context before it, if its conditions need it; the number of its events; the events, doubled, plus 1
 * if the last character read does not belong to the match; the states of the patterns that it represents.
 */
export interface Machine {
  readonly states: PackedStates
  readonly alphabet: Alphabet
  readonly marks: Marks
  /** States of the patterns that are entered, as far as nothing needs to be read. */
  readonly root: Step
  /** By state of the patterns: 1 if an event may follow for which the beginning of the match matters. */
  readonly placing: Uint8Array
  /** By event: whether the beginning of the match matters. */
  readonly placedEvents: readonly boolean[]
  known: NumberLists
  moves: Moves
  /** States of the patterns that are entered one by one, see `startAt`. */
  readonly entries: readonly number[]
  /** By context, plus 1, of all that are entered and then entry by entry: 0 = not known yet. */
  readonly starts: Uint32Array
  /** By state: 0 = not known yet, 1 = the beginning of the match does not matter, 2 = it does. */
  placed: Uint8Array
  /** [C11] Set while it changes: a cut in between leaves it set. */
  growing: boolean
}

/** Contexts are distinguished by four bits. */
export const CONTEXTS = 16

export interface MachineParts {
  readonly states: PackedStates
  readonly roots: readonly number[]
  /** Those that are entered one by one; left out: none. */
  readonly entries?: readonly number[]
  readonly alphabet: Alphabet
  /** By event: whether the beginning of the match matters. */
  readonly placedEvents: readonly boolean[]
  /** See `Machine`. Computed if left out. */
  readonly placing?: Uint8Array
}

/** The automaton over the states, entered at one of `roots`. */
export function createMachine(parts: MachineParts): Machine {
  const { states, roots, entries = [], alphabet, placedEvents } = parts
  const marks = createMarks(states.kinds.length)
  const machine: Machine = {
    states,
    alphabet,
    marks,
    placedEvents,
    entries,
    root: close(states, marks, [...roots], null),
    placing: parts.placing ?? reaching(states, placedEvents),
    known: createNumberLists(),
    moves: createMoves(),
    starts: new Uint32Array(CONTEXTS * (entries.length + 1)),
    placed: new Uint8Array(64),
    growing: false,
  }
  emptyMachine(machine)
  return machine
}

/** [C11] A cut in here leaves `growing` set, so that the next text empties the rest too. */
export function emptyMachine(machine: Machine): void {
  machine.growing = true
  machine.known = createNumberLists()
  // The list of `DEAD`: no context, no events, no states.
  machine.known.idOf([0, 0], 2)
  machine.moves = createMoves()
  machine.starts.fill(0)
  machine.placed = new Uint8Array(64)
  machine.growing = false
}

/**
 * Above this number of states, the machine is emptied at the next text, so that memory does not grow with the corpus.
 */
const MOST_STATES = 150_000

/** Whether it was interrupted while growing, or has grown too large. */
export function mustBeEmptied({ growing, known }: Machine): boolean {
  return growing || known.size > MOST_STATES
}

function hasCondition({ kinds }: PackedStates, kernel: Numbers): boolean {
  for (const at of kernel) if (kinds[at] === WHEN) return true
  return false
}

function numberOf(machine: Machine, before: Step, after: Step, context: number): number {
  const { states, known } = machine
  // The context matters only if a condition may read it.
  const asked = hasCondition(states, after.kernel) ? context : 0
  const { kernel } = after
  const list = [asked, before.events.length + after.events.length]
  for (const event of before.events) list.push(event * 2 + 1)
  for (const event of after.events) list.push(event * 2)
  for (const at of kernel) list.push(at)
  machine.growing = true
  const state = known.idOf(list, list.length)
  machine.growing = false
  return state
}

const NO_EVENTS: readonly number[] = []
const NOTHING: Step = { kernel: [], events: NO_EVENTS }

function startIn(machine: Machine, at: number, root: () => Step, kind: number | null): number {
  const { alphabet, starts } = machine
  const context = contextOf(kind === null ? undefined : alphabet.traits(kind))
  const found = starts[at * CONTEXTS + context] ?? 0
  if (found > 0) return found - 1
  const state = numberOf(machine, NOTHING, root(), context)
  starts[at * CONTEXTS + context] = state + 1
  return state
}

/** State before a text's first character (null), and after a character of the class. */
export function startOf(machine: Machine, kind: number | null): number {
  return startIn(machine, 0, () => machine.root, kind)
}

/** The same, but enters only one of the entries. */
export function startAt(machine: Machine, entry: number, kind: number | null): number {
  const { states, marks, entries } = machine
  return startIn(machine, entry + 1, () => close(states, marks, [entries[entry] ?? 0], null), kind)
}

/** States of the patterns that read a character of a class; `inside` as `Alphabet.inside` gives it. */
function reachedFrom(
  { kinds, first, second }: PackedStates,
  kernel: Numbers,
  inside: Uint8Array,
): number[] {
  const reached: number[] = []
  for (const at of kernel)
    if (kinds[at] === READ && inside[first[at] ?? 0] === 1) reached.push(second[at] ?? 0)
  return reached
}

function step(machine: Machine, state: number, kind: number): number {
  const { states, marks, alphabet, known } = machine
  const traits = alphabet.traits(kind)
  const inside = alphabet.inside(kind)
  if (traits === undefined || inside === undefined) return DEAD
  const from = known.startOf(state)
  const kernel = known.cells(from + 2 + known.at(from + 1), known.endOf(state))
  // Most states have no conditions, and most moves lead nowhere: neither needs to be followed.
  const before: Step = hasCondition(states, kernel)
    ? close(states, marks, [...kernel], { context: known.at(from), kind, traits })
    : { kernel, events: NO_EVENTS }
  const reached = reachedFrom(states, before.kernel, inside)
  if (reached.length + before.events.length === 0) return DEAD
  return numberOf(machine, before, close(states, marks, reached, null), contextOf(traits))
}

/** The next state for a class. */
export function nextOf(machine: Machine, state: number, kind: number): number {
  const found = machine.moves.get(state, kind)
  if (found >= 0) return found
  const target = step(machine, state, kind)
  machine.growing = true
  machine.moves.add(state, kind, target)
  machine.growing = false
  return target
}

/** Whether the beginning of the match matters for an event of the state, or for one that may follow. */
export function isPlaced(machine: Machine, state: number): boolean {
  const answer = machine.placed[state] ?? 0
  if (answer > 0) return answer === 2
  const { known, placing, placedEvents } = machine
  const from = known.startOf(state) + 2
  const kernel = from + known.at(from - 1)
  let found = false
  for (let at = from; at < known.endOf(state) && !found; at += 1)
    found = at < kernel ? placedEvents[known.at(at) >>> 1] === true : placing[known.at(at)] === 1
  machine.placed = roomFor(machine.placed, state + 1)
  machine.placed[state] = found ? 2 : 1
  return found
}

/** Events of the state, as its list has them. */
export function eventsOf({ known }: Machine, state: number): readonly number[] {
  const from = known.startOf(state) + 2
  if (known.at(from - 1) === 0) return NO_EVENTS
  return Array.from({ length: known.at(from - 1) }, (_, at) => known.at(from + at))
}

/** Events that may still follow from the state. */
export function pendingOf({ states, known }: Machine, state: number): readonly number[] {
  const { kinds, first, second, ways } = states
  const found = new Set<number>()
  const seen = new Set<number>()
  const from = known.startOf(state) + 2
  const open: number[] = []
  for (let at = from + known.at(from - 1); at < known.endOf(state); at += 1) open.push(known.at(at))
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    if (kinds[at] === EVENT) found.add(first[at] ?? 0)
    else if (kinds[at] === SPLIT) open.push(...ways.subarray(first[at], second[at]))
    else open.push(second[at] ?? 0)
  }
  return [...found]
}
