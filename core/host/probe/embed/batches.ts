/** Places of some texts that are sent to a model together. */
export type Batch = readonly number[]

/**
 * [D23] Puts texts of like length together, longest last, so that little is padded. A batch holds at most
 * `budget` tokens, padding included, and at least one text.
 * @param lengths tokens of each text
 */
export function batchesOf(lengths: readonly number[], budget: number): readonly Batch[] {
  const order = lengths.map((_, index) => index)
  order.sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b)
  const batches: number[][] = []
  let current: number[] = []
  for (const index of order) {
    // The one that comes is the longest so far: all are padded to it.
    const padded = (current.length + 1) * (lengths[index] ?? 0)
    if (current.length > 0 && padded > budget) {
      batches.push(current)
      current = []
    }
    current.push(index)
  }
  if (current.length > 0) batches.push(current)
  return batches
}
