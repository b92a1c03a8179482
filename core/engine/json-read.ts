/** A constant that Python's `json.dumps` writes and JSON does not have. */
const CONSTANT = /NaN|Infinity/
const CONSTANTS = /(?<![\w.+-])-?(?:NaN|Infinity)(?![\w.])/g

/**
 * [I173] `JSON.parse` that reads `NaN`, `Infinity` and `-Infinity` as null. The text is searched for them only when it
 * is no JSON, so every other text costs what `JSON.parse` costs. Throws what `JSON.parse` throws.
 */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    const plain = nullConstants(text)
    if (plain === text) throw error
    return JSON.parse(plain) as unknown
  }
}

/** [I173] The same JSON text with null in place of these constants; strings stay as they are. Takes linear time. */
export function nullConstants(text: string): string {
  if (!CONSTANT.test(text)) return text
  const parts: string[] = []
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at)
    parts.push(text.slice(at, quote < 0 ? undefined : quote).replace(CONSTANTS, 'null'))
    if (quote < 0) break
    at = endOfString(text, quote)
    parts.push(text.slice(quote, at))
  }
  return parts.join('')
}

const BACKSLASH = 0x5c

/** Behind the quote that closes the string at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1
    if ((quote - before) % 2 === 0) return quote + 1
  }
  return text.length
}
