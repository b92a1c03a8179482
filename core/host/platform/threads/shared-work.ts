import { createLru } from '../../../engine/lru.ts'

interface Job<T> {
  readonly result: Promise<T>
  readonly stop: AbortController
  readonly listeners: Set<(done: number, total: number) => void>
  waiters: number
}

interface Wanted<T> {
  readonly signal: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
  readonly start: (
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ) => Promise<T>
}

/** Results by key, the last `size` of them. Equal work requested concurrently runs once. */
export interface SharedWork<T> {
  /** Rejects with an AbortError when `signal` is aborted. The work stops when no caller waits anymore. */
  get(key: string, wanted: Wanted<T>): Promise<T>
  /** Releases a result that will not be requested again. */
  forget(key: string): void
}

export function createSharedWork<T>(size: number): SharedWork<T> {
  const done = createLru<string, T>(size)
  const running = new Map<string, Job<T>>()

  function begin(key: string, wanted: Wanted<T>): Job<T> {
    const stop = new AbortController()
    const listeners: Job<T>['listeners'] = new Set()
    const say = (at: number, total: number) => {
      for (const listener of listeners) listener(at, total)
    }
    const result = wanted
      .start(stop.signal, say)
      .then((value) => {
        if (size > 0) done.set(key, value)
        return value
      })
      .finally(() => {
        if (running.get(key) === job) running.delete(key)
      })
    result.catch(() => undefined)
    const job: Job<T> = { result, stop, listeners, waiters: 0 }
    running.set(key, job)
    return job
  }

  async function wait(key: string, job: Job<T>, wanted: Wanted<T>): Promise<T> {
    const { signal, onProgress } = wanted
    const aborted = Promise.withResolvers<never>()
    const leave = () => aborted.reject(new DOMException('cancelled', 'AbortError'))
    signal.addEventListener('abort', leave, { once: true })
    if (onProgress) job.listeners.add(onProgress)
    job.waiters += 1
    try {
      return await Promise.race([job.result, aborted.promise])
    } finally {
      signal.removeEventListener('abort', leave)
      if (onProgress) job.listeners.delete(onProgress)
      job.waiters -= 1
      if (job.waiters === 0 && running.get(key) === job) {
        // A job that is being stopped must not be joined.
        running.delete(key)
        job.stop.abort()
      }
    }
  }

  return {
    forget: (key) => void done.delete(key),
    get: async (key, wanted) => {
      wanted.signal.throwIfAborted()
      const known = done.get(key)
      if (known !== undefined) return known
      return await wait(key, running.get(key) ?? begin(key, wanted), wanted)
    },
  }
}

/** Runs pieces of work one after another, in the order in which they came. */
export function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    // The caller gets the failure; the next piece of work starts all the same.
    last = result.catch(() => undefined)
    return result
  }
}
