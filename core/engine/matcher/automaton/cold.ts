import { WIDE } from '../literals.ts'
import type { CompiledSignal } from '../signal.ts'
import { formOf, type TextFacts } from '../text-facts.ts'

/** UTF-16 units of text from which on an automaton for the list has saved more than its making costs. */
const WORTH_CHARS = 150_000

/** Units scanned so far with a list. A list is compiled once and never changes. */
const scanned = new WeakMap<readonly CompiledSignal[], number>()

/** Counts a text that was scanned with a list before it had an automaton. */
export function countScanned(signals: readonly CompiledSignal[], chars: number): void {
  scanned.set(signals, (scanned.get(signals) ?? 0) + chars)
}

/** [C6] Whether so much was scanned with the list that an automaton is worth its making. */
export function isWarm(signals: readonly CompiledSignal[]): boolean {
  return (scanned.get(signals) ?? 0) >= WORTH_CHARS
}

/**
 * [C6] Signals of which a required literal occurs in the text, or that require none. The others cannot match. Checks
 * the given numbers, ascending, or all signals without them.
 */
export function candidatesOf(
  signals: readonly CompiledSignal[],
  facts: TextFacts,
  among: Iterable<number> = signals.keys(),
): readonly number[] {
  const text = formOf(facts, facts.ascii ? 'lower' : 'skeleton')
  const numbers: number[] = []
  for (const number of among) {
    const literals = signals[number]?.programs.literals ?? null
    const isCandidate =
      literals === null ||
      literals.some((literal) => (literal === WIDE ? !facts.ascii : text.includes(literal)))
    if (isCandidate) numbers.push(number)
  }
  return numbers
}
