/** Finds the ends of JSON values in bytes without parsing. Never recurses, so nesting depth costs nothing. */

export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN_LIST = 0x5b
export const CLOSE_LIST = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d
const BACKSLASH = 0x5c

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isOpen(byte: number | undefined): boolean {
  return byte === OPEN_OBJECT || byte === OPEN_LIST
}

function isClose(byte: number | undefined): boolean {
  return byte === CLOSE_OBJECT || byte === CLOSE_LIST
}

/** Most strings are short: within so many bytes a search costs more than looking. */
const NEAR = 24

/** Position after the closing quote, or -1. `from` is after the opening quote, or anywhere except inside an escape. */
export function endOfText(bytes: Uint8Array, from: number): number {
  const near = Math.min(from + NEAR, bytes.length)
  let at = from
  while (at < near) {
    const byte = bytes[at]
    if (byte === QUOTE) return at + 1
    at += byte === BACKSLASH ? 2 : 1
  }
  const start = at
  for (at = bytes.indexOf(QUOTE, at); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let back = at - 1
    while (back >= start && bytes[back] === BACKSLASH) back -= 1
    if ((at - back) % 2 === 1) return at + 1
  }
  return -1
}

/** End of the value at `start`, or -1 when it has none. */
export function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start]
  if (first === undefined) return -1
  if (first === QUOTE) return endOfText(bytes, start + 1)
  return isOpen(first) ? endOfContainer(bytes, start) : endOfPrimitive(bytes, start)
}

function endOfContainer(bytes: Uint8Array, start: number): number {
  let depth = 0
  let at = start
  while (at < bytes.length) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = endOfText(bytes, at + 1)
      if (at < 0) return -1
      continue
    }
    at += 1
    if (isOpen(byte)) depth += 1
    else if (isClose(byte)) {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return -1
}

function endOfPrimitive(bytes: Uint8Array, start: number): number {
  let at = start
  for (let byte = bytes[at]; byte !== undefined; byte = bytes[at]) {
    if (isSpace(byte) || byte === COMMA || byte === COLON || isClose(byte) || isOpen(byte)) break
    at += 1
  }
  return at > start ? at : -1
}
