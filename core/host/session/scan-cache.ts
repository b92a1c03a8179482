import { stepBelief } from '../../engine/belief/step.ts'
import type { DomainSet } from '../../engine/matcher/domains.ts'
import { type Guard, scanText } from '../../engine/matcher/scan.ts'
import {
  type Pipeline,
  type PreparedTurn,
  type TurnOutcome,
  prepareTurn,
  stepPrepared,
} from '../../engine/pipeline.ts'
import type { BeliefState } from '../../engine/schema/trace.ts'
import { cutOffOf, lacksSignals } from '../shared/watchdog.ts'
import { textOf, type SessionEvent, type TextReader } from '../../engine/schema/event.ts'

/**
 * Which signals fired on which text of one session. Matching is nearly all the work of a replay and
 * does not depend on momentum rules: another preset over the same domain file only folds again.
 */
export interface ScanCache {
  /** Runs a turn; what is known about its text is not scanned again. With a guard, pattern by pattern. */
  step(pipeline: Pipeline, state: BeliefState, turn: ScannedTurn, guard?: Guard): TurnOutcome
  /** The file was read anew: its events are others now. */
  forget(): void
}

/** What is known is kept by the event: its place may change while a file is read, its text never. */
interface ScannedTurn {
  readonly event: SessionEvent
  readonly texts: TextReader
}

interface Known {
  /**
   * What made the scanned text of the turn's own: presets cut and strip differently. The text itself
   * would keep all texts in memory.
   */
  readonly prepared: string
  readonly fired: readonly number[]
}

const WHOLE = 'whole'

/** [I57] Two preparations of one text are equal where both left it whole, or had the same options. */
function preparationOf({ preset }: Pipeline, { input }: PreparedTurn): string {
  if (input.cutChars === 0 && input.thinkingChars === 0) return WHOLE
  const { maxChars, stripThinking } = preset.belief
  return `${maxChars ?? 'all'} ${stripThinking}`
}

export function createScanCache(): ScanCache {
  let bySet = new WeakMap<DomainSet, Map<SessionEvent, Known>>()

  function knownOf(set: DomainSet): Map<SessionEvent, Known> {
    const known = bySet.get(set) ?? new Map<SessionEvent, Known>()
    bySet.set(set, known)
    return known
  }

  return {
    forget: () => {
      bySet = new WeakMap()
    },
    step: (pipeline, state, { event, texts }, guard) => {
      const { set } = pipeline.belief
      const turnText = prepareTurn(pipeline, textOf(event, texts))
      const prepared = preparationOf(pipeline, turnText)
      const known = knownOf(set)
      const before = known.get(event)
      if (before?.prepared === prepared) return fold(pipeline, state, turnText, before.fired)
      const outcome =
        guard === undefined
          ? stepPrepared(pipeline, state, turnText)
          : stepEach(pipeline, state, turnText, guard)
      // A text on which something was cut off, or is switched off, is not the whole answer.
      if (outcome.cutOffs.length === 0 && !lacksSignals(pipeline)) {
        const fired = outcome.fired.filter((number) => number < set.signals.length)
        known.set(event, { prepared, fired })
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
