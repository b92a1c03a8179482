import type { Lru } from '../../engine/lru.ts'

/** The value that a cache holds under a key; if it holds none, makes the value and stores it. */
export function getOrMake<K, V>(cache: Pick<Lru<K, V>, 'get' | 'set'>, key: K, make: () => V): V {
  const found = cache.get(key)
  if (found !== undefined) return found
  const value = make()
  cache.set(key, value)
  return value
}
