import { createAutomaton } from './automaton.ts'
import type { Automaton } from './automaton.ts'
import { WIDE } from './literals.ts'
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
  /** Those, and the signals that may do with a character above U+007F instead of a literal. */
  readonly beyondAscii: readonly number[]
  /** Text (by count) in which a group was last seen: clearing a flag per text would cost more. */
  readonly seen: Uint32Array
  texts: number
}

/** Memo by list of signals: a list is compiled once and never changes. */
const prefilters = new WeakMap<readonly CompiledSignal[], Prefilter>()

function createPrefilter(signals: readonly CompiledSignal[]): Prefilter {
  const numbers: number[] = []
  const always: number[] = []
  const beyondAscii: number[] = []
  const groups: Array<readonly string[]> = []
  for (const [number, { programs }] of signals.entries()) {
    const { literals } = programs
    if (literals === null) always.push(number)
    if (literals === null || literals.includes(WIDE)) beyondAscii.push(number)
    const narrow = literals?.filter((literal) => literal !== WIDE) ?? []
    if (narrow.length === 0) continue
    numbers.push(number)
    groups.push(narrow)
  }
  const seen = new Uint32Array(groups.length)
  return { automaton: createAutomaton(groups), numbers, always, beyondAscii, seen, texts: 0 }
}

/**
 * Numbers of the signals that can match the text, ascending: those with a required literal in it,
 * found for all of them in one pass, those that require none, and, where the text is not ASCII, those
 * that require a wide character. Exact: what is left out cannot match.
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
  const { automaton, numbers, seen } = prefilter
  prefilter.texts = (prefilter.texts + 1) >>> 0
  const text = prefilter.texts
  const candidates = [...(facts.ascii ? prefilter.always : prefilter.beyondAscii)]
  const known = new Set(candidates)
  automaton.run(formOf(facts, facts.ascii ? 'lower' : 'skeleton'), (group) => {
    if (seen[group] === text) return
    seen[group] = text
    const number = numbers[group] ?? 0
    if (!known.has(number)) candidates.push(number)
  })
  return candidates.sort((a, b) => a - b)
}
