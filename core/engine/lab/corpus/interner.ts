/** Gives equal keys the same number, from 0. */
export interface Interner<T> {
  readonly size: number
  /** Number of the key; `make` is called for a new one. */
  readonly idOf: (key: string, make: () => T) => number
  readonly at: (id: number) => T
}

export function createInterner<T>(): Interner<T> {
  const ids = new Map<string, number>()
  const values: T[] = []
  return {
    get size() {
      return values.length
    },
    idOf: (key, make) => {
      const known = ids.get(key)
      if (known !== undefined) return known
      const id = values.length
      ids.set(key, id)
      values.push(make())
      return id
    },
    at: (id) => {
      const value = values[id]
      if (value === undefined) throw new RangeError(`nothing has number ${id}`)
      return value
    },
  }
}
