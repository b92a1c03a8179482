import { isList, isObject, own } from './guards.ts'
import { createLineCounter, endOfValue, skipSpace, walkObject } from './json-cursor.ts'
import { arrayItems } from './json-cursor.ts'
import type { Slot } from './json-cursor.ts'
import type { Ledger } from './ledger.ts'
import type { ByteDocument, RawRecord, Split } from './source.ts'

type Take = (record: RawRecord) => void
type RecordSplit = Split & { readonly by: 'records' }

/** [I3] A value of a line as records: itself, or the items of a list that it holds. */
export function takeValue(record: RawRecord, split: RecordSplit, ledger: Ledger, take: Take): void {
  const { value, ref } = record
  for (const key of split.lists ?? []) {
    const list = own(value, key)
    if (!isList(list) || !isObject(value)) continue
    if (split.header === true) {
      const { [key]: _, ...header } = value
      take({ value: header, ref, header: true })
    }
    for (const item of list) take({ value: item, ref })
    return
  }
  if (isObject(value) || (isList(value) && split.arrays === true)) {
    take(record)
    return
  }
  const place = { ...ref, text: JSON.stringify(value).slice(0, 200) }
  ledger.problem('not_an_object', place, `a record must be an object, this is ${nameOf(value)}`)
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  return isList(value) ? 'a list' : `a ${typeof value}`
}

/** The host gets control back after so many bytes of a document. */
const STEP = 1 << 20

/**
 * [I3] The records of a JSON document, in steps. There is one top-level value, or several when lines
 * were so long that it looked like one. Bad items go to the ledger (I5) and cost only themselves.
 */
export function* documentSteps(
  document: ByteDocument,
  split: RecordSplit | { readonly by: 'document' },
  ledger: Ledger,
  take: Take,
): Generator<void, void> {
  const { bytes } = document
  const reader = createDocumentReader(document, ledger, take)
  const lists = split.by === 'records' ? (split.lists ?? []) : []
  let at = skipSpace(bytes, 0)
  while (at >= 0 && at < bytes.length) {
    const list = listAt(document, at, split, lists)
    if (list === null) {
      const end = endOfValue(bytes, at)
      if (end >= 0) reader.item({ start: at, end })
      else reader.broken(at)
      at = end
    } else {
      if (split.by === 'records' && split.header === true && list !== at)
        reader.header(at, list, lists)
      const end = yield* itemSteps(bytes, list, reader)
      if (end < 0) break
      at = list === at ? end : endOfValue(bytes, at)
    }
    if (at >= 0) at = skipSpace(bytes, at)
  }
  reader.finish()
  yield
}

/** Where the list of records at `at` opens: there, at a key of the object, or nowhere. */
function listAt(
  document: ByteDocument,
  at: number,
  split: RecordSplit | { readonly by: 'document' },
  lists: readonly string[],
): number | null {
  if (split.by === 'document') return null
  const first = document.bytes[at]
  if (first === 0x5b) return at
  return first === 0x7b ? (listOf(document, at, lists)?.start ?? null) : null
}

/** Items of the array at `start`; its end, or -1 when it breaks off. */
function* itemSteps(bytes: Uint8Array, start: number, reader: DocumentReader) {
  let next = start + STEP
  const items = arrayItems(bytes, start)
  for (let item = items.next(); ; item = items.next()) {
    if (item.done === true) {
      if (!item.value.torn) return item.value.end
      reader.broken(item.value.end)
      return -1
    }
    reader.item(item.value)
    if (item.value.end < next) continue
    next = item.value.end + STEP
    yield
  }
}

function listOf(document: ByteDocument, at: number, lists: readonly string[]): Slot | null {
  let found: Slot | null = null
  walkObject(document.bytes, at, (key, value) => {
    const name = document.text(key.start + 1, key.end - 1)
    if (found === null && lists.includes(name) && document.bytes[value.start] === 0x5b)
      found = value
  })
  return found
}

interface DocumentReader {
  readonly item: (slot: Slot) => void
  /** The object at `at` without its lists. */
  readonly header: (at: number, list: number, lists: readonly string[]) => void
  readonly broken: (at: number) => void
  readonly finish: () => void
}

function createDocumentReader(document: ByteDocument, ledger: Ledger, take: Take): DocumentReader {
  const lineAt = createLineCounter(document.bytes)
  const place = (slot: Slot): RawRecord['ref'] => {
    const offset = document.fileOffset(slot.start)
    const length = document.fileOffset(slot.end) - offset
    return { line: lineAt(slot.start), offset, length }
  }
  const parse = (slot: Slot): unknown => {
    try {
      return JSON.parse(document.text(slot.start, slot.end))
    } catch {
      return undefined
    }
  }
  return {
    item(slot) {
      const ref = place(slot)
      const value = parse(slot)
      if (value === undefined) {
        const text = document.text(slot.start, Math.min(slot.end, slot.start + 800))
        ledger.problem('bad_json', { ...ref, text }, 'this item is not valid JSON')
      } else take({ value, ref })
    },
    header(at, list, lists) {
      const header: Record<string, unknown> = {}
      walkObject(document.bytes, at, (key, value) => {
        const name = document.text(key.start + 1, key.end - 1)
        if (value.start === list || lists.includes(name)) return
        const parsed = parse(value)
        // A key named `__proto__` must become a key, not a prototype.
        if (parsed !== undefined)
          Object.defineProperty(header, name, { value: parsed, enumerable: true, writable: true })
      })
      take({ value: header, ref: place({ start: at, end: list }), header: true })
    },
    broken(at) {
      const from = Math.max(0, at)
      const end = document.bytes.length
      const ref = place({ start: from, end })
      const torn = at < 0 || endOfValue(document.bytes, at) < 0
      ledger.problem(
        torn ? 'torn_line' : 'bad_json',
        { ...ref, text: document.text(from, Math.min(end, from + 800)) },
        torn
          ? 'the document ends in the middle of an item'
          : 'the list breaks off here; what follows was not read',
      )
    },
    finish() {
      ledger.countLine(lineAt(document.bytes.length))
    },
  }
}
