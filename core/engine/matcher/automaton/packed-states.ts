import type { Condition, State } from './nfa.ts'

/**
 * States of a nondeterministic automaton in arrays of numbers, because closures walk over them hundreds of thousands of
 * times. Each state has its kind, and by kind: READ the set and the next state; EVENT the event; WHEN the number of the
 * condition and the next state; SPLIT the start and end of its ways in `ways`.
 */
export interface PackedStates {
  readonly kinds: Uint8Array
  readonly first: Int32Array
  readonly second: Int32Array
  readonly ways: Uint32Array
}

export const READ = 0
export const EVENT = 1
export const WHEN = 2
export const SPLIT = 3

/** Conditions by their numbers. */
export const CONDITIONS = [
  ...(['start', 'lineStart', 'end', 'lineEnd', 'textEnd'] as const),
  ...(['boundary', 'asciiBoundary', 'notBoundary', 'asciiNotBoundary'] as const),
] satisfies readonly Condition[]

export function packStates(states: readonly State[]): PackedStates {
  const kinds = new Uint8Array(states.length)
  const first = new Int32Array(states.length)
  const second = new Int32Array(states.length)
  const ways: number[] = []
  for (const [at, state] of states.entries()) {
    if (state.kind === 'read') {
      first[at] = state.set
      second[at] = state.next
    } else if (state.kind === 'event') {
      kinds[at] = EVENT
      first[at] = state.event
    } else if (state.kind === 'when') {
      kinds[at] = WHEN
      first[at] = CONDITIONS.indexOf(state.condition)
      second[at] = state.next
    } else {
      kinds[at] = SPLIT
      first[at] = ways.length
      for (const way of state.next) ways.push(way)
      second[at] = ways.length
    }
  }
  return { kinds, first, second, ways: Uint32Array.from(ways) }
}

/** [C13] Do the arrays belong together: does every state lead to one that there is? */
export function areStates({ kinds, first, second, ways }: PackedStates): boolean {
  const count = kinds.length
  if (first.length !== count || second.length !== count) return false
  const sizes = { count, ways: ways.length }
  // Plain loops: a file is read once, so that nothing here is ever compiled, and there are many states.
  for (let at = 0; at < count; at += 1)
    if (!isState(kinds[at] ?? 0, first[at] ?? 0, second[at] ?? 0, sizes)) return false
  for (const way of ways) if (way >= count) return false
  return true
}

interface Sizes {
  readonly count: number
  readonly ways: number
}

function isState(kind: number, one: number, two: number, { count, ways }: Sizes): boolean {
  if (one < 0 || two < 0) return false
  if (kind === SPLIT) return one <= two && two <= ways
  return kind < SPLIT && two < count && (kind !== WHEN || one < CONDITIONS.length)
}

/** By state: 1 if a way leads to an event for which `asked` is true. */
export function reaching(
  { kinds, first, second, ways }: PackedStates,
  asked: readonly boolean[],
): Uint8Array {
  const found = new Uint8Array(kinds.length)
  const leads = (at: number): boolean => {
    const one = first[at] ?? 0
    const two = second[at] ?? 0
    if (kinds[at] === EVENT) return asked[one] === true
    if (kinds[at] !== SPLIT) return found[two] === 1
    for (let way = one; way < two; way += 1) if (found[ways[way] ?? 0] === 1) return true
    return false
  }
  // Later states were built earlier, except in loops, so few rounds suffice.
  for (let grows = true; grows;) {
    grows = false
    for (let at = 0; at < kinds.length; at += 1) {
      if (found[at] === 1 || !leads(at)) continue
      found[at] = 1
      grows = true
    }
  }
  return found
}
