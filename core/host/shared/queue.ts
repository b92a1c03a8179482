/** Runs pieces of work one after another, in the order in which they came. */
export function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    // The caller gets the failure; the next piece of work starts all the same.
    last = result.catch(() => undefined)
    return result
  }
}
