import type { TimeLimit } from '../guard.ts'
import { moreTime, PATTERN_LIMIT_MS } from '../guard.ts'

/** The engine's guard over slices of texts, and how long the last runs that were cut off took. */
export interface LabWatch {
  readonly guard: (run: () => void, chars: number) => boolean
  /** Milliseconds of the last cut-off on texts of that size; 0 where there was none. */
  readonly elapsed: (chars: number) => number
}

/**
 * The watchdog of the lab. A run that is cut off gets a second chance, as in a replay: on a busy
 * machine a slice may only have been unlucky, and it goes on where it stood.
 */
export function watchLab(limit: TimeLimit): LabWatch {
  const elapsed = new Map<number, number>()
  const attempt = (run: () => void, chars: number): boolean => {
    const result = limit(run, PATTERN_LIMIT_MS + moreTime.allPatterns(chars))
    if (!result.ok) elapsed.set(chars, result.elapsedMs)
    return result.ok
  }
  return {
    guard: (run, chars) => attempt(run, chars) || attempt(run, chars),
    elapsed: (chars) => elapsed.get(chars) ?? 0,
  }
}
