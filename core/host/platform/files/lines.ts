import { constants } from 'node:buffer'
import type { RawLine } from '../../../engine/import/source.ts'
import { byteChunks, type ByteInput, decode, sniffEncoding, type Encoding } from './byte-input.ts'

export interface LineOptions {
  /** Aborting makes the iteration throw the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Called after each chunk with the bytes read so far. */
  readonly onBytes?: ((done: number) => void) | undefined
  /** A longer line is cut and marked `tooLong`. Default: the longest string the runtime can hold. */
  readonly maxLineBytes?: number | undefined
}

const NEWLINE = 0x0a
const RETURN = 0x0d
/** Characters that a line over the limit keeps, to be recognised by. */
const TOO_LONG_KEEPS = 4096

/** Reading state: the bytes of a line that the last chunk did not finish. */
interface Reader {
  readonly encoding: Encoding
  readonly limit: number
  line: number
  /** File offset of the line in progress. */
  lineStart: number
  held: Buffer[]
  heldBytes: number
  tooLong: boolean
}

/**
 * Lines of a file, one batch for each chunk of 1 MiB. Memory beyond a chunk is one line.
 * `\n` and `\r\n` end a line; a byte order mark is left out; UTF-16 is decoded by it; offsets
 * and lengths are always bytes of the file.
 */
export async function* readLines(
  input: ByteInput,
  options: LineOptions = {},
): AsyncGenerator<readonly RawLine[]> {
  const cutter = createLineCutter(options)
  for await (const chunk of byteChunks(input)) {
    options.signal?.throwIfAborted()
    yield cutter.take(chunk) ?? []
    options.onBytes?.(cutter.position())
  }
  const rest = cutter.rest()
  if (rest !== null) yield [rest]
}

/** Cuts the bytes of one file into lines as they come. */
interface LineCutter {
  /**
   * Lines that end in these bytes, which follow the earlier ones; in UTF-16, whole units. Null if the bytes continue a
   * line that was already returned as the last one: the file must then be read again.
   */
  take(chunk: Buffer): readonly RawLine[] | null
  /** Bytes taken so far. */
  readonly position: () => number
  /** The line in progress; null if there is none. */
  readonly rest: () => RawLine | null
  /** The line in progress was used as it is: only its newline may come now. */
  readonly give: () => void
  readonly unit: () => 1 | 2
}

export function createLineCutter(options: LineOptions = {}): LineCutter {
  let reader: Reader | null = null
  let position = 0
  let given = false
  let held = Buffer.alloc(0)

  /** The rest of a chunk after the newline of a line that was already returned; null if it has no newline. */
  function afterGiven(chunk: Buffer, encoding: Encoding['name']): Buffer | null {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const newline = encodedNewline(encoding)
    const ending = [newline.both, newline.one].find((each) => startsWith(bytes, each))
    if (ending !== undefined) {
      given = false
      held = Buffer.alloc(0)
      return bytes.subarray(ending.length)
    }
    // Half of a `\r\n`, or of a unit.
    if (!startsWith(newline.both, bytes)) return null
    held = Buffer.from(bytes)
    return bytes.subarray(bytes.length)
  }

  return {
    take(chunk) {
      if (chunk.length === 0) return []
      const first = reader === null
      reader ??= createReader(sniffEncoding(chunk), options)
      let bytes = first ? chunk.subarray(reader.encoding.bom) : chunk
      position += chunk.length
      if (given) {
        const rest = afterGiven(bytes, reader.encoding.name)
        if (rest === null) return null
        bytes = rest
        if (held.length === 0) reader.lineStart = position - bytes.length
      }
      return takeChunk(reader, bytes, position - bytes.length)
    },
    position: () => position,
    rest: () => (reader === null || reader.heldBytes === 0 ? null : lineOf(reader, true)),
    give() {
      if (reader === null || reader.heldBytes === 0) return
      given = true
      next(reader)
    },
    unit: () => (reader === null || reader.encoding.name === 'utf8' ? 1 : 2),
  }
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start)
}

function encodedNewline(encoding: Encoding['name']): {
  readonly one: Buffer
  readonly both: Buffer
} {
  const [one, both] = ['\n', '\r\n'].map((text) =>
    encoding === 'utf8' ? Buffer.from(text) : Buffer.from(text, 'utf16le'),
  ) as [Buffer, Buffer]
  return encoding === 'utf16be' ? { one: one.swap16(), both: both.swap16() } : { one, both }
}

function createReader(encoding: Encoding, options: LineOptions): Reader {
  const limit = Math.min(options.maxLineBytes ?? Infinity, constants.MAX_STRING_LENGTH - 16)
  const line = 1
  return { encoding, limit, line, lineStart: encoding.bom, held: [], heldBytes: 0, tooLong: false }
}

function takeChunk(reader: Reader, chunk: Buffer, offset: number): readonly RawLine[] {
  const lines: RawLine[] = []
  const unit = reader.encoding.name === 'utf8' ? 1 : 2
  const plain = unit === 1 && !chunk.includes(0)
  let start = 0
  for (let at = newline(chunk, 0, reader.encoding.name); at >= 0;) {
    if (plain && reader.heldBytes === 0 && at - start <= reader.limit) {
      lines.push(plainLine(reader, chunk, start, at))
    } else {
      hold(reader, chunk.subarray(start, at))
      lines.push(finish(reader, false))
    }
    start = at + unit
    reader.lineStart = offset + start
    at = newline(chunk, start, reader.encoding.name)
  }
  if (start < chunk.length) hold(reader, chunk.subarray(start))
  return lines
}

/** Position of the next newline unit at or after `from`, or -1. `from` must be the start of a unit. */
function newline(chunk: Buffer, from: number, encoding: Encoding['name']): number {
  if (encoding === 'utf8') return chunk.indexOf(NEWLINE, from)
  const low = encoding === 'utf16le' ? 0 : 1
  for (let at = chunk.indexOf(NEWLINE, from); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
    const unitStart = at - low
    const other = encoding === 'utf16le' ? at + 1 : at - 1
    if ((unitStart - from) % 2 === 0 && chunk[other] === 0) return unitStart
  }
  return -1
}

/** The common case: a whole line of UTF-8 without NUL inside one chunk. */
function plainLine(reader: Reader, chunk: Buffer, start: number, end: number): RawLine {
  const last = end > start && chunk[end - 1] === RETURN ? end - 1 : end
  const line = reader.line
  reader.line += 1
  return {
    text: chunk.toString('utf8', start, last),
    offset: reader.lineStart,
    length: last - start,
    line,
    unterminated: false,
    nul: false,
    tooLong: false,
  }
}

function hold(reader: Reader, bytes: Buffer): void {
  reader.heldBytes += bytes.length
  if (reader.tooLong) return
  // A copy: the chunk belongs to who read it.
  reader.held.push(Buffer.from(bytes))
  if (reader.heldBytes <= reader.limit) return
  reader.tooLong = true
  reader.held = [Buffer.concat(reader.held).subarray(0, TOO_LONG_KEEPS)]
}

function finish(reader: Reader, unterminated: boolean): RawLine {
  const line = lineOf(reader, unterminated)
  next(reader)
  return line
}

/** The held bytes as a line. A final `\r` belongs to the newline, even if the `\n` is not written yet. */
function lineOf(reader: Reader, unterminated: boolean): RawLine {
  const first = reader.held[0] ?? Buffer.alloc(0)
  const bytes = reader.held.length === 1 ? first : Buffer.concat(reader.held)
  if (reader.held.length > 1) reader.held = [bytes]
  const decoded = decode(bytes, reader.encoding.name)
  const returns = !reader.tooLong && decoded.endsWith('\r')
  const unit = reader.encoding.name === 'utf8' ? 1 : 2
  return {
    text: returns ? decoded.slice(0, -1) : decoded,
    offset: reader.lineStart,
    length: reader.heldBytes - (returns ? unit : 0),
    line: reader.line,
    unterminated,
    nul: decoded.includes('\0'),
    tooLong: reader.tooLong,
  }
}

function next(reader: Reader): void {
  reader.line += 1
  reader.held = []
  reader.heldBytes = 0
  reader.tooLong = false
}
