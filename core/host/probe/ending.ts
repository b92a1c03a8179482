import { watchWork, wrapHandlers } from '../platform/threads/watched-handlers.ts'

/** Lets work in flight end before what it works with is closed. */
export interface Ending {
  /** The same handlers, which `end` can stop. */
  readonly watch: <H extends object>(handlers: H) => H
  /** Cancels everything and waits until it has stopped. */
  readonly end: () => Promise<void>
}

export function createEnding(): Ending {
  const stop = new AbortController()
  const running = new Set<Promise<unknown>>()

  const begin = () => {
    const { promise, resolve } = Promise.withResolvers<null>()
    running.add(promise)
    return () => {
      running.delete(promise)
      resolve(null)
    }
  }

  return {
    watch: (handlers) =>
      wrapHandlers(handlers, (handler) => (input, { signal }) => {
        const either = { signal: AbortSignal.any([signal, stop.signal]) }
        return watchWork(handler(input, either), begin)
      }),
    end: async () => {
      stop.abort()
      await Promise.all(running)
    },
  }
}
