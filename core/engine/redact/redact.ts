import { jsonText } from '../json-text.ts'
import type { RedactionKind } from '../schema/redaction.ts'
import { isSecretField } from './named.ts'
import { findSecrets, type Secret } from './scan.ts'

/** Selects the values to redact. */
export interface RedactOptions {
  readonly kinds: readonly RedactionKind[]
  /** Ids (`secretId`) of values that stay. */
  readonly keep?: ReadonlySet<string>
  /** Told of every value that is taken out. */
  readonly onSecret?: (secret: Secret, text: string) => void
}

/** The same for the same kind and value: 53 bits, so that a choice survives another look. */
export function secretId(kind: RedactionKind, value: string): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  const number = 4294967296 * (2097151 & b) + (a >>> 0)
  return `${kind}-${number.toString(36)}`
}

/**
 * Secrets of a text that is the value of a field; `field` is its name, null for a text by itself.
 */
export function secretsOf(
  text: string,
  kinds: readonly RedactionKind[],
  field: string | null = null,
): readonly Secret[] {
  const isWhole =
    field !== null &&
    kinds.includes('key') &&
    !text.includes('[REDACTED:') &&
    isSecretField(field, text)
  if (!isWhole) return findSecrets(text, kinds)
  return [{ kind: 'key', rule: 'field of a secret', start: 0, end: text.length }]
}

/** [R2] The text, with `[REDACTED:kind]` in place of each value of these kinds. */
export function redactText(
  text: string,
  { kinds, keep, onSecret }: RedactOptions,
  field: string | null = null,
): string {
  const parts: string[] = []
  let at = 0
  for (const secret of secretsOf(text, kinds, field)) {
    const { kind, start, end } = secret
    if (keep !== undefined && keep.size > 0 && keep.has(secretId(kind, text.slice(start, end))))
      continue
    onSecret?.(secret, text)
    parts.push(text.slice(at, start), `[REDACTED:${kind}]`)
    at = end
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(at)
}

/** Deeper than this a value is written as its JSON text. */
const MAX_DEPTH = 200

/** Redacts one text. `field` is the name of the field that holds the text; null if it has none. */
export type RedactField = (text: string, field: string | null) => string

/** [R7] [R20] The same in every text of a value, names of fields included. */
export function redactValue(
  value: unknown,
  redact: RedactField,
  depth = 0,
  field: string | null = null,
): unknown {
  if (typeof value === 'string') return redact(value, field)
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return redact(jsonText(value), null)
  if (Array.isArray(value)) {
    return value.map((item: unknown, at) =>
      redactValue(item, redact, depth + 1, optionBefore(value, at)),
    )
  }
  const fields = new Map<string, unknown>()
  const pair = nameOfPair(value)
  for (const [name, own] of Object.entries(value)) {
    const base = redact(name, null)
    let free = base
    // Two names that become one keep both their values.
    for (let count = 2; fields.has(free); count += 1) free = `${base} ${count}`
    const isValue = pair !== null && /^value$/iu.test(name)
    fields.set(free, redactValue(own, redact, depth + 1, isValue ? pair : name))
  }
  return Object.fromEntries(fields)
}

/** `["--password", "…"]`: the option before an item names it. */
function optionBefore(list: readonly unknown[], at: number): string | null {
  const before = list[at - 1]
  return typeof before === 'string' && /^--?[A-Za-z][\w-]{2,60}$/u.test(before) ? before : null
}

/** `{"name": "DB_PASSWORD", "value": "…"}`: the name of the value. */
function nameOfPair(value: object): string | null {
  const { name, key, Name, Key } = value as Readonly<Record<string, unknown>>
  return [name, key, Name, Key].find((each) => typeof each === 'string') ?? null
}
