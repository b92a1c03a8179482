/** The options of a part: each with its value in preset `recommended` and a line of help. */
export type OptionsTable<T> = {
  readonly [K in keyof T]: { readonly value: T[K]; readonly help: string }
}

export function optionsTable<T extends object>(
  recommended: T,
  help: Readonly<Record<keyof T, string>>,
): OptionsTable<T> {
  const lines = new Map<string, unknown>(Object.entries(help))
  const rows = Object.entries(recommended).map(([name, value]) => {
    return [name, { value: value as unknown, help: lines.get(name) }] as const
  })
  // Both records have exactly the options' keys, which their types check.
  return Object.fromEntries(rows) as OptionsTable<T>
}
