import { setTimeout } from 'node:timers/promises'
import type { CoachFailure } from '../../../engine/schema/coach-wire.ts'
import { type FailureKind, failureOf } from './call-failures.ts'
import { createQueue } from '../threads/shared-work.ts'

/** Result of an attempt to query a server. */
export type Answered<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: CoachFailure; readonly retryAfterMs: number | null }

/** Time and chance from outside, so that tests need neither. */
export interface Chronometer {
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Rejects when `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** 0 (included) to 1 (excluded). */
  readonly random: () => number
}

/** The machine's own time and chance. */
export const REAL_TIME: Chronometer = {
  now: () => performance.now(),
  random: Math.random,
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
}

/** Attempts in all, of the failures that may pass. */
const ATTEMPTS: Partial<Record<FailureKind, number>> = {
  rate_limited: 4,
  server_error: 4,
  timeout: 2,
  unreachable: 2,
  cut_off: 2,
}
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/** [V41] Maximum total wait for an address that only requests pauses. */
const MOST_WAITED_MS = 240_000

/** [V20] Calls per minute, with a small burst. A server that requests a pause pauses all calls. */
export interface RateLimit {
  /** Resolves when a call may be made; rejects when `signal` is aborted. */
  take(perMinute: number, signal: AbortSignal): Promise<void>
  /** [V41] False if this address has requested too much waiting since its last answer. */
  pause(ms: number): boolean
  /** Called on an answer; resets the waiting time. */
  answered(): void
}

export function createRateLimit({ now, sleep }: Chronometer, burst: number): RateLimit {
  let tokens = burst
  let filledAt = now()
  let pausedUntil = 0
  let waited = 0
  // Each caller waits for the one before, whether that one succeeded or failed.
  const inTurn = createQueue()

  async function next(perMinute: number, signal: AbortSignal): Promise<void> {
    const perMs = perMinute / 60_000
    for (;;) {
      signal.throwIfAborted()
      const at = now()
      tokens = Math.min(burst, perMinute, tokens + (at - filledAt) * perMs)
      filledAt = at
      if (at >= pausedUntil && tokens >= 1) {
        tokens -= 1
        return
      }
      await sleep(Math.max(pausedUntil - at, Math.ceil((1 - tokens) / perMs), 1), signal)
    }
  }

  return {
    take: (perMinute, signal) => inTurn(() => next(perMinute, signal)),
    pause: (ms) => {
      // Calls refused at the same time share one pause, so only its extension counts.
      const until = now() + ms
      const more = until - Math.max(pausedUntil, now())
      if (waited + more > MOST_WAITED_MS) return false
      waited += Math.max(0, more)
      pausedUntil = Math.max(pausedUntil, until)
      return true
    },
    answered: () => {
      waited = 0
    },
  }
}

interface Retrying {
  readonly time: Chronometer
  readonly limit: RateLimit
  readonly perMinute: number
  readonly signal: AbortSignal
}

/** [V20] Tries until an answer, a failure that stays, or the last attempt; waits as the server asks. */
export async function askWithRetries<T>(
  once: () => Promise<Answered<T>>,
  { time, limit, perMinute, signal }: Retrying,
): Promise<Answered<T>> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      await limit.take(perMinute, signal)
    } catch {
      return cancelled(attempts - 1)
    }
    const answered = await once()
    if (answered.ok) {
      limit.answered()
      return answered
    }
    const { error, retryAfterMs } = answered
    const counted: CoachFailure = { ...error, attempts }
    if (attempts >= (ATTEMPTS[error.kind] ?? 1)) return { ...answered, error: counted }
    const wait = retryAfterMs ?? backoff(attempts, time.random())
    if (error.kind === 'rate_limited' && !limit.pause(wait)) {
      const seconds = MOST_WAITED_MS / 1000
      const what = `${error.what}; it asked to wait longer than ${seconds} s in all`
      return { ...answered, error: { ...counted, what } }
    }
    try {
      await time.sleep(wait, signal)
    } catch {
      return cancelled(attempts)
    }
  }
}

/** Doubles with each attempt. Random between half and all of it, so that callers do not retry in step. */
function backoff(attempts: number, chance: number): number {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1))
  return Math.round(most * (0.5 + chance / 2))
}

function cancelled(attempts: number): Answered<never> {
  return { ok: false, error: { ...failureOf('cancelled'), attempts }, retryAfterMs: null }
}
