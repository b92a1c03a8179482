/**
 * [I63] The own value of a data object under an external name. `table[name]` would also find inherited members: the
 * names `constructor` or `__proto__` would return one.
 */
export function ownOf<T>(
  table: Readonly<Record<string, T>> | null | undefined,
  name: string,
): T | undefined {
  return table !== null && table !== undefined && Object.hasOwn(table, name)
    ? table[name]
    : undefined
}
