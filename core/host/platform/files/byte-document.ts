import { constants } from 'node:buffer'
import type { ByteDocument, ByteWindow } from '../../../engine/import/source.ts'
import {
  byteChunks,
  byteRange,
  byteSize,
  type ByteInput,
  decode,
  sniffEncoding,
  type Encoding,
} from './byte-input.ts'
import { OpenFile } from './open-file.ts'
import type { LineOptions } from './lines.ts'
import { openRegular } from './regular-file.ts'

/** Bytes per read. */
const WINDOW = 1 << 20

/**
 * [I52] A JSON document as UTF-8 bytes, read window by window: memory does not grow with the file.
 * A file in UTF-16 is transcoded as a whole. Offsets are those of the file.
 */
export async function openDocument(input: ByteInput, options: LineOptions): Promise<ByteDocument> {
  const encoding = sniffEncoding(await byteRange(input, 0, 4))
  if (encoding.name !== 'utf8') return transcoded(input, encoding, options)
  const { bom } = encoding
  const fileOffset = (at: number) => at + bom
  if (typeof input === 'string' || input instanceof OpenFile) return windowed(input, bom, options)
  const all = Buffer.from(input.buffer, input.byteOffset, input.byteLength).subarray(bom)
  return inMemory(all, { fileOffset, options })
}

async function windowed(
  input: string | OpenFile,
  bom: number,
  options: LineOptions,
): Promise<ByteDocument> {
  const size = (await byteSize(input)) - bom
  const isHeld = typeof input !== 'string'
  const file = isHeld ? await input.handle() : await openRegular(input)
  let buffer = Buffer.allocUnsafeSlow(0)
  let held = { start: 0, length: 0 }
  let done = 0
  return {
    size,
    async window(from, least) {
      options.signal?.throwIfAborted()
      const wanted = Math.max(0, Math.min(Math.max(least, WINDOW), size - from))
      const kept = Math.max(0, Math.min(held.start + held.length - from, wanted))
      const at = from - held.start
      const usable = at >= 0 && kept > 0
      if (buffer.length < wanted) {
        const larger = Buffer.allocUnsafeSlow(wanted)
        if (usable) buffer.copy(larger, 0, at, at + kept)
        buffer = larger
      } else {
        if (usable) buffer.copyWithin(0, at, at + kept)
        // One huge item must not cost its memory for the rest of the file.
        if (buffer.length > 8 * WINDOW && wanted <= WINDOW) {
          buffer = Buffer.from(buffer.subarray(0, wanted))
        }
      }
      let filled = usable ? kept : 0
      while (filled < wanted) {
        const { bytesRead } = await file.read(buffer, filled, wanted - filled, from + bom + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      held = { start: from, length: filled }
      done = Math.max(done, from + filled + bom)
      options.onBytes?.(done)
      const last = filled < wanted || from + filled >= size
      return { bytes: buffer.subarray(0, filled), start: from, last }
    },
    decode: decodeUtf8,
    fileOffset: (at) => at + bom,
    // The owner of a held file closes it.
    close: () => (isHeld ? Promise.resolve() : file.close()),
  }
}

async function transcoded(
  input: ByteInput,
  encoding: Encoding,
  options: LineOptions,
): Promise<ByteDocument> {
  const chunks: Buffer[] = []
  for await (const chunk of byteChunks(input)) {
    options.signal?.throwIfAborted()
    chunks.push(chunk)
  }
  const bytes = Buffer.from(decode(Buffer.concat(chunks), encoding.name, encoding.bom), 'utf8')
  return inMemory(bytes, { fileOffset: utf16Offsets(bytes, encoding.bom), options })
}

interface Around {
  readonly fileOffset: (position: number) => number
  readonly options: LineOptions
}

function inMemory(bytes: Buffer, { fileOffset, options }: Around): ByteDocument {
  return {
    size: bytes.length,
    window: (from, least): Promise<ByteWindow> => {
      options.signal?.throwIfAborted()
      const end = Math.min(bytes.length, from + Math.max(least, WINDOW))
      options.onBytes?.(fileOffset(end))
      return Promise.resolve({
        bytes: bytes.subarray(from, end),
        start: from,
        last: end === bytes.length,
      })
    },
    decode: decodeUtf8,
    fileOffset,
    close: () => Promise.resolve(),
  }
}

function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > constants.MAX_STRING_LENGTH) throw new RangeError('too long for one text')
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')
}

/** File offset of a position in transcoded bytes; positions mostly rise, so it counts on from the last. */
function utf16Offsets(bytes: Buffer, bom: number): (position: number) => number {
  let at = 0
  let units = 0
  return (position) => {
    if (position < at) {
      at = 0
      units = 0
    }
    units += bytes.toString('utf8', at, position).length
    at = position
    return bom + units * 2
  }
}
