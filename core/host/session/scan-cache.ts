import { stepBelief } from '../../engine/belief/step.ts'
import type { DomainSet } from '../../engine/matcher/domains.ts'
import type { Guard } from '../../engine/matcher/scan.ts'
import { scanText } from '../../engine/matcher/scan.ts'
import type { Pipeline, PreparedTurn, TurnOutcome } from '../../engine/pipeline.ts'
import { prepareTurn, stepPrepared } from '../../engine/pipeline.ts'
import type { BeliefState } from '../../engine/schema/trace.ts'
import type { Turn } from '../../engine/turns.ts'
import { cutOffOf, lacksSignals } from './watchdog.ts'

/**
 * Which signals fired on which text of one session. Matching is nearly all the work of a replay and
 * does not depend on momentum rules: another preset over the same domain file only folds again.
 */
export interface ScanCache {
  /** Runs a turn; what is known about its text is not scanned again. With a guard, pattern by pattern. */
  step(pipeline: Pipeline, state: BeliefState, turn: Turn, guard?: Guard): TurnOutcome
}

interface Known {
  /** The text that was scanned: presets cut and strip differently. */
  readonly text: string
  readonly fired: readonly number[]
}

export function createScanCache(): ScanCache {
  const bySet = new WeakMap<DomainSet, Map<number, Known>>()

  function knownOf(set: DomainSet): Map<number, Known> {
    const known = bySet.get(set) ?? new Map<number, Known>()
    bySet.set(set, known)
    return known
  }

  return {
    step: (pipeline, state, turn, guard) => {
      const { set } = pipeline.belief
      const prepared = prepareTurn(pipeline, turn.text)
      const known = knownOf(set)
      const before = known.get(turn.seq)
      if (before?.text === prepared.input.text) {
        return fold(pipeline, state, prepared, before.fired)
      }
      const outcome =
        guard === undefined
          ? stepPrepared(pipeline, state, prepared)
          : stepEach(pipeline, state, prepared, guard)
      // A text on which something was cut off, or is switched off, is not the whole answer.
      if (outcome.cutOffs.length === 0 && !lacksSignals(pipeline)) {
        const fired = outcome.fired.filter((number) => number < set.signals.length)
        known.set(turn.seq, { text: prepared.input.text, fired })
      }
      return outcome
    },
  }
}

/** Each pattern runs under the guard alone: on a huge text all together may take long, and none hang. */
function stepEach(
  pipeline: Pipeline,
  state: BeliefState,
  { facts, input }: PreparedTurn,
  guard: Guard,
): TurnOutcome {
  const fired: number[] = []
  const cutOff: number[] = []
  for (const [number, signal] of pipeline.signals.entries()) {
    const scan = scanText([signal], facts, guard)
    if (scan.fired.length > 0) fired.push(number)
    if (scan.cutOff.length > 0) cutOff.push(number)
  }
  const { length } = input.text
  const cutOffs = cutOff.map((number) => cutOffOf(pipeline, number, length))
  return { ...stepBelief(pipeline.belief, state, fired), fired, cutOffs }
}

function fold(
  pipeline: Pipeline,
  state: BeliefState,
  { facts }: PreparedTurn,
  known: readonly number[],
): TurnOutcome {
  const first = pipeline.belief.set.signals.length
  const antis = scanText(pipeline.signals.slice(first), facts).fired.map((index) => index + first)
  const fired = antis.length === 0 ? known : [...known, ...antis]
  return { ...stepBelief(pipeline.belief, state, fired), fired, cutOffs: [] }
}
