import type { Client, Contract, Input, Output, StreamName } from './rpc.ts'

/** Values that one side puts in as they come, and another takes out. */
export interface Feed<T> {
  readonly put: (value: T) => void
  /** Ends after the queued values are consumed; then throws the failure, if one is given. */
  readonly end: (failure?: Error) => void
  /** Ends immediately when `signal` is aborted. */
  readonly values: (signal: AbortSignal) => AsyncGenerator<T, void>
}

export function createFeed<T>(waiting: readonly T[] = []): Feed<T> {
  const queue = [...waiting]
  const state: { ended: boolean; failure: Error | null; wake: () => void } = {
    ended: false,
    failure: null,
    wake: () => undefined,
  }
  return {
    put: (value) => {
      queue.push(value)
      state.wake()
    },
    end: (failure) => {
      state.failure ??= failure ?? null
      state.ended = true
      state.wake()
    },
    values: async function* (signal) {
      const leave = () => state.wake()
      signal.addEventListener('abort', leave, { once: true })
      try {
        while (!signal.aborted) {
          for (const value of queue.splice(0)) yield value
          if (queue.length > 0) continue
          if (state.failure) throw state.failure
          if (state.ended) return
          await new Promise<void>((resolve) => {
            state.wake = resolve
          })
        }
      } finally {
        signal.removeEventListener('abort', leave)
      }
    },
  }
}

/** A stream of the other side as an async iterable; it is cancelled when `signal` is or the loop is left. */
export async function* streamOf<C extends Contract, K extends StreamName<C>>(
  client: Client<C>,
  name: K,
  input: Input<C, K>,
  signal: AbortSignal,
): AsyncGenerator<Output<C, K>> {
  const { put, end, values } = createFeed<Output<C, K>>()
  const cancel = client.subscribe(name, input, { next: put, end: () => end(), error: end })
  try {
    yield* values(signal)
  } finally {
    cancel()
  }
}
