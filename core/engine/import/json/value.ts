import { nullConstants, readJson } from '../../json-read.ts'

const SCALAR = /^(?:"[^]*"|-?\d[\d.eE+-]*|true|false|null)$/

/** The value of a text; undefined when it is not JSON, which has no undefined. */
export function parseJson(text: string): unknown {
  // An exception costs a hundred times more than checking both ends, and blank lines, prose and lines
  // of printed documents are common.
  if (!mayBeJson(text)) return undefined
  try {
    return readJson(text)
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

/** Context that `JSON.parse` passes to a reviver (ECMAScript 2026): the source text of a primitive value. */
interface Context {
  readonly source?: string
}

const LONG = /\d{16}/
const INTEGER = /^-?\d+$/

/** A reviver as the newest `JSON.parse` calls it; the types of the library do not know `context` yet. */
function exact(_key: string, value: unknown, context?: Context): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && INTEGER.test(source) ? source : value
}

/**
 * [I34] `JSON.parse`, but an integer beyond 2⁵³ becomes its text instead of a rounded number. If the engine provides no
 * source text, it stays the rounded number.
 */
export function parseExact(text: string): unknown {
  if (!LONG.test(text)) return readJson(text)
  try {
    return JSON.parse(text, exact) as unknown
  } catch {
    // [I173] A text without such a constant fails again.
    return JSON.parse(nullConstants(text), exact) as unknown
  }
}
