import { type Result, err, ok } from '../result.ts'

/** Results nested deeper than this are refused: nothing that a model should read is. */
const MAX_DEPTH = 200

/**
 * A deep copy of plain JSON data. The caller keeps its own object, which it may change later, so that
 * nothing reaches a bundle afterwards. Refused: what JSON cannot say, and depth beyond 200.
 */
export function copyJson(value: unknown, where: string, depth = 0): Result<unknown> {
  if (typeof value !== 'object' || value === null) return copyPlain(value, where)
  if (depth >= MAX_DEPTH)
    return err({ what: `nested deeper than ${MAX_DEPTH}`, where, do: 'Flatten the results' })
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) {
      const copy = copyJson(item, where, depth + 1)
      if (!copy.ok) return copy
      items.push(copy.value)
    }
    return ok(items)
  }
  const entries: Array<[string, unknown]> = []
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    const copy = copyJson(item, where, depth + 1)
    if (!copy.ok) return copy
    entries.push([key, copy.value])
  }
  return ok(Object.fromEntries(entries))
}

function copyPlain(value: unknown, where: string): Result<unknown> {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return ok(value)
  return typeof value === 'number' && Number.isFinite(value) ? ok(value) : notJson(where)
}

function notJson(where: string) {
  return err({ what: 'a value is not JSON', where, do: 'Give plain JSON data' })
}

/** [A5] Freezes a tree of plain data as `copyJson` makes it: its depth is bounded. */
export function freezeTree<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const item of Object.values(value)) freezeTree(item)
  return Object.freeze(value)
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** [A18] True for nothing, and for an object or list without an entry. */
export function isEmptyJson(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/**
 * JSON data as a model reads it: text as it is, lists of plain values on one line, everything else
 * indented by two blanks a level.
 */
export function showJson(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null))
    return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`
  return JSON.stringify(value, null, 2)
}
