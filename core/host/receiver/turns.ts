/** Runs work when it is the turn of its owner; resolves with what the work returns. */
export type Turns = <T>(owner: object, work: () => Promise<T>) => Promise<T>

/**
 * [F151] A queue that runs one piece of work at a time, because many small bodies may unpack to a lot. Owners take
 * turns, so that a connection with many costly requests delays each other connection by one of them.
 */
export function createTurns(): Turns {
  /** Waiting work by owner; the owner whose turn is next is first. */
  const waiting = new Map<object, Array<() => Promise<void>>>()
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    for (let next = waiting.entries().next(); next.done !== true; next = waiting.entries().next()) {
      const [owner, list] = next.value
      waiting.delete(owner)
      const work = list.shift()
      if (list.length > 0) waiting.set(owner, list)
      await work?.()
    }
    isRunning = false
  }

  return (owner, work) =>
    new Promise((resolve, reject) => {
      const list = waiting.get(owner) ?? []
      waiting.set(owner, list)
      list.push(() => work().then(resolve, reject))
      if (!isRunning) void run()
    })
}
