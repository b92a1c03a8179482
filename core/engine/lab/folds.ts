/** Parts that labels are split into. */
export const FOLDS = 5

/**
 * [L91] Fold of each labelled turn, from 0: all labels of a source are in one fold, so that nothing is
 * measured on texts of a writer that it was made from. Large sources first, each into the emptiest fold; null
 * where all labels come from one source.
 */
export function foldsBySource(
  sources: ReadonlyMap<number, string>,
): ReadonlyMap<number, number> | null {
  const counts = new Map<string, number>()
  for (const source of sources.values()) counts.set(source, (counts.get(source) ?? 0) + 1)
  if (counts.size < 2) return null
  const sizes = Array.from({ length: Math.min(FOLDS, counts.size) }, () => 0)
  const foldOf = new Map<string, number>()
  const ordered = [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  for (const [source, count] of ordered) {
    const fold = sizes.indexOf(Math.min(...sizes))
    foldOf.set(source, fold)
    sizes[fold] = (sizes[fold] ?? 0) + count
  }
  return new Map([...sources].map(([turn, source]) => [turn, foldOf.get(source) ?? 0]))
}
