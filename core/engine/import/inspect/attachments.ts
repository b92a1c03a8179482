import { isList, isObject } from '../shared/guards.ts'

const PREFIX = 'attachment://'
const REFERENCE = /attachment:\/\/([0-9A-Za-z]{1,64})/g
const MAX_DEPTH = 60
/** At most this many characters are inserted for the references of one sample: a small file must not become gigabytes. */
const BUDGET = 256_000_000

/** [I30] Replaces references in messages and events by the attachments. */
export interface Attachments {
  /** The same value without references; the value itself when it has none. */
  readonly resolve: (value: unknown) => unknown
  /** Number of references without an attachment, or beyond the limit. */
  readonly missing: () => number
}

export function createAttachments(get: (key: string) => unknown): Attachments {
  let left = BUDGET
  let missing = 0
  const find = (key: string): string | null => {
    const text = get(key)
    if (typeof text !== 'string' || text.length > left) {
      missing += 1
      return null
    }
    left -= text.length
    return text
  }
  const inText = (value: string): string => {
    if (!value.includes(PREFIX)) return value
    const whole = value.startsWith(PREFIX) ? value.slice(PREFIX.length) : ''
    if (/^[0-9A-Za-z]{1,64}$/.test(whole)) return find(whole) ?? value
    return value.replaceAll(REFERENCE, (reference, key: string) => find(key) ?? reference)
  }
  const resolve = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return inText(value)
    if (depth > MAX_DEPTH) return value
    if (isList(value)) {
      const items = value.map((item) => resolve(item, depth + 1))
      return items.some((item, n) => item !== value[n]) ? items : value
    }
    if (!isObject(value)) return value
    const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
      key,
      resolve(item, depth + 1),
    ])
    return entries.some(([key, item]) => item !== value[key]) ? Object.fromEntries(entries) : value
  }
  return { resolve: (value) => resolve(value, 0), missing: () => missing }
}

/** `[start, end)` ranges into a pool of messages. Ranges may overlap, but not multiply the pool. */
export function fromPool(refs: unknown, pool: readonly unknown[]): readonly unknown[] {
  const found: unknown[] = []
  for (const ref of isList(refs) ? refs : []) {
    const [start, end] = isList(ref) ? ref : [ref, undefined]
    if (typeof start !== 'number' || start < 0) continue
    const to = typeof end === 'number' ? end : start + 1
    found.push(...pool.slice(start, Math.min(to, start + 100_000)))
    if (found.length > 2 * pool.length + 100) break
  }
  return found
}
