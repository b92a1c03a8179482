import { type TimeLimit, moreTime, PATTERN_LIMIT_MS } from '../shared/guard.ts'

/** The engine's guard over slices of texts, and how long the last runs that were cut off took. */
export interface LabWatch {
  readonly guard: (run: () => void, chars: number) => boolean
  /** Milliseconds of the last cut-off on texts of that size; 0 where there was none. */
  readonly elapsed: (chars: number) => number
}

/** A run that was cut off had its time when the thread really worked for this share of it. */
const WORKED = 0.8
/** The limit grows this often at most for a thread that others keep from working. */
const MOST_ATTEMPTS = 7

/**
 * The watchdog of the lab. What it finds out is kept and counted, so a busy machine must not make a
 * pattern look slow: a run counts as cut off only when this thread itself worked for its time, by
 * processor time; else it goes on where it stood, with twice the time on the clock.
 */
export function watchLab(limit: TimeLimit): LabWatch {
  const elapsed = new Map<number, number>()
  const guard = (run: () => void, chars: number): boolean => {
    const allowed = PATTERN_LIMIT_MS + moreTime.allPatterns(chars)
    let chances = 2
    for (let attempt = 0; attempt < MOST_ATTEMPTS && chances > 0; attempt += 1) {
      const before = workedMs()
      const result = limit(run, allowed * 2 ** attempt)
      if (result.ok) return true
      elapsed.set(chars, result.elapsedMs)
      if (workedMs() - before >= allowed * WORKED) chances -= 1
    }
    return false
  }
  return { guard, elapsed: (chars) => elapsed.get(chars) ?? 0 }
}

/** Milliseconds that this thread has worked. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
