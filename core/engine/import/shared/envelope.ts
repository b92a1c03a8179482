import type { RawRecord } from '../source.ts'
import { isList, isObject, own, type JsonObject } from './guards.ts'

/** Handlers for the two parts of an envelope, which is an object around a list of records. */
interface EnvelopeParts {
  /** Called first, with the object without its list. */
  readonly header: (value: JsonObject, record: RawRecord) => unknown
  readonly item: (record: RawRecord) => void
}

/**
 * [I3] [I28] Some formats keep a session as an object around a list of records. If the file is one such object, its items
 * arrive one by one, after a header; in an array or in lines the object arrives whole. In both cases the same
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

/** The first values of a file, with lists replaced by their first items: the input of `detect`. */
export function firstRecords(values: readonly unknown[]): readonly unknown[] {
  return values.flatMap((value) => (isList(value) ? value.slice(0, 50) : [value]))
}
