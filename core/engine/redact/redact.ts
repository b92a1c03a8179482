import { jsonText } from '../json-text.ts'
import type { RedactionKind } from '../schema/redaction.ts'
import { findSecrets, type Secret } from './scan.ts'

/** What is taken out. */
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

/** [R2] The text with `[REDACTED:kind]` where a value of these kinds stood. */
export function redactText(text: string, { kinds, keep, onSecret }: RedactOptions): string {
  const parts: string[] = []
  let at = 0
  for (const secret of findSecrets(text, kinds)) {
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

/** [R7] The same in every text of a value, names of fields included. */
export function redactValue(value: unknown, redact: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return redact(jsonText(value))
  if (Array.isArray(value)) {
    return value.map((item: unknown) => redactValue(item, redact, depth + 1))
  }
  const fields = new Map<string, unknown>()
  for (const [name, field] of Object.entries(value)) {
    const base = redact(name)
    let free = base
    // Two names that become one keep both their values.
    for (let count = 2; fields.has(free); count += 1) free = `${base} ${count}`
    fields.set(free, redactValue(field, redact, depth + 1))
  }
  return Object.fromEntries(fields)
}
