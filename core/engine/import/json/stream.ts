import type { SourceRef } from '../../schema/event.ts'
import type { ByteDocument, ByteWindow } from '../source.ts'
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  endOfValue,
  isSpace,
} from './cursor.ts'

/** `[start, end)` of a value in the document. */
export interface Slot {
  readonly start: number
  readonly end: number
}

/** Position at which a walk stopped. `torn` if the bytes ended or broke off before the closing bracket. */
export interface Walk {
  readonly end: number
  readonly torn: boolean
}

/** A place that the stream can go back to. */
export interface Mark {
  readonly at: number
  readonly line: number
}

const NEWLINE = 0x0a

/** A cursor reads this many bytes first, then twice as many until it has the whole value. */
const LEAST = 1 << 16

/** A longer value does not fit into one string; searching for its end would only fill the memory. */
const LONGEST = 1 << 29

/**
 * A cursor over a document of which only a window is held. It finds where values begin and end
 * without parsing them, so that each value is decoded alone and a bad one does not affect the others. Positions
 * only increase, except after `rewind`.
 */
export interface JsonStream {
  readonly size: number
  /** The byte at a position that `skipSpace` gave; undefined at the end. */
  readonly byte: (at: number) => number | undefined
  /** Position of the next byte that is not a space; synchronous if the window holds it. */
  readonly skipSpace: (at: number) => number | Promise<number>
  /** End of the value at `at`, or -1 if it has none. Afterwards the window holds the whole value. */
  readonly end: (at: number) => number | Promise<number>
  /** Text of a slot that the window holds. */
  readonly text: (slot: Slot) => string
  /** Loads `[at, at + length)` into the window, or less at the end of the document. */
  readonly look: (at: number, length: number) => Promise<void>
  /** Position in the file of a slot that begins in the window. */
  readonly place: (slot: Slot) => SourceRef
  readonly mark: (at: number) => Mark
  readonly rewind: (mark: Mark) => void
  /** Number of the last line; reads on to the end. */
  readonly lines: () => Promise<number>
}

/** The part of a document that is held, and the lines before it. */
interface View {
  readonly now: () => ByteWindow
  readonly end: () => number
  readonly look: JsonStream['look']
  readonly lineAt: (position: number) => number
  readonly rewind: (mark: Mark) => void
}

function createView(document: ByteDocument, least: number): View {
  let window: ByteWindow = { bytes: new Uint8Array(0), start: 0, last: false }
  // Cached because it is read for each value, and the length of a typed array is not a plain field.
  let until = 0
  let counted = 0
  let line = 1
  const windowEnd = () => until
  const hold = (held: ByteWindow) => {
    window = held
    until = held.start + held.bytes.length
  }

  function lineAt(position: number): number {
    const { bytes, start } = window
    const end = Math.min(position - start, bytes.length)
    for (let at = counted - start; at < end; at += 1) {
      at = bytes.indexOf(NEWLINE, at)
      if (at < 0 || at >= end) break
      line += 1
    }
    counted = Math.max(counted, start + end)
    return line
  }

  return {
    now: () => window,
    end: windowEnd,
    lineAt,
    async look(at, length) {
      const holds = at >= window.start && (window.last || at + length <= until)
      if (holds && window.bytes.length > 0) return
      // Lines are counted on the way, also of bytes that are only passed over.
      lineAt(at)
      while (counted < at && !window.last) {
        hold(await document.window(until, least))
        lineAt(at)
      }
      hold(await document.window(at, length))
    },
    rewind(mark) {
      hold({ bytes: new Uint8Array(0), start: mark.at, last: false })
      counted = mark.at
      line = mark.line
    },
  }
}

/** @param least bytes that are looked at first */
export function createJsonStream(document: ByteDocument, least = LEAST): JsonStream {
  const view = createView(document, least)
  const { look, lineAt, rewind } = view

  /** Null when the value may go on behind the window. */
  function endNow(at: number): number | null {
    const { bytes, start, last } = view.now()
    if (at < start || at >= view.end()) return null
    const end = endOfValue(bytes, at - start)
    if (end < 0) return last ? -1 : null
    const first = bytes[at - start]
    const closed = first === QUOTE || first === OPEN_LIST || first === OPEN_OBJECT
    return closed || last || end < bytes.length ? start + end : null
  }

  async function endLater(at: number): Promise<number> {
    for (let length = least; length <= LONGEST; length *= 2) {
      await look(at, length)
      const end = endNow(at)
      if (end !== null) return end
      if (view.now().last) break
    }
    return -1
  }

  /** Null if the space may continue beyond the window. */
  function spaceNow(from: number): number | null {
    const { bytes, start, last } = view.now()
    if (from < start || from >= view.end()) return null
    let at = from
    while (isSpace(bytes[at - start])) at += 1
    return at < view.end() || last ? at : null
  }

  async function spaceLater(from: number): Promise<number> {
    for (let at = from; ;) {
      if (at < view.now().start || at >= view.end()) await look(at, least)
      const { bytes, start, last } = view.now()
      while (isSpace(bytes[at - start])) at += 1
      if (at < view.end() || last) return at
    }
  }

  return {
    size: document.size,
    look,
    rewind,
    byte: (at) => view.now().bytes[at - view.now().start],
    skipSpace: (from) => spaceNow(from) ?? spaceLater(from),
    end: (at) => endNow(at) ?? endLater(at),
    text({ start: from, end }) {
      const { bytes, start } = view.now()
      return document.decode(bytes, from - start, end - start)
    },
    place({ start, end }) {
      const offset = document.fileOffset(start)
      return { line: lineAt(start), offset, length: document.fileOffset(end) - offset }
    },
    mark: (at) => ({ at, line: lineAt(at) }),
    async lines() {
      for (let at = view.end(); ; at = view.end()) {
        const line = lineAt(at)
        if (view.now().last) return line
        await look(at, least)
      }
    },
  }
}

/** The items of the array that opens at `start`, one after the other. */
export async function* listItems(
  stream: JsonStream,
  start: number,
): AsyncGenerator<Slot, Walk, undefined> {
  let at = await stream.skipSpace(start + 1)
  while (stream.byte(at) !== CLOSE_LIST) {
    const end = await stream.end(at)
    if (end < 0) return { end: at, torn: true }
    yield { start: at, end }
    at = await stream.skipSpace(end)
    if (stream.byte(at) === COMMA) at = await stream.skipSpace(at + 1)
    else if (stream.byte(at) !== CLOSE_LIST) return { end: at, torn: true }
  }
  return { end: at + 1, torn: false }
}

/** Skips the items and returns the end of the array. Awaits only at the end of the window. */
async function skipItems(stream: JsonStream, start: number): Promise<Walk> {
  let at = await stream.skipSpace(start + 1)
  while (stream.byte(at) !== CLOSE_LIST) {
    const found = stream.end(at)
    const end = typeof found === 'number' ? found : await found
    if (end < 0) return { end: at, torn: true }
    const next = stream.skipSpace(end)
    at = typeof next === 'number' ? next : await next
    if (stream.byte(at) === COMMA) {
      const item = stream.skipSpace(at + 1)
      at = typeof item === 'number' ? item : await item
    } else if (stream.byte(at) !== CLOSE_LIST) return { end: at, torn: true }
  }
  return { end: at + 1, torn: false }
}

/** A member of an object: its key, and the start of its value. */
export interface Member {
  readonly key: string
  readonly start: number
}

/**
 * The members of the object that opens at `start`. The caller of `next` passes the position where the last member's
 * value ended (-1 if it is torn), or nothing to skip it.
 */
export async function* objectMembers(
  stream: JsonStream,
  start: number,
): AsyncGenerator<Member, Walk, number | undefined> {
  let at = await stream.skipSpace(start + 1)
  while (stream.byte(at) !== CLOSE_OBJECT) {
    const keyEnd = stream.byte(at) === QUOTE ? await stream.end(at) : -1
    if (keyEnd < 0) return { end: at, torn: true }
    const key = stream.text({ start: at + 1, end: keyEnd - 1 })
    const colon = await stream.skipSpace(keyEnd)
    if (stream.byte(colon) !== COLON) return { end: at, torn: true }
    const value = await stream.skipSpace(colon + 1)
    const end = (yield { key, start: value }) ?? (await skipValue(stream, value))
    if (end < 0) return { end: value, torn: true }
    at = await stream.skipSpace(end)
    if (stream.byte(at) === COMMA) at = await stream.skipSpace(at + 1)
    else if (stream.byte(at) !== CLOSE_OBJECT) return { end: at, torn: true }
  }
  return { end: at + 1, torn: false }
}

/** End of a value that is not needed: a list is skipped item by item, because it may be most of the file. */
async function skipValue(stream: JsonStream, start: number): Promise<number> {
  if (stream.byte(start) !== OPEN_LIST) return stream.end(start)
  const { torn, end } = await skipItems(stream, start)
  return torn ? -1 : end
}
