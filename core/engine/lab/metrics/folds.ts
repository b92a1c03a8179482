/** Parts that labels are split into. */
export const FOLDS = 5

function countsOf(sources: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const source of sources) counts.set(source, (counts.get(source) ?? 0) + 1)
  return counts
}

/**
 * [L71] Fold of each source, from 0; `sources` names one for every turn. All turns of a source are in one
 * fold, so that nothing is measured on texts of a writer that it was made from. Large sources first, each
 * into the emptiest fold.
 */
export function foldsOfSources(sources: Iterable<string>): ReadonlyMap<string, number> {
  const counts = countsOf(sources)
  const sizes = Array.from({ length: Math.min(FOLDS, counts.size) }, () => 0)
  const ordered = [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return new Map(
    ordered.map(([source, count]) => {
      const fold = sizes.indexOf(Math.min(...sizes))
      sizes[fold] = (sizes[fold] ?? 0) + count
      return [source, fold]
    }),
  )
}

/** [L91] Fold of each labelled turn; null if all labels come from one source. */
export function foldsBySource(
  sources: ReadonlyMap<number, string>,
): ReadonlyMap<number, number> | null {
  const folds = foldsOfSources(sources.values())
  if (folds.size < 2) return null
  return new Map([...sources].map(([turn, source]) => [turn, folds.get(source) ?? 0]))
}
