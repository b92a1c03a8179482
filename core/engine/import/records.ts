import { isList, isObject, own } from './guards.ts'
import { createLineCounter, endOfValue, skipSpace, walkArray, walkObject } from './json-cursor.ts'
import type { Slot } from './json-cursor.ts'
import type { Ledger } from './ledger.ts'
import { recordsOfLine } from './line-records.ts'
import type { ByteDocument, RawRecord, Source } from './source.ts'

export interface RecordOptions {
  /** Keys under which an object of the file holds its list of records: `{loglines: […]}`. */
  readonly lists?: readonly string[]
  /** Lines that are arrays are records too; else each is a problem. */
  readonly arrays?: boolean
}

/**
 * [I3] The records of a file, however it is laid out: one a line, items of one array, items of a
 * list in one object, or the object itself. Bad ones go to the ledger (I5) and cost only themselves.
 */
export async function eachRecord(
  source: Source,
  ledger: Ledger,
  options: RecordOptions,
  take: (record: RawRecord) => void,
): Promise<void> {
  if (isDocument(source, options)) {
    eachDocumentRecord(await source.document(), ledger, options.lists ?? [], take)
    return
  }
  for await (const batch of source.lines()) {
    for (const line of batch) {
      ledger.countLine(line.line)
      recordsOfLine(line, ledger, (value, ref) => {
        takeValue({ value, ref }, options, ledger, take)
      })
    }
  }
}

/** One line may hold a whole list; a file that is one such line is better read as a document, item by item. */
function isDocument(source: Source, options: RecordOptions): boolean {
  const { layout, values } = source.head
  if (layout === 'document') return true
  const lists = options.lists ?? []
  return values.length === 1 && lists.some((key) => isList(own(values[0], key)))
}

function takeValue(
  record: RawRecord,
  options: RecordOptions,
  ledger: Ledger,
  take: (record: RawRecord) => void,
): void {
  const { value, ref } = record
  for (const key of options.lists ?? []) {
    const list = own(value, key)
    if (!isList(list)) continue
    for (const item of list) take({ value: item, ref })
    return
  }
  if (isObject(value) || (isList(value) && options.arrays === true)) {
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

/** Walks the top-level values of a document; there is one, or several when lines were so long that it looked like one. */
function eachDocumentRecord(
  document: ByteDocument,
  ledger: Ledger,
  lists: readonly string[],
  take: (record: RawRecord) => void,
): void {
  const { bytes } = document
  const reader = createDocumentReader(document, ledger, take)
  let at = skipSpace(bytes, 0)
  while (at < bytes.length) {
    const list = bytes[at] === 0x7b ? listOf(document, at, lists) : { start: at }
    if (list !== null && bytes[list.start] === 0x5b) {
      const walk = walkArray(bytes, list.start, reader.item)
      if (walk.torn) {
        reader.broken(walk.end)
        break
      }
      at = list.start === at ? walk.end : endOfValue(bytes, at)
    } else {
      const end = endOfValue(bytes, at)
      if (end >= 0) reader.item({ start: at, end })
      else reader.broken(at)
      at = end
    }
    if (at < 0) break
    at = skipSpace(bytes, at)
  }
  reader.finish()
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
  readonly broken: (at: number) => void
  readonly finish: () => void
}

function createDocumentReader(
  document: ByteDocument,
  ledger: Ledger,
  take: (record: RawRecord) => void,
): DocumentReader {
  const lineAt = createLineCounter(document.bytes)
  const place = (slot: Slot): RawRecord['ref'] => {
    const offset = document.fileOffset(slot.start)
    const length = document.fileOffset(slot.end) - offset
    return { line: lineAt(slot.start), offset, length }
  }
  return {
    item(slot) {
      const ref = place(slot)
      const text = document.text(slot.start, slot.end)
      let value: unknown
      try {
        value = JSON.parse(text)
      } catch {
        ledger.problem('bad_json', { ...ref, text }, 'this item is not valid JSON')
        return
      }
      take({ value, ref })
    },
    broken(at) {
      const end = document.bytes.length
      const ref = place({ start: at, end })
      const torn = endOfValue(document.bytes, at) < 0
      ledger.problem(
        torn ? 'torn_line' : 'bad_json',
        { ...ref, text: document.text(at, Math.min(end, at + 800)) },
        torn
          ? 'the document ends in the middle of an item'
          : 'the list breaks off here; what follows was not read',
      )
    },
    finish() {
      const last = document.bytes.length
      ledger.countLine(lineAt(last))
    },
  }
}
