import type { z } from 'zod'
import type { Progress as ProgressSchema } from '../../core/wire/contract.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'

export type Progress = Immutable<z.infer<typeof ProgressSchema>>

/** An error message for the operator: `what` failed, `where`, and what to `do`. */
export interface Failure {
  readonly what: string
  readonly where: string
  readonly do: string
}

/** A message shown across the window: a failure, or an action whose effect is not visible elsewhere. */
export interface Notice extends Failure {
  readonly isDone?: true
}

/** Work under way: how far it is and how fast it goes. */
export interface Work {
  readonly progress: Progress | null
  /** `performance.now()` when the work began. */
  readonly since: number
  /** When `progress` came. */
  readonly at: number
  /** Units of the phase a second, smoothed over the last seconds; 0 = not known yet. */
  readonly rate: number
}

/** Seconds over which throughput is smoothed: long enough not to jump, short enough to tell the truth. */
const SMOOTH_S = 2

export function begun(now = performance.now()): Work {
  return { progress: null, since: now, at: now, rate: 0 }
}

/** Returns the work with updated progress. A new phase restarts the rate measurement. */
export function further(work: Work, progress: Progress, now = performance.now()): Work {
  const samePhase = work.progress?.phase === progress.phase
  const before = samePhase ? work.progress.done : 0
  const seconds = (now - work.at) / 1000
  if (seconds <= 0) return { ...work, progress }
  const latest = Math.max(0, progress.done - before) / seconds
  const weight = samePhase && work.rate > 0 ? 1 - Math.exp(-seconds / SMOOTH_S) : 1
  const rate = work.rate * (1 - weight) + latest * weight
  return { progress, since: work.since, at: now, rate }
}

/**
 * Data from the host. `previous` is the data shown before. It stays on screen while the next answer is pending, so that
 * the layout does not jump.
 */
export type AsyncData<T> =
  | { readonly status: 'idle' }
  | (Work & { readonly status: 'loading'; readonly previous: T | null })
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly failure: Failure; readonly previous: T | null }

export const idle = { status: 'idle' } as const

/** The newest value there is, current or previous. */
export function valueOf<T>(data: AsyncData<T>): T | null {
  if (data.status === 'ready') return data.value
  return data.status === 'idle' ? null : data.previous
}

export function loading<T>(previous: AsyncData<T> = idle, now = performance.now()): AsyncData<T> {
  return { status: 'loading', ...begun(now), previous: valueOf(previous) }
}

export function ready<T>(value: T): AsyncData<T> {
  return { status: 'ready', value }
}

export function failed<T>(failure: Failure, previous: AsyncData<T> = idle): AsyncData<T> {
  return { status: 'failed', failure, previous: valueOf(previous) }
}

/** The same loading state with news of how far it is. */
export function advanced<T>(data: AsyncData<T>, progress: Progress): AsyncData<T> {
  return data.status === 'loading' ? { ...data, ...further(data, progress) } : data
}
