/** The options of a part: each with its rule, its value in preset `recommended`, and a line of help. */
export type OptionsTable<T> = {
  readonly [K in keyof T]: { readonly rule: string; readonly value: T[K]; readonly help: string }
}

/** The values of preset `recommended`. */
export function recommendedOf<T>(table: OptionsTable<T>): T {
  const rows = Object.entries<{ readonly value: unknown }>(table)
  const entries = rows.map(([name, { value }]) => [name, value])
  // The table has exactly the options' keys, which its mapped type checks.
  return Object.fromEntries(entries) as T
}
