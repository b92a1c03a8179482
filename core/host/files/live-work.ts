import { setTimeout } from 'node:timers/promises'

/** Progress is said at most this often, in milliseconds. */
const PROGRESS_MS = 100

export interface Progressed {
  readonly kind: 'progress'
  readonly done: number
  readonly total: number
}

/** Progress, ten times a second. */
export interface Meter {
  readonly note: (done: number, total: number) => void
  /** What there is to say now, or null. */
  readonly step: () => Progressed | null
}

export function createMeter(): Meter {
  let latest: Progressed | null = null
  let said = -Infinity
  return {
    note: (done, total) => {
      latest = { kind: 'progress', done: Math.min(done, total), total }
    },
    step: () => {
      const now = performance.now()
      if (latest === null || now - said < PROGRESS_MS) return null
      said = now
      const step = latest
      latest = null
      return step
    },
  }
}

/** Work on one thing, one after the other. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** Starts when all work before has ended or was left; throws when `signal` is aborted by then. */
  async *take<T, R>(signal: AbortSignal, work: () => AsyncGenerator<T, R>): AsyncGenerator<T, R> {
    const before = this.#last
    const done = Promise.withResolvers<null>()
    this.#last = Promise.all([before, done.promise])
    try {
      await before
      signal.throwIfAborted()
      return yield* work()
    } finally {
      done.resolve(null)
    }
  }
}

/** Waits, but not for a caller that has left. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await setTimeout(ms, undefined, { signal }).catch(() => undefined)
}
