/** Values by key; when there are too many the oldest go. */
export interface Kept<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  delete(key: string): void
  readonly clear: () => void
}

export function createKept<T>(most: number): Kept<T> {
  const values = new Map<string, T>()
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.keys()
      if (values.size > most && oldest !== undefined) values.delete(oldest)
    },
    delete: (key) => void values.delete(key),
    clear: () => values.clear(),
  }
}
