import { epochNumber, epochText } from './times.ts'

/** Hand-typed guards for untrusted records. They never throw. */

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** The own value of a key; inherited properties such as `constructor` are never returned. */
export function own(value: unknown, key: string): unknown {
  if (!isObject(value)) return undefined
  const found = value[key]
  // JSON has no functions, so a function is inherited. Calling `hasOwn` each time would double the cost.
  if (typeof found === 'function') return undefined
  return key !== '__proto__' || Object.hasOwn(value, key) ? found : undefined
}

/** Whether an object has its own property with this key, with any value. */
export function has(value: unknown, key: string): boolean {
  return isObject(value) && Object.hasOwn(value, key)
}

/** Whether some of the keys have a value. */
export function hasSome(value: unknown, keys: readonly string[]): boolean {
  return keys.some((key) => own(value, key) !== undefined)
}

/** The members under these keys that have a value. */
export function pick(value: unknown, keys: readonly string[]): JsonObject {
  const members = keys.map((key): [string, unknown] => [key, own(value, key)])
  return Object.fromEntries(members.filter(([, member]) => member !== undefined && member !== null))
}

/** A non-empty string, else null. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** A number or a non-empty string as text, else null: ids are written both ways. */
export function idText(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : asText(value)
}

/**
 * A number, or a non-empty text that is one; NaN for all else. `Number` itself throws for an object
 * with its own `toString`, and fills the stack for lists in lists.
 */
export function numberIn(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}

/** The own value of the first key that holds a non-empty string, else null. */
export function textAt(value: unknown, key: string, ...others: readonly string[]): string | null {
  const found = asText(own(value, key))
  if (found !== null) return found
  for (const other of others) {
    const next = asText(own(value, other))
    if (next !== null) return next
  }
  return null
}

/** The own list under a key; empty if it has none. */
export function listAt(value: unknown, key: string): readonly unknown[] {
  const list = own(value, key)
  return isList(list) ? list : []
}

/** Looks a key from a file up in a table; inherited properties such as `constructor` are never returned. */
export function entryOf<Entry>(
  table: Readonly<Record<string, Entry>>,
  key: string,
): Entry | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/

/** Epoch milliseconds of a time as text or number (I210); a time without zone is UTC. Null for all else. */
export function epoch(value: unknown): number | null {
  if (typeof value === 'number') return epochNumber(value)
  if (typeof value !== 'string' || value.length > 60) return null
  const usual = usualTime(value)
  if (usual !== null) return usual
  const match = ISO.exec(value)
  if (match === null) return epochText(value)
  const ms = Date.parse(match[3] === undefined ? `${value.replace(' ', 'T')}Z` : value)
  return Number.isNaN(ms) ? null : ms
}

const DIGIT_0 = 48
const USUAL = /^\d{4}-[01]\d-[0-2]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$/

/** The form that nearly all files have, without a `Date`; null for every other. */
function usualTime(value: string): number | null {
  if (value.length !== 24 || !USUAL.test(value)) return null
  const year = digits(value, 0, 4)
  const month = digits(value, 5, 2)
  const day = digits(value, 8, 2)
  const hour = digits(value, 11, 2)
  // Rare and invalid dates are left to the slower parser.
  if (year < 1000 || month < 1 || month > 12 || day < 1 || day > 28 || hour > 23) return null
  const minute = digits(value, 14, 2)
  const second = digits(value, 17, 2)
  return Date.UTC(year, month - 1, day, hour, minute, second, digits(value, 20, 3))
}

/** The number that is written in some digits. */
function digits(value: string, from: number, count: number): number {
  let sum = 0
  for (let at = from; at < from + count; at += 1) sum = sum * 10 + value.charCodeAt(at) - DIGIT_0
  return sum
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

/** A useful title has a letter or a digit: a line with only a brace or dashes has none. */
const NAMES = /[\p{L}\p{N}]/u

/**
 * The first meaningful line, cut to 80 characters: the title of a session when the file gives
 * none. Empty when there is no such line. A placeholder for an image does not count.
 */
export function firstLine(value: string): string {
  const lines = value.slice(0, 4000).split('\n')
  const text = lines.map((part) => part.trim()).filter((part) => part !== '' && !STUB.test(part))
  const line = text.find((part) => NAMES.test(part)) ?? text[0]
  const characters = Array.from(line ?? '')
  return characters.length > 80 ? `${characters.slice(0, 79).join('').trimEnd()}…` : (line ?? '')
}
