/** Hand-typed guards for untrusted records: none of them throws, whatever the value is. */

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** The own value of a key: `__proto__` or `constructor` of a prototype never answers. */
export function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** A non-empty string, else null. */
export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/
const LAST_MS = 8.64e15
/** Seconds of the year 2286: a smaller number is seconds, a larger one milliseconds. */
const SECONDS_BELOW = 1e10

/** Epoch milliseconds of an ISO time or an epoch number; a time without zone is UTC. Null for all else. */
export function epoch(value: unknown): number | null {
  if (typeof value === 'number') {
    const ms = value < SECONDS_BELOW ? value * 1000 : value
    return Number.isFinite(ms) && ms > 0 && ms < LAST_MS ? Math.round(ms) : null
  }
  if (typeof value !== 'string' || value.length > 40) return null
  const match = ISO.exec(value)
  if (match === null) return null
  const ms = Date.parse(match[3] === undefined ? `${value.replace(' ', 'T')}Z` : value)
  return Number.isNaN(ms) ? null : ms
}

/** Compact JSON, nothing for null; a value too deep to be written says so instead of throwing. */
export function compact(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  try {
    return JSON.stringify(value)
  } catch {
    return '[nested too deeply to be shown]'
  }
}

const STUB = /^\[(image|audio|document|file) [^\]]{0,400}\]$/

/**
 * The first line that says something, at most 80 characters: what a session is called when nothing
 * names it. Empty when there is none. A stub of an image is no name.
 */
export function firstLine(value: string): string {
  const lines = value.slice(0, 4000).split('\n')
  const line = lines.map((part) => part.trim()).find((part) => part !== '' && !STUB.test(part))
  const characters = Array.from(line ?? '')
  return characters.length > 80 ? `${characters.slice(0, 79).join('').trimEnd()}…` : (line ?? '')
}
