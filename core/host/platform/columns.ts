/** Rows of numbers as columns, of which a window needs far less to be sent and read. */
export function columnsOf<K extends string>(
  names: readonly K[],
  rows: ReadonlyArray<Readonly<Record<K, number>>>,
): Record<K, number[]> {
  const columns = names.map((name) => [name, rows.map((row) => row[name])] as const)
  // Each name with its column.
  return Object.fromEntries(columns) as Record<K, number[]>
}
