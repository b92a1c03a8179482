/**
 * A cursor over the bytes of a JSON document: it finds where items begin and end without parsing
 * them, so that each is decoded alone, a bad one costs itself only, and Raw can show its bytes.
 * It never recurses: nesting depth costs nothing.
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN = new Set([0x5b, 0x7b])
const CLOSE = new Set([0x5d, 0x7d])
const COMMA = 0x2c
const COLON = 0x3a

/** `[start, end)` of a value in the bytes. */
export interface Slot {
  readonly start: number
  readonly end: number
}

/** Where a walk stopped; `torn` when the bytes ended or broke off before the closing bracket. */
export interface Walk {
  readonly end: number
  readonly torn: boolean
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (isSpace(bytes[at])) at += 1
  return at
}

/** End of the string whose opening quote is at `start`, or -1. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let back = at - 1
    while (bytes[back] === BACKSLASH) back -= 1
    if ((at - back) % 2 === 1) return at + 1
  }
  return -1
}

/** End of the value at `start`, or -1 when it has none. */
export function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start]
  if (first === undefined) return -1
  if (first === QUOTE) return endOfString(bytes, start)
  return OPEN.has(first) ? endOfContainer(bytes, start) : endOfPrimitive(bytes, start)
}

function endOfContainer(bytes: Uint8Array, start: number): number {
  let depth = 0
  let at = start
  while (at < bytes.length) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = endOfString(bytes, at)
      if (at < 0) return -1
      continue
    }
    at += 1
    if (byte === 0x7b || byte === 0x5b) depth += 1
    else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return -1
}

function endOfPrimitive(bytes: Uint8Array, start: number): number {
  let at = start
  for (let byte = bytes[at]; byte !== undefined; byte = bytes[at]) {
    if (isSpace(byte) || byte === COMMA || byte === COLON || CLOSE.has(byte) || OPEN.has(byte))
      break
    at += 1
  }
  return at > start ? at : -1
}

/** The items of the array that opens at `start`, one after the other. */
export function* arrayItems(bytes: Uint8Array, start: number): Generator<Slot, Walk, undefined> {
  let at = skipSpace(bytes, start + 1)
  while (bytes[at] !== 0x5d) {
    const end = endOfValue(bytes, at)
    if (end < 0) return { end: at, torn: true }
    yield { start: at, end }
    at = skipSpace(bytes, end)
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1)
    else if (bytes[at] !== 0x5d) return { end: at, torn: true }
  }
  return { end: at + 1, torn: false }
}

/** Calls `take` with key and value of each member of the object that opens at `start`. */
export function walkObject(
  bytes: Uint8Array,
  start: number,
  take: (key: Slot, value: Slot) => void,
): Walk {
  let at = skipSpace(bytes, start + 1)
  while (bytes[at] !== 0x7d) {
    const keyEnd = bytes[at] === QUOTE ? endOfString(bytes, at) : -1
    const colon = keyEnd < 0 ? -1 : skipSpace(bytes, keyEnd)
    if (colon < 0 || bytes[colon] !== COLON) return { end: at, torn: true }
    const valueStart = skipSpace(bytes, colon + 1)
    const end = endOfValue(bytes, valueStart)
    // The value of a torn document is still walked into by its reader: it has no end, but a start.
    take({ start: at, end: keyEnd }, { start: valueStart, end: end < 0 ? bytes.length : end })
    if (end < 0) return { end: bytes.length, torn: true }
    at = skipSpace(bytes, end)
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1)
    else if (bytes[at] !== 0x7d) return { end: at, torn: true }
  }
  return { end: at + 1, torn: false }
}

/** 1-based line of positions that are asked for in rising order. */
export function createLineCounter(bytes: Uint8Array): (position: number) => number {
  let line = 1
  let next = bytes.indexOf(0x0a)
  return (position) => {
    while (next >= 0 && next < position) {
      line += 1
      next = bytes.indexOf(0x0a, next + 1)
    }
    return line
  }
}
