let saying: Promise<void> = Promise.resolve()

/** Queues a message that needs a lookup first. It is printed after the messages queued earlier. */
export function sayLater(say: () => Promise<void>): void {
  saying = saying.then(say)
}

/** Resolves when all queued messages are printed. A command ends only after that. */
export const allSaid = (): Promise<void> => saying
