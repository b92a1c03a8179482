import { optionsKey } from '../../../engine/belief/options.ts'
import type { DomainSet } from '../../../engine/matcher/domains.ts'
import { type Guard, type Scan, scanText } from '../../../engine/matcher/scan.ts'
import type { Pipeline, PreparedTurn, ScanTurn } from '../../../engine/pipeline.ts'
import type { ReplayTurn } from '../../../engine/turns.ts'
import { lacksSignals } from '../../platform/guard/watchdog.ts'

/**
 * Which signals fired on which text of one session. Matching is nearly all the work of a replay and
 * does not depend on momentum rules: another preset over the same domain file only folds again.
 */
export interface ScanCache {
  /** Texts with cached results are not scanned again. With a guard, scans pattern by pattern. */
  scan(guard?: Guard): ScanTurn
  /** Called when the file was read again, because its events have changed. */
  forget(): void
}

interface Known {
  /**
   * Identifies how the scanned text was made from the turn's own text, because presets cut and strip differently.
   * Storing the text itself would keep all texts in memory.
   */
  readonly prepared: string
  readonly fired: readonly number[]
}

const WHOLE = 'whole'

/** [I57] Two preparations of one text are equal where both left it whole, or had the same options. */
function preparationOf({ preset }: Pipeline, { input }: PreparedTurn): string {
  if (input.pieces === null) return WHOLE
  return optionsKey(preset.belief, 'text')
}

export function createScanCache(): ScanCache {
  // By the event itself: its place may change while a file is read, its text never.
  let bySet = new WeakMap<DomainSet, Map<ReplayTurn, Known>>()

  function knownOf(set: DomainSet): Map<ReplayTurn, Known> {
    const known = bySet.get(set) ?? new Map<ReplayTurn, Known>()
    bySet.set(set, known)
    return known
  }

  return {
    forget: () => {
      bySet = new WeakMap()
    },
    scan: (guard) => (pipeline, turnText, turn) => {
      const { set } = pipeline.belief
      const prepared = preparationOf(pipeline, turnText)
      const known = knownOf(set)
      const before = known.get(turn)
      if (before?.prepared === prepared) return withAntiSignals(pipeline, turnText, before.fired)
      const scan =
        guard === undefined
          ? scanText(pipeline.signals, turnText.facts)
          : scanEach(pipeline, turnText, guard)
      // A text on which something was cut off, or is switched off, is not the whole answer.
      if (scan.cutOff.length === 0 && !lacksSignals(pipeline)) {
        const fired = scan.fired.filter((number) => number < set.signals.length)
        known.set(turn, { prepared, fired })
      }
      return scan
    },
  }
}

/** Each pattern runs under the guard alone: on a huge text all together may take long, and none hang. */
function scanEach({ signals }: Pipeline, { facts }: PreparedTurn, guard: Guard): Scan {
  const each = signals.map((signal) => scanText([signal], facts, guard))
  const numbers = (of: (scan: Scan) => readonly number[]): readonly number[] =>
    each.flatMap((scan, number) => (of(scan).length > 0 ? [number] : []))
  return { fired: numbers(({ fired }) => fired), cutOff: numbers(({ cutOff }) => cutOff) }
}

/** Anti-signals are the preset's, not the domain file's. */
function withAntiSignals(
  { belief, signals }: Pipeline,
  { facts }: PreparedTurn,
  known: readonly number[],
): Scan {
  const first = belief.set.signals.length
  const antis = scanText(signals.slice(first), facts).fired.map((index) => index + first)
  return { fired: antis.length === 0 ? known : [...known, ...antis], cutOff: [] }
}
