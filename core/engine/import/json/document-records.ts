import { readJson } from '../../json-read.ts'
import { without } from '../shared/envelope.ts'
import { compact, isList, isObject, own } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { ByteDocument, RawRecord, Split } from '../source.ts'
import { CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, QUOTE } from './cursor.ts'
import {
  createJsonStream,
  listItems,
  objectMembers,
  type JsonStream,
  type Mark,
  type Member,
  type Slot,
  type Walk,
} from './stream.ts'
import { parseExact } from './value.ts'

type Take = (record: RawRecord) => void
type RecordSplit = Split & { readonly by: 'records' }

/** [I3] A value of a line as records: itself, or the items of a list that it holds. */
export function takeValue(record: RawRecord, split: RecordSplit, log: ImportLog, take: Take): void {
  const { value, ref } = record
  for (const key of split.lists ?? []) {
    const list = own(value, key)
    if (!isList(list) || !isObject(value)) continue
    if (split.header === true) {
      take({ value: without(value, key), ref, header: true })
    }
    for (const item of list) take({ value: item, ref })
    return
  }
  if (isObject(value) || (isList(value) && split.arrays === true)) {
    take(record)
    return
  }
  const place = {
    ...ref,
    text: (isList(value) ? compact(value) : JSON.stringify(value)).slice(0, 200),
  }
  log.problem('not_an_object', place, `a record must be an object, this is ${nameOf(value)}`)
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  return isList(value) ? 'a list' : `a ${typeof value}`
}

/** The host gets control back after this many bytes of a document. */
const STEP = 1 << 18

/**
 * [I3] The records of a JSON document, in steps. There is one top-level value, or several when lines
 * were so long that they looked like one. A bad item goes to the log (I5); the others are still read.
 */
export async function* documentSteps(
  document: ByteDocument,
  split: RecordSplit | { readonly by: 'document' },
  log: ImportLog,
  take: Take,
): AsyncGenerator<void, void> {
  const exact = split.by === 'records' && split.exact === true
  const reader: DocumentReader = { stream: createJsonStream(document), log, take, exact }
  const { stream } = reader
  try {
    let at = await stream.skipSpace(0)
    while (at >= 0 && stream.byte(at) !== undefined) {
      at = yield* valueSteps(reader, at, split)
      if (at >= 0) at = await stream.skipSpace(at)
      yield
    }
    log.countLine(await stream.lines())
  } finally {
    await document.close()
  }
}

interface DocumentReader {
  readonly stream: JsonStream
  readonly log: ImportLog
  readonly take: Take
  readonly exact: boolean
}

/** Reads one top-level value; its end, or -1 when nothing can be read after it. */
async function* valueSteps(
  reader: DocumentReader,
  at: number,
  split: RecordSplit | { readonly by: 'document' },
): AsyncGenerator<void, number> {
  const { stream } = reader
  if (split.by === 'records') {
    if (stream.byte(at) === OPEN_LIST) return yield* itemSteps(reader, at)
    if (stream.byte(at) === OPEN_OBJECT && (split.lists?.length ?? 0) > 0) {
      const start = stream.mark(at)
      const steps = split.header === true ? headedSteps : envelopeSteps
      const end = yield* steps(reader, at, split.lists ?? [])
      if (end !== null) return end
      stream.rewind(start)
    }
  }
  if (split.by === 'document') await stream.look(at, stream.size - at)
  const end = await stream.end(at)
  if (end >= 0) takeItem(reader, { start: at, end })
  else await broken(reader, at)
  return end
}

/**
 * An object that holds the list of records under one of its keys: the list's items. Null when it
 * holds no such list: then it is a record itself.
 */
async function* envelopeSteps(
  reader: DocumentReader,
  at: number,
  lists: readonly string[],
): AsyncGenerator<void, number | null> {
  const { stream } = reader
  const members = objectMembers(stream, at)
  let found = false
  let end: number | undefined
  for (;;) {
    const member = await members.next(end)
    end = undefined
    if (member.done === true) return found ? endOfEnvelope(stream, member.value) : null
    const { key, start } = member.value
    if (!found && lists.includes(key) && stream.byte(start) === OPEN_LIST) {
      found = true
      end = yield* itemSteps(reader, start)
      if (end < 0) return -1
    }
    yield
  }
}

/**
 * The same, but yields the object around the list first. Members may follow the list, so the list is read in a second
 * pass.
 */
async function* headedSteps(
  reader: DocumentReader,
  at: number,
  lists: readonly string[],
): AsyncGenerator<void, number | null> {
  const { stream, take } = reader
  const fields: Record<string, unknown> = {}
  const from = stream.place({ start: at, end: at })
  const members = objectMembers(stream, at)
  let list: Mark | null = null
  let member = await members.next()
  while (member.done !== true) {
    const { key, start } = member.value
    const isList = lists.includes(key)
    if (isList && list === null && stream.byte(start) === OPEN_LIST) list = stream.mark(start)
    const end = isList ? undefined : await takeField(reader, fields, member.value)
    yield
    member = await members.next(end)
  }
  if (list === null) return null
  // Its bytes are the whole object.
  const { end: last } = member.value
  const length = stream.place({ start: last, end: last }).offset - from.offset
  take({ value: fields, ref: { ...from, length }, header: true })
  stream.rewind(list)
  const read = yield* itemSteps(reader, list.at)
  return read < 0 ? -1 : endOfEnvelope(stream, member.value)
}

async function takeField(
  { stream }: DocumentReader,
  fields: Record<string, unknown>,
  { key, start }: Member,
): Promise<number> {
  const end = await stream.end(start)
  if (end >= 0) setField(fields, key, parse(stream, { start, end }))
  return end
}

function endOfEnvelope(stream: JsonStream, { torn, end }: Walk): number | Promise<number> {
  return torn ? closing(stream, end) : end
}

/** Items of the list at `start`; its end, or -1 when it breaks off. */
async function* itemSteps(reader: DocumentReader, start: number): AsyncGenerator<void, number> {
  const { stream } = reader
  let next = start + STEP
  const items = listItems(stream, start)
  for (;;) {
    const item = await items.next()
    if (item.done === true) {
      if (!item.value.torn) return item.value.end
      await broken(reader, item.value.end)
      return -1
    }
    takeItem(reader, item.value)
    if (item.value.end < next) continue
    next = item.value.end + STEP
    yield
  }
}

/** End of an object of which something between members cannot be read, or -1. */
async function closing(stream: JsonStream, from: number): Promise<number> {
  let at = from
  for (;;) {
    at = await stream.skipSpace(at)
    const byte = stream.byte(at)
    if (byte === undefined) return -1
    if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) return at + 1
    const opens = byte === QUOTE || byte === OPEN_OBJECT || byte === OPEN_LIST
    at = opens ? await stream.end(at) : at + 1
    if (at < 0) return -1
  }
}

function takeItem({ stream, log, take, exact }: DocumentReader, slot: Slot): void {
  const ref = stream.place(slot)
  const value = parse(stream, slot, exact)
  if (value !== undefined) {
    take({ value, ref })
    return
  }
  const text = stream.text({ start: slot.start, end: Math.min(slot.end, slot.start + PREVIEW) })
  const tooLong = slot.end - slot.start > LONGEST
  if (tooLong) log.problem('too_long', { ...ref, text }, TOO_LONG)
  else log.problem('bad_json', { ...ref, text }, 'this item is not valid JSON')
}

async function broken({ stream, log }: DocumentReader, from: number): Promise<void> {
  const torn = (await stream.end(from)) < 0
  await stream.look(from, PREVIEW)
  const ref = stream.place({ start: from, end: stream.size })
  const text = stream.text({ start: from, end: Math.min(stream.size, from + PREVIEW) })
  const message = torn
    ? 'the document ends in the middle of an item'
    : 'the list breaks off here; what follows was not read'
  log.problem(torn ? 'torn_line' : 'bad_json', { ...ref, text }, message)
}

const PREVIEW = 800
/** A longer item does not fit into one string. */
const LONGEST = 1 << 29
const TOO_LONG = 'longer than this program can hold as one text'

/** Undefined when it is not JSON, or longer than a text can be. */
function parse(stream: JsonStream, slot: Slot, exact = false): unknown {
  try {
    const text = stream.text(slot)
    return exact ? parseExact(text) : readJson(text)
  } catch {
    return undefined
  }
}

/** A key named `__proto__` must become a key, not a prototype. */
function setField(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) return
  Object.defineProperty(fields, key, { value, enumerable: true, writable: true })
}
