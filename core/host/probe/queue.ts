/** Runs pieces of work one after another, in the order in which they came. */
export function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    // A failure is the affair of whoever asked; the next one starts anyway.
    last = result.catch(() => undefined)
    return result
  }
}
