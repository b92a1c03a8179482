/** [B22] `ambiguous: coding or planning`, the same words wherever it is said. */
export function ambiguousWords(between: readonly string[]): string {
  return `ambiguous: ${between.join(' or ')}`
}
