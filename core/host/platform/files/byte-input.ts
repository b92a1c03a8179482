import type { FileHandle } from 'node:fs/promises'
import { OpenFile } from './open-file.ts'
import { openRegular } from './regular-file.ts'

/** Bytes in memory, the path of a file, or a file that is held open. */
export type ByteInput = Uint8Array | string | OpenFile

/** Even, so that a UTF-16 unit never straddles two chunks. */
const CHUNK = 1 << 20

/** All bytes in order, in chunks of 1 MiB (the last one shorter). Gives the event loop a turn between chunks. */
export async function* byteChunks(input: ByteInput): AsyncGenerator<Buffer> {
  if (input instanceof OpenFile) {
    for (let at = 0; at < input.size; at += CHUNK) yield await input.range(at, CHUNK)
    return
  }
  if (typeof input !== 'string') {
    const all = Buffer.from(input.buffer, input.byteOffset, input.byteLength)
    for (let at = 0; at < all.length; at += CHUNK) {
      yield all.subarray(at, at + CHUNK)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return
  }
  const file = await openRegular(input)
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK)
      const filled = await fill(file, chunk)
      if (filled > 0) yield chunk.subarray(0, filled)
      if (filled < CHUNK) return
    }
  } finally {
    await file.close()
  }
}

/** Reads until the buffer is full or the file ends: a short read must not split a UTF-16 unit. */
async function fill(
  file: FileHandle,
  buffer: Buffer,
  position: number | null = null,
): Promise<number> {
  let filled = 0
  while (filled < buffer.length) {
    const at = position === null ? null : position + filled
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, at)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}

/** Bytes of the input in total. */
export async function byteSize(input: ByteInput): Promise<number> {
  if (input instanceof OpenFile) return input.size
  if (typeof input !== 'string') return input.byteLength
  const file = await openRegular(input)
  try {
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

/** The bytes `[offset, offset + length)`, fewer if the input ends earlier. */
export async function byteRange(input: ByteInput, offset: number, length: number): Promise<Buffer> {
  if (input instanceof OpenFile) return input.range(offset, length)
  if (typeof input !== 'string') {
    const end = Math.min(input.byteLength, offset + length)
    const start = Math.min(offset, end)
    return Buffer.from(input.buffer, input.byteOffset + start, end - start)
  }
  const file = await openRegular(input)
  try {
    const size = (await file.stat()).size
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)))
    return buffer.subarray(0, await fill(file, buffer, offset))
  } finally {
    await file.close()
  }
}

/** Character encoding of a file, by its byte order mark; UTF-8 without one. */
export interface Encoding {
  readonly name: 'utf8' | 'utf16le' | 'utf16be'
  /** Bytes of the byte order mark. */
  readonly bom: 0 | 2 | 3
}

export function sniffEncoding(start: Uint8Array): Encoding {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return { name: 'utf8', bom: 3 }
  if (start[0] === 0xff && start[1] === 0xfe) return { name: 'utf16le', bom: 2 }
  if (start[0] === 0xfe && start[1] === 0xff) return { name: 'utf16be', bom: 2 }
  return { name: 'utf8', bom: 0 }
}

/** Text of bytes `[start, end)`. Invalid UTF-8 becomes U+FFFD; a half UTF-16 unit at the end is dropped. */
export function decode(
  bytes: Buffer,
  encoding: Encoding['name'],
  start = 0,
  end = bytes.length,
): string {
  if (encoding === 'utf8') return bytes.toString('utf8', start, end)
  const even = end - ((end - start) % 2)
  if (encoding === 'utf16le') return bytes.toString('utf16le', start, even)
  return Buffer.from(bytes.subarray(start, even)).swap16().toString('utf16le')
}

/** A raw record of the file: at most `maxBytes` of it, decoded according to the file's byte order mark. */
export async function readRange(
  input: ByteInput,
  range: { readonly offset: number; readonly length: number },
  maxBytes: number,
): Promise<{ readonly text: string; readonly truncated: boolean }> {
  const encoding = sniffEncoding(await byteRange(input, 0, 3))
  const bytes = await byteRange(input, range.offset, Math.min(range.length, maxBytes))
  return { text: decode(bytes, encoding.name), truncated: range.length > maxBytes }
}
