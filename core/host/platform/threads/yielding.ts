/** Maximum time that work may hold the event loop, in milliseconds. */
const SLICE_MS = 20

/** Progress is said at most this often. */
const PROGRESS_MS = 100

/** Lets the event loop run when the slice is used up; throws when `signal` is aborted. */
export type Breath = () => Promise<void> | undefined

/** A pause point for one piece of long work. Call it often and await the result. */
export function createBreath(signal: AbortSignal): Breath {
  let since = performance.now()
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        since = performance.now()
        if (signal.aborted) reject(new DOMException('cancelled', 'AbortError'))
        else resolve()
      })
    })
  }
}

/** Passes at most ten calls a second on; the last one of the work (done = total) always. */
export function throttled(
  say: (done: number, total: number) => void,
): (done: number, total: number) => void {
  let last = -Infinity
  return (done, total) => {
    const now = performance.now()
    if (now - last < PROGRESS_MS && done < total) return
    last = now
    say(done, total)
  }
}

/**
 * Runs work that reports its progress, and yields the reports as they arrive. The generator returns the result of the
 * work. Newer reports replace unread ones.
 */
export async function* reporting<R, T>(
  work: (report: (value: R) => void) => Promise<T>,
): AsyncGenerator<R, T> {
  const state: { latest: R | undefined; done: boolean; wake: () => void } = {
    latest: undefined,
    done: false,
    wake: () => undefined,
  }
  const running = work((value) => {
    state.latest = value
    state.wake()
  }).finally(() => {
    state.done = true
    state.wake()
  })
  // The failure is thrown by the await below; until then it has a listener.
  running.catch(() => undefined)
  while (!state.done) {
    const report = state.latest
    state.latest = undefined
    if (report !== undefined) yield report
    else
      await new Promise<void>((resolve) => {
        state.wake = resolve
      })
  }
  return await running
}

/** Joins texts to chunks of at least this length, for writers. */
export async function* inChunks(
  texts: Iterable<string>,
  length: number,
  breath: Breath,
): AsyncGenerator<string> {
  let parts: string[] = []
  let chars = 0
  for (const text of texts) {
    parts.push(text)
    chars += text.length
    if (chars >= length) {
      yield parts.join('')
      parts = []
      chars = 0
    }
    await breath()
  }
  if (parts.length > 0) yield parts.join('')
}
