/** Events for a receiver that may not be there yet. */
interface Outbox<T> {
  readonly send: (event: T) => void
  /** Delivers the queued events in order, then each new event immediately. */
  readonly connect: (receive: (event: T) => void) => void
}

/** The system hands over files and links before the host exists; none may be lost. */
export function createOutbox<T>(): Outbox<T> {
  const waiting: T[] = []
  let receiver: ((event: T) => void) | null = null
  return {
    send: (event) => {
      if (receiver) receiver(event)
      else waiting.push(event)
    },
    connect: (receive) => {
      receiver = receive
      for (const event of waiting.splice(0)) receive(event)
    },
  }
}
