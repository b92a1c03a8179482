import type { FrozenDfa, Machine } from './machine.ts'
import type { Condition, State } from './nfa.ts'

const CONDITIONS = [
  ...(['start', 'lineStart', 'end', 'lineEnd', 'textEnd'] as const),
  ...(['boundary', 'asciiBoundary', 'notBoundary', 'asciiNotBoundary'] as const),
] satisfies readonly Condition[]
const [READ, EVENT, WHEN, SPLIT] = [0, 1, 2, 3]

/** Each state as its kind, two numbers, and for a split (length, 0) its ways. */
function packStates(states: readonly State[]): Int32Array {
  const packed: number[] = []
  for (const state of states) {
    if (state.kind === 'read') packed.push(READ, state.set, state.next)
    else if (state.kind === 'event') packed.push(EVENT, state.event, 0)
    else if (state.kind === 'when')
      packed.push(WHEN, CONDITIONS.indexOf(state.condition), state.next)
    else packed.push(SPLIT, state.next.length, 0, ...state.next)
  }
  return Int32Array.from(packed)
}

/** The states that `packStates` wrote; null where the numbers are no states. */
export function unpackStates(packed: Int32Array): State[] | null {
  const states: State[] = []
  for (let at = 0; at < packed.length; at += 3) {
    const [kind = -1, first = 0, next = 0] = packed.subarray(at, at + 3)
    const condition = CONDITIONS[first]
    if (kind === READ) states.push({ kind: 'read', set: first, next })
    else if (kind === EVENT) states.push({ kind: 'event', event: first })
    else if (kind === WHEN && condition !== undefined)
      states.push({ kind: 'when', condition, next })
    else if (kind === SPLIT && first >= 0) {
      states.push({ kind: 'split', next: [...packed.subarray(at + 3, at + 3 + first)] })
      at += first
    } else return null
  }
  return states
}

function pairsOf(map: ReadonlyMap<number, number>): Uint32Array {
  return Uint32Array.from([...map].flat())
}

/** The automaton as plain data, which shares nothing with it. */
export function freezeMachine(machine: Machine): FrozenDfa {
  const { known, states, root, starts, aside, dfa } = machine
  const count = known.length
  const kernelStarts = new Int32Array(count + 1)
  for (const [at, { kernel }] of known.entries())
    kernelStarts[at + 1] = (kernelStarts[at] ?? 0) + kernel.length
  return {
    columns: dfa.columns,
    states: packStates(states),
    root: Int32Array.from(root.kernel),
    rootEvents: Int32Array.from(root.events),
    table: dfa.table.slice(0, count * dfa.columns),
    eventStarts: dfa.eventStarts.slice(0, count + 1),
    eventList: dfa.eventList.slice(0, dfa.eventStarts[count] ?? 0),
    pairStarts: dfa.pairStarts.slice(),
    pairs: dfa.pairs.slice(),
    kernels: Int32Array.from(known.flatMap(({ kernel }) => kernel)),
    kernelStarts,
    contexts: Uint8Array.from(known, ({ context }) => context),
    starts: pairsOf(starts),
    aside: pairsOf(aside),
  }
}
