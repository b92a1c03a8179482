import { type CompiledSignal, writeOut } from '../../engine/matcher/signal.ts'

/** Shorter than a person or a call notices. */
const SLICE_MS = 4

/**
 * [C15] Writes the patterns of signals out while the thread has nothing else to do, a few at a time, so that
 * the first rows of a file need not wait for it.
 */
export function writeOutSoon(signals: readonly CompiledSignal[]): void {
  let next = 0
  const slice = (): void => {
    const until = performance.now() + SLICE_MS
    for (; next < signals.length && performance.now() < until; next += 1) {
      const signal = signals[next]
      if (signal !== undefined) writeOut(signal)
    }
    if (next < signals.length) setTimeout(slice, 0)
  }
  setTimeout(slice, 0)
}
