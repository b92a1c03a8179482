import { candidatesOf } from './prefilter.ts'
import { findSpans, testSignal } from './signal.ts'
import type { CompiledSignal, SignalSpans } from './signal.ts'
import type { TextFacts } from './text-facts.ts'

/**
 * Watchdog of the host: runs `run`, and says whether it finished (true) or was cut off (false).
 * It is called once a text, so it may cost something; `run` may be called again after a cut.
 */
export type Guard = (run: () => void) => boolean

/** Runs without a watchdog. */
export function unguarded(run: () => void): boolean {
  run()
  return true
}

/** Signals that matched a text, and those that the watchdog cut off on it, by number, ascending. */
export interface Scan {
  readonly fired: readonly number[]
  readonly cutOff: readonly number[]
}

/**
 * Calls `visit` for each number below `count` under the guard. The cursor lives outside the guarded
 * call: when that is cut off, the number it stands at is the culprit, and the rest goes on after it.
 */
function visitGuarded(count: number, guard: Guard, visit: (index: number) => void): number[] {
  const cutOff: number[] = []
  let cursor = 0
  const run = (): void => {
    for (; cursor < count; cursor += 1) visit(cursor)
  }
  while (!guard(run) && cursor < count) {
    cutOff.push(cursor)
    cursor += 1
  }
  return cutOff
}

/**
 * Tests every signal on a text; those whose required literals do not occur are known not to match
 * without being run. A signal that is cut off counts as not fired.
 */
export function scanText(
  signals: readonly CompiledSignal[],
  facts: TextFacts,
  guard: Guard = unguarded,
): Scan {
  const fired: number[] = []
  const candidates = candidatesOf(signals, facts)
  const cutOff = visitGuarded(candidates.length, guard, (at) => {
    const index = candidates[at] ?? 0
    const signal = signals[index]
    if (signal !== undefined && testSignal(signal, facts)) fired.push(index)
  })
  return { fired, cutOff: cutOff.map((at) => candidates[at] ?? 0) }
}

/**
 * Finds the spans of the signals that fired, at most `limit` each. A signal that is cut off while
 * its further matches are sought keeps none, and stays fired.
 */
export function scanSpans(
  signals: readonly CompiledSignal[],
  facts: TextFacts,
  limit: number,
  guard: Guard = unguarded,
): readonly SignalSpans[] {
  const found: SignalSpans[] = signals.map(() => ({ spans: [], count: 1 }))
  visitGuarded(signals.length, guard, (index) => {
    const signal = signals[index]
    if (signal !== undefined) found[index] = findSpans(signal, facts, limit)
  })
  return found
}
