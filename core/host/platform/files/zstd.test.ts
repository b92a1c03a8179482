import { text } from 'node:stream/consumers'
import * as zlib from 'node:zlib'
import { expect, it } from 'vitest'
import { unpackZstd, zstdStream } from './zstd.ts'

const TEXT = Buffer.from('one line of a transcript, and another one\n'.repeat(20_000))
const PACKED = zlib.zstdCompressSync(TEXT)
const MOST = 10_000_000

const plain = (bytes: Uint8Array, most = MOST) => Buffer.from(unpackZstd(bytes, most, false))

it('[I208] without zstd of Node, plain JavaScript unpacks the same bytes', () => {
  const levels = [1, 3, 19].map((level) =>
    zlib.zstdCompressSync(TEXT, { params: { [zlib.constants.ZSTD_c_compressionLevel]: level } }),
  )
  const random = Buffer.from(
    Array.from({ length: 70_000 }, (_, at) => (at * at * 2_654_435_761) >>> 24),
  )
  for (const packed of levels) expect(plain(packed).equals(TEXT)).toBe(true)
  for (const data of [random, Buffer.alloc(0), Buffer.from('x'), Buffer.alloc(300_000)])
    expect(plain(zlib.zstdCompressSync(data)).equals(data)).toBe(true)
})

it('[I208] with a checksum, and several frames one after the other', () => {
  const checked = zlib.zstdCompressSync(TEXT, {
    params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 },
  })
  const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2])
  const all = plain(Buffer.concat([checked, skipped, PACKED]))
  expect(all.equals(Buffer.concat([TEXT, TEXT]))).toBe(true)
})

it('[I208] as a stream, in pieces', async () => {
  const stream = zstdStream(MOST, false)
  for (let at = 0; at < PACKED.length; at += 7) stream.write(PACKED.subarray(at, at + 7))
  stream.end()
  expect(await text(stream as unknown as AsyncIterable<Uint8Array> as never)).toBe(TEXT.toString())
})

it.each([
  ['more than is allowed', PACKED, 1000, /larger than 1000 bytes/u],
  ['bytes that are cut off', PACKED.subarray(0, PACKED.length - 5), MOST, /too early/u],
  ['bytes that are none', Buffer.from('no zstd at all, but text'), MOST, /not zstd/u],
  ['a window of 2 GB', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xa8, 1, 0, 0]), MOST, /window/u],
  [
    'a size of 4 GB in one segment',
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0xff, 0xff, 0xff, 0xff, 1, 0, 0]),
    MOST,
    /window/u,
  ],
])('[I208] refuses %s', (_, bytes, most, words) => {
  expect(() => unpackZstd(bytes, most, false)).toThrow(words)
})

it('[I208] damaged bytes are an error of zstd, never another one', () => {
  for (let at = 4; at < Math.min(PACKED.length, 120); at += 1) {
    const damaged = Buffer.from(PACKED)
    damaged[at] = (damaged[at] ?? 0) ^ 0x55
    try {
      unpackZstd(damaged, MOST, false)
    } catch (error) {
      expect((error as { code?: unknown }).code).toBe('ZSTD_error')
    }
  }
})
