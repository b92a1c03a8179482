import { createContext, Script } from 'node:vm'
import type { Guard } from '../../engine/matcher/scan.ts'

/** What a limited job came to: its value, or how long it ran before it was cut off. */
export type Limited<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly elapsedMs: number }

/** Runs a synchronous job under a limit in milliseconds. */
export type TimeLimit = <T>(job: () => T, limitMs: number) => Limited<T>

/** A pattern may run this long on one text before it is cut off. */
export const PATTERN_LIMIT_MS = 250

/** Milliseconds more for a text of that many UTF-16 units: four times what an idle machine needs. */
export const moreTime = {
  onePattern: (chars: number) => Math.ceil(chars / 2000),
  allPatterns: (chars: number) => Math.ceil(chars / 500),
} as const

/**
 * The clock of the watchdog (DESIGN section 4, "Never hangs"). V8 stops a running regular expression
 * when the `vm` timeout fires, wherever in its backtracking it is. One limited call costs about
 * 0.2 ms (node:vm starts a thread for each), so callers limit many texts at once and go down to one
 * text only after a cut-off. What the job was changing is left as it was at that moment: a job must
 * be safe to run again.
 */
export function createTimeLimit(): TimeLimit {
  const box: { job: (() => unknown) | null } = { job: null }
  const context = createContext(box)
  const script = new Script('job()', { filename: 'watchdog' })
  return <T>(job: () => T, limitMs: number): Limited<T> => {
    const outer = box.job
    box.job = job
    const start = performance.now()
    try {
      // The script returns what `job` returned.
      return { ok: true, value: script.runInContext(context, { timeout: limitMs }) as T }
    } catch (error) {
      if (!isTimeout(error)) throw error
      return { ok: false, elapsedMs: Math.round(performance.now() - start) }
    } finally {
      box.job = outer
    }
  }
}

function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  )
}

/** The engine's guard over one text, and how long the last run that was cut off took. */
export interface Watch {
  readonly guard: Guard
  readonly elapsedMs: () => number
}

/**
 * Watches one text at a time. `moreMs` is added to the limit: a huge text needs its time without
 * anything being wrong. A run that is cut off gets a second chance: the
 * engine goes on at the suspect, so a pattern that was only unlucky (a busy machine) passes, and one
 * that hangs is named.
 */
export function watchText(limit: TimeLimit, moreMs: () => number): Watch {
  let elapsed = 0
  const attempt = (run: () => void): boolean => {
    const result = limit(run, PATTERN_LIMIT_MS + moreMs())
    if (!result.ok) elapsed = result.elapsedMs
    return result.ok
  }
  return { guard: (run) => attempt(run) || attempt(run), elapsedMs: () => elapsed }
}

/** The engine's guard on its own; `chars` says how large the text at hand is. */
export function createGuard(chars: () => number = () => 0): Guard {
  return watchText(createTimeLimit(), () => moreTime.allPatterns(chars())).guard
}
