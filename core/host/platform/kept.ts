import type { Lru } from '../../engine/lru.ts'

/** What is kept under a key, or made now and kept from now on. */
export function kept<K, V>(cache: Pick<Lru<K, V>, 'get' | 'set'>, key: K, make: () => V): V {
  const known = cache.get(key)
  if (known !== undefined) return known
  const value = make()
  cache.set(key, value)
  return value
}
