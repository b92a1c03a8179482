/** `node:timers/promises`. */
const wait = <T>(ms = 0, value?: T): Promise<T | undefined> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(value), ms)
  })
export { wait as setTimeout }
