import { byteRange, type ByteInput } from './byte-input.ts'

/** How the characters of a file are written, by its byte order mark; UTF-8 without one. */
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

/** A record as it stands in the file: at most `maxBytes` of it, decoded as its byte order mark says. */
export async function readRange(
  input: ByteInput,
  range: { readonly offset: number; readonly length: number },
  maxBytes: number,
): Promise<{ readonly text: string; readonly truncated: boolean }> {
  const encoding = sniffEncoding(await byteRange(input, 0, 3))
  const bytes = await byteRange(input, range.offset, Math.min(range.length, maxBytes))
  return { text: decode(bytes, encoding.name), truncated: range.length > maxBytes }
}
