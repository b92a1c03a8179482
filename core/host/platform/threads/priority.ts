import { watchWork, wrapHandlers } from './watched-handlers.ts'

/** Maximum time that background work lets itself be delayed, in milliseconds: a stream may never end. */
const LONGEST_WAIT_MS = 1000
const LOOK_AGAIN_MS = 25

/** Runs work that the user waits for before background work. */
export interface Priority {
  /** Handlers that are answered first; those of the library run in the background. */
  readonly first: <H extends object>(handlers: H) => H
  /**
   * Waits until no foreground call is pending, at most `LONGEST_WAIT_MS`. Background work calls it between its pieces.
   */
  readonly turn: (signal: AbortSignal) => Promise<void>
}

export function createPriority(): Priority {
  let waiting = 0
  const begin = () => {
    waiting += 1
    return () => {
      waiting -= 1
    }
  }

  return {
    first: (handlers) =>
      wrapHandlers(handlers, (handler, name) =>
        name.startsWith('library.')
          ? handler
          : (input, context) => watchWork(handler(input, context), begin),
      ),
    turn: async (signal) => {
      const until = performance.now() + LONGEST_WAIT_MS
      while (waiting > 0 && performance.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
        signal.throwIfAborted()
      }
    },
  }
}
