import type { TurnscopeContract } from '../../core/wire/contract.ts'
import type { Input, Output, StreamListener, StreamName } from '../../core/wire/rpc.ts'
import { host, wasCancelled } from './host.ts'

/** Work on the host, at most one run at a time. Stopped work reports nothing. */
export interface Task {
  isRunning(): boolean
  stop(): void
  /** Stops what runs, and begins a stream. */
  subscribe<K extends StreamName<TurnscopeContract>>(
    name: K,
    input: Input<TurnscopeContract, K>,
    on: StreamListener<Output<TurnscopeContract, K>>,
  ): void
  /** Stops what runs and begins work in several calls; the signal says when that is stopped. */
  begin(): { readonly signal: AbortSignal }
}

export function createTask(): Task {
  let running: (() => void) | null = null
  const stop = () => {
    running?.()
    running = null
  }
  return {
    isRunning: () => running !== null,
    stop,
    subscribe: (name, input, on) => {
      stop()
      let over = false
      const finish = () => {
        over = true
        running = null
      }
      const cancel = host().subscribe(name, input, {
        next: (message) => {
          if (!over) on.next(message)
        },
        error: (error) => {
          if (over) return
          finish()
          if (!wasCancelled(error)) on.error?.(error)
        },
        end: () => {
          if (over) return
          finish()
          on.end?.()
        },
      })
      running = () => {
        over = true
        cancel()
      }
    },
    begin: () => {
      stop()
      const controller = new AbortController()
      running = () => controller.abort()
      return controller
    },
  }
}
