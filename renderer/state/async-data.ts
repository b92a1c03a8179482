import type { z } from 'zod'
import type { Progress as ProgressSchema } from '../../core/contract.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'

export type Progress = Immutable<z.infer<typeof ProgressSchema>>

/** What a person is told when something did not work: `what`, `where`, what to `do`. */
export interface Failure {
  readonly what: string
  readonly where: string
  readonly do: string
}

/**
 * Data that comes from the host. `previous` is what was shown before: it stays on screen while the
 * next answer is under way, so that nothing jumps.
 */
export type AsyncData<T> =
  | { readonly status: 'idle' }
  | {
      readonly status: 'loading'
      readonly progress: Progress | null
      /** `performance.now()` when the work began, for throughput and time left. */
      readonly since: number
      readonly previous: T | null
    }
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly failure: Failure; readonly previous: T | null }

export const idle = { status: 'idle' } as const

/** The newest value there is, current or previous. */
export function valueOf<T>(data: AsyncData<T>): T | null {
  if (data.status === 'ready') return data.value
  return data.status === 'idle' ? null : data.previous
}

export function loading<T>(previous: AsyncData<T> = idle, now = performance.now()): AsyncData<T> {
  return { status: 'loading', progress: null, since: now, previous: valueOf(previous) }
}

export function ready<T>(value: T): AsyncData<T> {
  return { status: 'ready', value }
}

export function failed<T>(failure: Failure, previous: AsyncData<T> = idle): AsyncData<T> {
  return { status: 'failed', failure, previous: valueOf(previous) }
}

/** The same loading state with news of how far it is. */
export function advanced<T>(data: AsyncData<T>, progress: Progress): AsyncData<T> {
  return data.status === 'loading' ? { ...data, progress } : data
}
