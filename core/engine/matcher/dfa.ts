import type { Alphabet } from './alphabet.ts'
import { close, type Step } from './closure.ts'
import { freezeMachine, unpackStates } from './frozen.ts'
import {
  CONTEXTS,
  keyOf,
  LINE,
  MOST_STATES,
  NO_CONTEXT,
  nextOf,
  pairOf,
  pendingOf,
  reset,
  SPARE,
  startOf,
  WITH_EVENTS,
  type Dfa,
  type FrozenDfa,
  type Known,
  type Machine,
} from './machine.ts'
import type { State } from './nfa.ts'

/** What an automaton begins with. */
interface Start {
  readonly states: readonly State[]
  readonly root: Step | null
  readonly roots: readonly number[]
  readonly alphabet: Alphabet
  readonly columns: number
  readonly mostStates: number
}

function createMachine(start: Start): Machine {
  const { states, roots, alphabet, columns, mostStates } = start
  const marks = { seen: new Uint32Array(states.length), walk: 0 }
  const dfa: Dfa = {
    columns,
    table: new Uint16Array(0),
    eventStarts: new Uint32Array(0),
    eventList: new Uint32Array(1024),
    // Set by `pair`: classes that no text has brought yet have no traits.
    pairStarts: new Int32Array(columns).fill(NO_CONTEXT * columns * columns),
    pairs: new Uint8Array(CONTEXTS * columns * columns),
    begin: () => {
      if (machine.growing || machine.known.length > mostStates) reset(machine)
    },
    start: (kind) => startOf(machine, kind),
    next: (state, kind) => nextOf(machine, state, kind),
    pair: (before, first, second) => pairOf(machine, before, first, second),
    pending: (state) => pendingOf(machine, state),
    size: () => machine.known.length,
    freeze: () => (machine.growing ? null : freezeMachine(machine)),
  }
  const machine: Machine = {
    states,
    alphabet,
    marks,
    root: start.root ?? close(states, marks, [...roots], null),
    known: [],
    entries: new Map(),
    aside: new Map(),
    starts: new Map(),
    dfa,
    growing: false,
  }
  return machine
}

/**
 * Builds the automaton over the states, entered anew at every place at one of `roots`. With more than
 * `mostStates` of its own it begins anew at the next text.
 */
export function createDfa(
  states: readonly State[],
  roots: readonly number[],
  alphabet: Alphabet,
  mostStates = MOST_STATES,
): Dfa {
  const columns = Math.ceil((alphabet.size() + SPARE) / LINE) * LINE
  const machine = createMachine({ states, roots, root: null, alphabet, columns, mostStates })
  reset(machine)
  return machine.dfa
}

function mapOf(pairs: Uint32Array): Map<number, number> {
  const map = new Map<number, number>()
  for (let at = 0; at < pairs.length; at += 2) map.set(pairs[at] ?? 0, pairs[at + 1] ?? 0)
  return map
}

/**
 * [C13] The automaton again, as it was when it was frozen: it grows on from there. Null where the data do
 * not belong together.
 */
export function thawDfa(frozen: FrozenDfa, alphabet: Alphabet): Dfa | null {
  const { columns, kernels, kernelStarts, contexts, eventStarts, eventList } = frozen
  const states = unpackStates(frozen.states)
  const count = contexts.length
  const fits =
    frozen.table.length === count * columns &&
    frozen.pairs.length === CONTEXTS * columns * columns &&
    [kernelStarts, eventStarts].every((starts) => starts.length === count + 1)
  if (states === null || count < 2 || !fits) return null
  const root = { kernel: [...frozen.root], events: [...frozen.rootEvents] }
  const machine = createMachine({
    ...{ states, root, roots: [], alphabet, columns, mostStates: MOST_STATES },
  })
  const { dfa, known, entries } = machine
  for (let state = 0; state < count; state += 1) {
    const kernel = [...kernels.subarray(kernelStarts[state], kernelStarts[state + 1])]
    const context = contexts[state] ?? 0
    known.push({ kernel, context } satisfies Known)
    // Numbers 0 and 1 are no states.
    if (state < 2) continue
    const events = [...eventList.subarray(eventStarts[state], eventStarts[state + 1])]
    const entry = state | (events.length > 0 ? WITH_EVENTS : 0)
    entries.set(keyOf({ kernel, events }, context), entry)
  }
  dfa.table = frozen.table.slice()
  dfa.eventStarts = eventStarts.slice()
  dfa.eventList = eventList.slice()
  dfa.pairStarts.set(frozen.pairStarts)
  dfa.pairs.set(frozen.pairs)
  for (const [key, value] of mapOf(frozen.starts)) machine.starts.set(key, value)
  for (const [key, value] of mapOf(frozen.aside)) machine.aside.set(key, value)
  return dfa
}
