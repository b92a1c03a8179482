import type { CallContext } from '../../wire/rpc.ts'

type Handler = (input: unknown, context: CallContext) => unknown

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

  function track<T>(work: Promise<T>): Promise<T> {
    const settled = work.catch(() => undefined).finally(() => running.delete(settled))
    running.add(settled)
    return work
  }

  async function* tracked(values: AsyncIterable<unknown>): AsyncGenerator {
    const done = Promise.withResolvers<undefined>()
    void track(done.promise)
    try {
      yield* values
    } finally {
      done.resolve(undefined)
    }
  }

  const watched =
    (handler: Handler): Handler =>
    (input, { signal }) => {
      const result = handler(input, { signal: AbortSignal.any([signal, stop.signal]) })
      if (isStream(result)) return tracked(result)
      return result instanceof Promise ? track(result) : result
    }

  return {
    watch: <H extends object>(handlers: H) =>
      // Each handler is replaced by one of the same type.
      Object.fromEntries(
        Object.entries(handlers).map(([name, handler]: [string, unknown]) => [
          name,
          typeof handler === 'function' ? watched(handler as Handler) : handler,
        ]),
      ) as H,
    end: async () => {
      stop.abort()
      await Promise.all(running)
    },
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
