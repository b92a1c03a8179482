import { createAutomaton } from './automaton.ts'
import type { Automaton } from './automaton.ts'
import type { CompiledSignal } from './signal.ts'
import { formOf } from './text-facts.ts'
import type { TextFacts } from './text-facts.ts'

/** Fewer signals are run one by one: the pass over the text would cost more. */
const FEWEST = 8

interface Prefilter {
  readonly automaton: Automaton
  /** Groups of the automaton → numbers of signals. */
  readonly numbers: readonly number[]
  /** Signals that require no literal. */
  readonly always: readonly number[]
  /** Text (by count) in which a group was last seen: clearing a flag per text would cost more. */
  readonly seen: Uint32Array
  texts: number
}

/** Memo by list of signals: a list is compiled once and never changes. */
const prefilters = new WeakMap<readonly CompiledSignal[], Prefilter>()

function createPrefilter(signals: readonly CompiledSignal[]): Prefilter {
  const numbers: number[] = []
  const always: number[] = []
  const groups: Array<readonly string[]> = []
  for (const [number, { programs }] of signals.entries()) {
    if (programs.literals === null) always.push(number)
    else {
      numbers.push(number)
      groups.push(programs.literals)
    }
  }
  const seen = new Uint32Array(groups.length)
  return { automaton: createAutomaton(groups), numbers, always, seen, texts: 0 }
}

/**
 * Numbers of the signals that can match the text, ascending: those with a required literal in it,
 * found for all of them in one pass, and those that require none. Exact: what is left out cannot match.
 */
export function candidatesOf(
  signals: readonly CompiledSignal[],
  facts: TextFacts,
): readonly number[] {
  if (signals.length < FEWEST) return signals.map((_, number) => number)
  let prefilter = prefilters.get(signals)
  if (prefilter === undefined) {
    prefilter = createPrefilter(signals)
    prefilters.set(signals, prefilter)
  }
  const { automaton, numbers, always, seen } = prefilter
  prefilter.texts = (prefilter.texts + 1) >>> 0
  const text = prefilter.texts
  const candidates = [...always]
  automaton.run(formOf(facts, facts.ascii ? 'lower' : 'skeleton'), (group) => {
    if (seen[group] === text) return
    seen[group] = text
    candidates.push(numbers[group] ?? 0)
  })
  return candidates.sort((a, b) => a - b)
}
