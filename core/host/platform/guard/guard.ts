import { createContext, Script } from 'node:vm'
import type { Guard } from '../../../engine/matcher/scan.ts'
import { type CutOffBudget, createCutOffBudget } from './cut-off-budget.ts'

/** Result of a limited job: its value, or the time until it was cut off. */
type Limited<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly elapsedMs: number }

/** Runs a synchronous job under a limit in milliseconds. */
export type TimeLimit = <T>(job: () => T, limitMs: number) => Limited<T>

/** A pattern may run this long on one text before it is cut off. */
export const PATTERN_LIMIT_MS = 250

/** Additional milliseconds for a text of that many UTF-16 units: four times the need of an idle machine. */
export const moreTime = {
  onePattern: (chars: number) => Math.ceil(chars / 2000),
  allPatterns: (chars: number) => Math.ceil(chars / 500),
} as const

/**
 * The clock of the watchdog (DESIGN section 4, "Never hangs"). V8 stops a running regular expression when the `vm`
 * timeout fires, at any point of its backtracking. One limited call costs about 0.2 ms (node:vm starts a thread for
 * each). Callers therefore limit many texts together, and limit single texts only after a cut-off. State that the job
 * was changing stays as it was at that moment, so a job must be safe to run again.
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
interface Watch {
  readonly guard: Guard
  readonly elapsedMs: () => number
}

/** A cut-off counts if the thread was really running for this share of the limit. */
const WORKED = 0.8
/** The limit grows this often at most for a thread that others keep from working. */
const MOST_ATTEMPTS = 7
/** After a cut-off a run resumes at the suspect pattern. Only one that hangs is cut off a second time. */
const CHANCES = 2

/** Result of a run: duration of its last attempt if it was cut off, else null. */
type Attempted = number | null

/**
 * Runs under the budget's limit and `moreMs`. A busy machine must not make a pattern look slow. A run counts as cut off
 * only if this thread used the processor for its time. If it did not, the run resumes with twice the time on the clock.
 * It has two chances, because earlier patterns shared the time of the first.
 */
export function attemptRun(
  limit: TimeLimit,
  budget: CutOffBudget,
): (run: () => void, moreMs: number) => Attempted {
  return (run, moreMs) => {
    let chances = CHANCES
    let elapsed = 0
    for (let attempt = 0; attempt < MOST_ATTEMPTS && chances > 0; attempt += 1) {
      const allowed = budget.allowance() + moreMs
      const before = workedMs()
      const result = limit(run, allowed * 2 ** (attempt - (CHANCES - chances)))
      if (result.ok) return null
      elapsed = result.elapsedMs
      const worked = workedMs() - before
      budget.lose(Math.min(worked, elapsed))
      if (worked >= allowed * WORKED) chances -= 1
    }
    return elapsed
  }
}

/** Result of a slice. `starved`: other processes kept the thread from running, and the rest is tried again. */
type Sliced = 'done' | 'starved' | 'cut off'

/**
 * Runs a slice of work under the budget's limit. If the slice is cut off, only the thread's processor time counts as
 * lost, so a busy machine does not use up the budget of patterns.
 */
export function createSlices(
  limit: TimeLimit,
  budget: CutOffBudget,
  sliceMs: number,
): (job: () => void) => Sliced {
  let starved = 0
  return (job) => {
    const before = workedMs()
    const allowed = sliceMs + budget.allowance()
    const ran = limit(job, allowed * 2 ** starved)
    if (ran.ok) {
      starved = 0
      return 'done'
    }
    const worked = workedMs() - before
    budget.lose(Math.min(worked, ran.elapsedMs))
    starved += 1
    if (worked < allowed * WORKED && starved < MOST_ATTEMPTS) return 'starved'
    starved = 0
    return 'cut off'
  }
}

/** Milliseconds that this thread has worked. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Watches one text at a time. `moreMs` is added to the limit: a huge text needs its time. */
export function watchText(
  limit: TimeLimit,
  moreMs: () => number,
  budget: CutOffBudget = createCutOffBudget(),
): Watch {
  let last = 0
  const attempt = attemptRun(limit, budget)
  return {
    guard: (run) => {
      const elapsed = attempt(run, moreMs())
      last = elapsed ?? last
      return elapsed === null
    },
    elapsedMs: () => last,
  }
}
