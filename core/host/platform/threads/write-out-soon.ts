import { type CompiledSignal, writeOut } from '../../../engine/matcher/signal.ts'
import type { Priority } from './priority.ts'

/** Short enough that neither the user nor a call notices. */
const SLICE_MS = 4

/**
 * [C15] Generates the patterns of signals while the thread is idle, a few at a time, so that neither the first rows of
 * a file nor its replay wait for it.
 * @param turn waits until no caller waits for this thread
 */
export function writeOutSoon(signals: readonly CompiledSignal[], turn: Priority['turn']): void {
  const { signal: never } = new AbortController()
  let next = 0
  const slice = async (): Promise<void> => {
    await turn(never)
    const until = performance.now() + SLICE_MS
    for (; next < signals.length && performance.now() < until; next += 1) {
      const signal = signals[next]
      if (signal !== undefined) writeOut(signal)
    }
    if (next < signals.length) setTimeout(() => void slice(), 0)
  }
  setTimeout(() => void slice(), 0)
}
