const SCALAR = /^(?:"[^]*"|-?\d[\d.eE+-]*|true|false|null)$/

/** The value of a text; undefined when it is not JSON, which has no undefined. */
export function parseJson(text: string): unknown {
  // An exception costs a hundred times what a look at the ends costs, and blank lines, prose and lines
  // of printed documents are common.
  if (!mayBeJson(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function mayBeJson(text: string): boolean {
  if (text.startsWith('{') && text.endsWith('}')) return true
  const inner = text.trim()
  if (inner.startsWith('{')) return inner.endsWith('}')
  return inner.startsWith('[') ? inner.endsWith(']') : SCALAR.test(inner)
}
