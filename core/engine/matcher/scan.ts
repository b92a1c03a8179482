import { candidatesOf, countScanned, isWarm } from './automaton/cold.ts'
import {
  hasReading,
  makeReading,
  readText,
  shareReading,
  type ReadSurvey,
} from './automaton/readings.ts'
import {
  findSpans,
  matchesFrom,
  testSignal,
  type CompiledSignal,
  type SignalSpans,
} from './signal.ts'
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
 * Calls `visit` for each number below `count` under the guard. The cursor is outside the guarded call. If that call is
 * cut off, the current number is the culprit, and the rest continues after it.
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

/** Fewer signals are run one by one: the pass over the text would cost more. */
const FEWEST = 8

/** Signals to run, with the positions where they may begin; null means anywhere. */
type Runs = ReadonlyMap<number, readonly number[] | null>

function runsOf(survey: ReadSurvey, rest: readonly number[], fired: ReadonlySet<number>): Runs {
  const runs = new Map<number, number[] | null>()
  for (const { signal, from } of survey.suspects) {
    if (fired.has(signal)) continue
    const places = runs.get(signal)
    if (from === null) runs.set(signal, null)
    else if (places === undefined) runs.set(signal, [from])
    else places?.push(from)
  }
  for (const number of rest) runs.set(number, null)
  return runs
}

/**
 * [C10] Must be called before scanning texts under a watchdog, and by all callers that scan many texts. The automaton
 * of the list is built only here, when it is due. Under the watchdog its construction would be cut off, discarded and
 * restarted.
 */
export function prepareScan(signals: readonly CompiledSignal[]): void {
  if (signals.length < FEWEST || hasReading(signals) || shareReading(signals)) return
  if (isWarm(signals)) makeReading(signals)
}

/** Makes an automaton for the list before it has seen any text: for lists that are about to see a corpus. */
export function warmUp(signals: readonly CompiledSignal[]): void {
  if (signals.length >= FEWEST) makeReading(signals)
}

/**
 * Tests every signal on a text. If the list has an automaton (see `prepareScan`), one pass decides nearly all signals,
 * and the others run where they may match. Without one, each signal runs separately if a required literal is present. A
 * signal that is cut off counts as not fired.
 */
export function scanText(
  signals: readonly CompiledSignal[],
  facts: TextFacts,
  guard: Guard = unguarded,
): Scan {
  const survey = readText(signals, facts)
  if (survey === null) countScanned(signals, facts.text.length)
  const fired = new Set(survey?.fired)
  // Without others to run by themselves, no form of the text need be made.
  const rest = survey === null || survey.rest.length === 0 ? [] : survey.rest
  const runs =
    survey && runsOf(survey, rest.length === 0 ? [] : candidatesOf(signals, facts, rest), fired)
  const numbers = runs === null ? candidatesOf(signals, facts) : [...runs.keys()]
  const cutOff = visitGuarded(numbers.length, guard, (at) => {
    const number = numbers[at] ?? 0
    const signal = signals[number]
    if (signal === undefined) return
    const places = runs?.get(number) ?? null
    const found =
      places === null
        ? testSignal(signal, facts)
        : places.some((from) => matchesFrom(signal, facts, from, survey?.paired ?? false))
    if (found) fired.add(number)
  })
  return {
    fired: [...fired].sort((a, b) => a - b),
    cutOff: cutOff.map((at) => numbers[at] ?? 0).sort((a, b) => a - b),
  }
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
