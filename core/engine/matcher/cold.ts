import { WIDE } from './literals.ts'
import type { CompiledSignal } from './signal.ts'
import { formOf, type TextFacts } from './text-facts.ts'

/** UTF-16 units of text from which on an automaton for the list has saved more than its making costs. */
const WORTH_CHARS = 150_000

/** Units scanned so far with a list. A list is compiled once and never changes. */
const scanned = new WeakMap<readonly CompiledSignal[], number>()

/** [C6] Whether so much was scanned with the list that it is read by an automaton from now on. */
export function isWarm(signals: readonly CompiledSignal[], chars: number): boolean {
  const before = scanned.get(signals) ?? 0
  if (before >= WORTH_CHARS) return true
  scanned.set(signals, before + chars)
  return false
}

/** [C10] Whether it is warm, or will be before long: then what is made once had better be made now. */
export function isWarming(signals: readonly CompiledSignal[]): boolean {
  return (scanned.get(signals) ?? 0) >= WORTH_CHARS / 2
}

/** Reads with the automaton from the first text on: for lists that are about to see a whole corpus. */
export function warmUp(signals: readonly CompiledSignal[]): void {
  scanned.set(signals, WORTH_CHARS)
}

/** [C6] Signals of which a required literal stands in the text, or that require none: the others cannot match. */
export function candidatesOf(
  signals: readonly CompiledSignal[],
  facts: TextFacts,
): readonly number[] {
  const text = formOf(facts, facts.ascii ? 'lower' : 'skeleton')
  const numbers: number[] = []
  for (const [number, { programs }] of signals.entries()) {
    const { literals } = programs
    const isCandidate =
      literals === null ||
      literals.some((literal) => (literal === WIDE ? !facts.ascii : text.includes(literal)))
    if (isCandidate) numbers.push(number)
  }
  return numbers
}
