import type { HostEvent } from '../../wire/contract.ts'

/** What the shell tells windows. What is said before a window listens waits for the first one that does. */
export interface HostEvents {
  readonly push: (event: HostEvent) => void
  stream(signal: AbortSignal): AsyncGenerator<HostEvent, void>
}

interface Listener {
  readonly queue: HostEvent[]
  wake: () => void
}

export function createHostEvents(): HostEvents {
  const listeners = new Set<Listener>()
  const waiting: HostEvent[] = []

  async function* stream(signal: AbortSignal): AsyncGenerator<HostEvent, void> {
    const listener: Listener = { queue: waiting.splice(0), wake: () => undefined }
    listeners.add(listener)
    signal.addEventListener('abort', () => {
      listeners.delete(listener)
      listener.wake()
    })
    while (!signal.aborted) {
      const next = listener.queue.shift()
      if (next) yield next
      else
        await new Promise<void>((resolve) => {
          listener.wake = resolve
        })
    }
  }

  return {
    push: (event) => {
      if (listeners.size === 0) waiting.push(event)
      for (const listener of listeners) {
        listener.queue.push(event)
        listener.wake()
      }
    },
    stream,
  }
}
