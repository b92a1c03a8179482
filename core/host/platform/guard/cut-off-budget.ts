/** Time that patterns which hang may cost one run: a command, a replay, an edit in Tune. */
export interface CutOffBudget {
  /** Milliseconds that a run of patterns may take now, before it is cut off. */
  allowance(): number
  /** Milliseconds that were lost on something that was cut off. */
  lose(ms: number): void
  /** Total lost time of all cut-offs so far. */
  lostMs(): number
  /** A new run begins. */
  renew(): void
  /** Hands the same budget to another thread. */
  readonly shared: SharedArrayBuffer | undefined
}

/** Shared counter of lost time, for threads that work on one run together. */
export function sharedLosses(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
}

/** Below so many lost milliseconds, a run of patterns has so many. */
const STEPS = [
  { lost: 1_000, allowed: 250 },
  { lost: 2_000, allowed: 60 },
] as const
/** Limit in ms when the budget is used up. An ordinary pattern needs a hundredth of it. */
const LEAST = 25

/**
 * [T61] One budget for all patterns of a run. The first that hang have the whole time, so that none is
 * named that was only slow; when seconds are lost, the others get less. Each pattern is switched off at
 * its first cut-off, so the whole costs seconds, however many patterns hang on however many texts.
 * @param shared what threads that work on one run lose together; left out: this thread's alone
 */
export function createCutOffBudget(shared?: SharedArrayBuffer): CutOffBudget {
  // Microseconds: a whole number, so that threads can add to it.
  const cell = new Int32Array(shared ?? new ArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const lostMs = (): number => Atomics.load(cell, 0) / MICROSECONDS
  return {
    allowance: () => STEPS.find((step) => lostMs() < step.lost)?.allowed ?? LEAST,
    lose: (ms) => void Atomics.add(cell, 0, Math.round(ms * MICROSECONDS)),
    lostMs,
    renew: () => void Atomics.store(cell, 0, 0),
    shared,
  }
}

const MICROSECONDS = 1000
