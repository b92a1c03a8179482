import type { RawRecord } from '../source.ts'
import { isList, isObject, own, type JsonObject } from './guards.ts'

/** What a reader does with the two halves of a session that is one object around a list. */
interface EnvelopeParts {
  /** The object without the list, before its items. */
  readonly header: (value: JsonObject, record: RawRecord) => unknown
  readonly item: (record: RawRecord) => void
}

/**
 * [I3] [I28] A session is an object around a list of records. Where the file is one such object its items
 * come alone, after a header; in an array or in lines the object comes whole. Either way the same
 * parts are called in the same order.
 */
export function takeEnvelope(
  record: RawRecord,
  keys: readonly string[],
  parts: EnvelopeParts,
): void {
  const { value, ref } = record
  if (record.header === true && isObject(value)) {
    parts.header(value, record)
    return
  }
  for (const key of keys) {
    const list = own(value, key)
    if (!isList(list) || !isObject(value)) continue
    parts.header(without(value, key), record)
    for (const item of list) parts.item({ value: item, ref })
    return
  }
  parts.item(record)
}

/** An object without one of its members. */
export function without(value: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
}

/** The first values of a file, lists opened: what a format's `detect` looks through. */
export function firstRecords(values: readonly unknown[]): readonly unknown[] {
  return values.flatMap((value) => (isList(value) ? value.slice(0, 50) : [value]))
}
