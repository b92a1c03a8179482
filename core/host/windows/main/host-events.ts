import type { HostEvent } from '../../../wire/contract.ts'
import { type Feed, createFeed } from '../../../wire/stream-of.ts'

/** Events of the shell for windows. Events before the first listening window wait for it. */
interface HostEvents {
  readonly push: (event: HostEvent) => void
  /** Only for windows that are listening now: later windows read the current files. */
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
      // Immediately, so that later events wait for the next window.
      signal.addEventListener('abort', () => listeners.delete(listener))
      yield* listener.values(signal)
    },
  }
}
