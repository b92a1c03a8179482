/** Signs that mean something in a pattern, of either dialect. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/gu
const WORD = /[\p{L}\p{N}_]/u
/** No signal is that long; more was selected by mistake. */
const MOST_CHARS = 200

/**
 * [T78] A signal that matches these words literally: any blanks between them, whole words at both ends. Null if no
 * words remain.
 */
export function patternOfWords(selected: string): string | null {
  const words = selected.trim().slice(0, MOST_CHARS).trim().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return null
  const escaped = words.map((word) => word.replaceAll(SPECIAL, String.raw`\$&`))
  const text = words.join(' ')
  const edge = (at: number): string => (WORD.test(text.at(at) ?? '') ? String.raw`\b` : '')
  return `${edge(0)}${escaped.join(String.raw`\s+`)}${edge(-1)}`
}
