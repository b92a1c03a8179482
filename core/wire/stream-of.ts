import type { Client, Contract, Input, Output, RpcError, StreamName } from './rpc.ts'

/** A stream of the other side as an async iterable; it is cancelled when `signal` is or the loop is left. */
export async function* streamOf<C extends Contract, K extends StreamName<C>>(
  client: Client<C>,
  name: K,
  input: Input<C, K>,
  signal: AbortSignal,
): AsyncGenerator<Output<C, K>> {
  const queue: Array<Output<C, K>> = []
  const state: { ended: boolean; failure: RpcError | null; wake: () => void } = {
    ended: false,
    failure: null,
    wake: () => undefined,
  }
  const stop = () => {
    state.ended = true
    state.wake()
  }
  const cancel = client.subscribe(name, input, {
    next: (value) => {
      queue.push(value)
      state.wake()
    },
    end: stop,
    error: (error) => {
      state.failure = error
      stop()
    },
  })
  signal.addEventListener('abort', stop, { once: true })
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
    signal.removeEventListener('abort', stop)
    cancel()
  }
}
