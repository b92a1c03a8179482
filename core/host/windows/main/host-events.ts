import type { HostEvent } from '../../../wire/contract.ts'
import { type Feed, createFeed } from '../../../wire/stream-of.ts'

/** What the shell tells windows. What is said before a window listens waits for the first one that does. */
interface HostEvents {
  readonly push: (event: HostEvent) => void
  /** Only to windows that listen now: whoever comes later reads the files as they are. */
  readonly tell: (event: HostEvent) => void
  stream(signal: AbortSignal): AsyncGenerator<HostEvent, void>
}

export function createHostEvents(): HostEvents {
  const listeners = new Set<Feed<HostEvent>>()
  const waiting: HostEvent[] = []
  const tell = (event: HostEvent) => {
    for (const listener of listeners) listener.put(event)
  }
  return {
    tell,
    push: (event) => {
      if (listeners.size === 0) waiting.push(event)
      tell(event)
    },
    stream: async function* (signal) {
      const listener = createFeed(waiting.splice(0))
      listeners.add(listener)
      // At once: what is said from here on waits for the next window.
      signal.addEventListener('abort', () => listeners.delete(listener))
      yield* listener.values(signal)
    },
  }
}
