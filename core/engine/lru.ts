/** A map with a limit. Evicts the least recently used entry first. */
export interface Lru<K, V> {
  /** The value of the key, which becomes the most recently used one. */
  readonly get: (key: K) => V | undefined
  readonly set: (key: K, value: V) => void
  readonly delete: (key: K) => boolean
  readonly clear: () => void
  /** Entries that are kept. */
  readonly size: number
  /** Least recently used first. */
  readonly values: () => IterableIterator<V>
}

/**
 * Creates an empty cache. The last entry always stays, even if it alone exceeds the limit.
 * @param limit maximum number of entries; with `size`, the maximum sum of their sizes
 * @param size size of a value, which must not change while it is cached
 */
export function createLru<K, V>(limit: number, size: (value: V) => number = () => 1): Lru<K, V> {
  const entries = new Map<K, V>()
  let total = 0

  function remove(key: K): boolean {
    const value = entries.get(key)
    if (value === undefined && !entries.has(key)) return false
    // The key exists, so its entry is a value, possibly `undefined`.
    total -= size(value as V)
    return entries.delete(key)
  }

  return {
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
      total += size(value)
      for (const oldest of entries.keys()) {
        if (total <= limit || entries.size === 1) return
        remove(oldest)
      }
    },
    delete: remove,
    clear: () => {
      entries.clear()
      total = 0
    },
    get size() {
      return entries.size
    },
    values: () => entries.values(),
  }
}
