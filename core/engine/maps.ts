/** Adds to the list under a key. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

interface Kept<Key, Value> {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => unknown
}

/** What is kept under a key; it is made, and kept, the first time that it is asked for. */
export function keptIn<Key, Value>(kept: Kept<Key, Value>, key: Key, make: () => Value): Value {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = make()
  kept.set(key, made)
  return made
}

/**
 * [I63] What an object of data has of its own under a name from outside. `table[name]` would also find
 * what every object inherits: a thing called `constructor` or `__proto__` would be a function.
 */
export function ownOf<T>(
  table: Readonly<Record<string, T>> | null | undefined,
  name: string,
): T | undefined {
  return table !== null && table !== undefined && Object.hasOwn(table, name)
    ? table[name]
    : undefined
}
