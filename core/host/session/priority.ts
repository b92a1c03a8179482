/** How long background work lets itself be held up, in milliseconds: a stream may never end. */
const LONGEST_WAIT_MS = 1000
const LOOK_AGAIN_MS = 25

/** Lets what a person waits for go before what runs in the background. */
export interface Priority {
  /** Handlers that are answered first; those of the library run in the background. */
  readonly first: <H extends object>(handlers: H) => H
  /** Waits until nobody waits; background work calls it between its pieces. */
  readonly turn: (signal: AbortSignal) => Promise<void>
}

export function createPriority(): Priority {
  let waiting = 0
  const begin = () => {
    waiting += 1
  }
  const end = () => {
    waiting -= 1
  }

  async function* counted(values: AsyncIterable<unknown>): AsyncGenerator {
    begin()
    try {
      yield* values
    } finally {
      end()
    }
  }

  function watched(handler: (...args: readonly unknown[]) => unknown) {
    return (...args: readonly unknown[]): unknown => {
      const result = handler(...args)
      if (isStream(result)) return counted(result)
      if (result instanceof Promise) {
        begin()
        return result.finally(end)
      }
      return result
    }
  }

  return {
    first: <H extends object>(handlers: H) =>
      // Each handler is replaced by one of the same type.
      Object.fromEntries(
        Object.entries(handlers).map(([name, handler]: [string, unknown]) => [
          name,
          typeof handler === 'function' && !name.startsWith('library.')
            ? watched(handler as (...args: readonly unknown[]) => unknown)
            : handler,
        ]),
      ) as H,
    turn: async (signal) => {
      const until = performance.now() + LONGEST_WAIT_MS
      while (waiting > 0 && performance.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
        signal.throwIfAborted()
      }
    },
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
