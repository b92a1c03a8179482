/** A map that forgets: when it is full, the entry goes that was not used for the longest time. */
export interface Lru<K, V> {
  readonly size: number
  /** The value of the key, which counts as used from now on. */
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  clear(): void
  /** The least recently used one first. */
  values(): readonly V[]
}

/** Keeps values up to `limit`: their number, or the sum of their sizes. The newest one always stays. */
export function createLru<K, V>(limit: number, size: (value: V) => number = () => 1): Lru<K, V> {
  const entries = new Map<K, V>()
  let used = 0

  function remove(key: K): void {
    const value = entries.get(key)
    if (value === undefined) return
    used -= size(value)
    entries.delete(key)
  }

  return {
    get size() {
      return entries.size
    },
    get: (key) => {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set: (key, value) => {
      remove(key)
      entries.set(key, value)
      used += size(value)
      for (const oldest of entries.keys()) {
        if (used <= limit || oldest === key) break
        remove(oldest)
      }
    },
    delete: remove,
    clear: () => {
      entries.clear()
      used = 0
    },
    values: () => [...entries.values()],
  }
}
