import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './import/json/cursor.ts'

/**
 * [F206] Limits of a JSON text that are checked before anything is built from it. A limit in bytes does not bound the
 * cost: `{}` takes 3 bytes with its comma and builds an object of more than 50.
 */
export interface JsonBounds {
  /** Objects, lists, strings, numbers and literals. Keys do not count. */
  readonly values: number
  /** Levels of nesting. */
  readonly depth: number
  /** Elements of one list, or members of one object. */
  readonly items: number
  /** Different keys. Each new key costs the parser a hidden class or a dictionary. */
  readonly names: number
  /** Characters of one number. */
  readonly digits: number
}

/** The limit that a text exceeds. */
export type JsonExcess = keyof JsonBounds

/** Measures one JSON text that comes in pieces. */
export interface JsonMeter {
  /** Reads the next piece. Returns the first limit that was exceeded, on this call and each later one; else null. */
  readonly push: (piece: Uint8Array) => JsonExcess | null
  /** Bytes of the pieces that were read. */
  readonly bytes: () => number
  readonly values: () => number
}

const BACKSLASH = 0x5c
const SPACE = 0x20
/** FNV-1a, 32 bits. */
const SEED = 0x811c9dc5
const PRIME = 0x01000193

type State = 'between' | 'text' | 'key' | 'plain'

/**
 * [F206] A meter for one text in UTF-8. It does not validate and does not recurse. A text that is not JSON fails in
 * `JSON.parse`, which builds no more than the values counted here. Different keys are distinguished by a 32-bit hash.
 */
export function createJsonMeter(bounds: JsonBounds): JsonMeter {
  const names = new Set<number>()
  /** Commas of each open container so far: the outermost first. */
  const commas: number[] = []
  /** Whether each of these containers is an object. */
  const objects: boolean[] = []
  let excess: JsonExcess | null = null
  let state: State = 'between'
  let hash = SEED
  let digits = 0
  let bytes = 0
  let values = 0
  /** The next byte of the string is escaped. */
  let isEscaped = false
  let expectsKey = false

  const value = (): JsonExcess | null => {
    values += 1
    return values > bounds.values ? 'values' : null
  }

  /** The byte of a bracket, a comma, a quote, or the first byte of a number or literal. */
  function token(byte: number): JsonExcess | null {
    switch (byte) {
      case QUOTE:
        state = expectsKey ? 'key' : 'text'
        hash = SEED
        if (!expectsKey) return value()
        expectsKey = false
        return null
      case OPEN_OBJECT:
      case OPEN_LIST:
        expectsKey = byte === OPEN_OBJECT
        commas.push(0)
        objects.push(expectsKey)
        return commas.length > bounds.depth ? 'depth' : value()
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        expectsKey = false
        commas.pop()
        objects.pop()
        return null
      case COMMA: {
        const last = commas.length - 1
        if (last < 0) return null
        expectsKey = objects[last] === true
        const count = (commas[last] ?? 0) + 1
        commas[last] = count
        return count >= bounds.items ? 'items' : null
      }
      case COLON:
        return null
      default:
        state = 'plain'
        digits = 0
        return value()
    }
  }

  /** Reads a string from `at`; returns the place after it, or the length of the piece. */
  function text(piece: Uint8Array, at: number): number {
    const isKey = state === 'key'
    const { length } = piece
    for (let next = at; next < length; next += 1) {
      const byte = piece[next] ?? 0
      if (isEscaped) isEscaped = false
      else if (byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) {
        state = 'between'
        if (isKey && names.add(hash).size > bounds.names) excess = 'names'
        return next + 1
      }
      if (isKey) hash = Math.imul(hash ^ byte, PRIME)
    }
    return length
  }

  /** Reads a number or literal from `at`; returns the place of the byte that ends it. */
  function plain(piece: Uint8Array, at: number): number {
    let next = at
    while (next < piece.length && !ENDS_PLAIN[piece[next] ?? 0]) next += 1
    digits += next - at
    if (digits > bounds.digits) excess = 'digits'
    if (next < piece.length) state = 'between'
    return next
  }

  const isPlain = (): boolean => state === 'plain'

  function push(piece: Uint8Array): JsonExcess | null {
    if (excess !== null) return excess
    bytes += piece.length
    let at = 0
    while (at < piece.length && excess === null) {
      if (state === 'plain') at = plain(piece, at)
      else if (state !== 'between') at = text(piece, at)
      else {
        while (at < piece.length && (piece[at] ?? 0) <= SPACE) at += 1
        if (at === piece.length) break
        excess = token(piece[at] ?? 0)
        // The first byte of a number belongs to it.
        if (!isPlain()) at += 1
      }
    }
    return excess
  }

  return { push, bytes: () => bytes, values: () => values }
}

const ENDS_PLAIN: readonly boolean[] = Array.from(
  { length: 256 },
  (_, byte) =>
    byte <= SPACE ||
    [QUOTE, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT].includes(byte),
)

/** [F206] Words for an exceeded limit, for a message: "it holds more than 100000 elements of one list or object". */
export function excessText(excess: JsonExcess, bounds: JsonBounds): string {
  return WORDS[excess].replace('N', String(bounds[excess]))
}

const WORDS: Readonly<Record<JsonExcess, string>> = {
  values: 'it holds more than N values',
  depth: 'it is nested deeper than N levels',
  items: 'it has a list or object with more than N elements',
  names: 'it uses more than N different keys',
  digits: 'it has a number with more than N characters',
}
