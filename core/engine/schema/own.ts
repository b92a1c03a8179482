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
