import { createCutOffBudget } from '../platform/guard/cut-off-budget.ts'
import { type TimeLimit, attemptRun, moreTime } from '../platform/guard/guard.ts'

/** The engine's guard over slices of texts, and how long the last runs that were cut off took. */
export interface LabWatch {
  readonly guard: (run: () => void, chars: number) => boolean
  /** Milliseconds of the last cut-off on texts of this size; 0 if there was none. */
  readonly elapsed: (chars: number) => number
  /** Another thread cut a pattern off, on a text of that size, after so many milliseconds. */
  readonly heard: (chars: number, elapsedMs: number) => void
}

/** The watchdog of the lab. It stores and counts cut-offs. */
export function watchLab(limit: TimeLimit, budget = createCutOffBudget()): LabWatch {
  const last = new Map<number, number>()
  const attempt = attemptRun(limit, budget)
  return {
    guard: (run, chars) => {
      const elapsed = attempt(run, moreTime.allPatterns(chars))
      if (elapsed !== null) last.set(chars, elapsed)
      return elapsed === null
    },
    elapsed: (chars) => last.get(chars) ?? 0,
    heard: (chars, elapsedMs) => void last.set(chars, elapsedMs),
  }
}
