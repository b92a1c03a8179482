import { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { Decompress } from 'fzstd'

/** Node has zstd since 22.15 (and 23.8); before it a decoder in plain JavaScript does the same, more slowly. */
const HAS_ZSTD = typeof zlib.zstdDecompressSync === 'function'

/** The largest window that a frame may ask for, as Node's own decoder allows. */
const MOST_WINDOW = 1 << 27

const FRAME = 0xfd_2f_b5_28
/** Sixteen magic numbers of frames that a decoder passes over. */
const SKIPPABLE = 0x18_4d_2a_50

/**
 * [I208] Unpacks zstd. Throws an `Error` whose `code` begins with `ZSTD` for damaged bytes, a window above 128 MB, or more
 * than `most` bytes.
 */
export function unpackZstd(bytes: Uint8Array, most: number, isNative = HAS_ZSTD): Uint8Array {
  if (isNative) return zlib.zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, most) })
  checkFrames(bytes)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    const decoder = new Decompress((chunk) => {
      size += chunk.length
      if (size > most) throw zstdError(`unpacked it is larger than ${most} bytes`)
      chunks.push(chunk.slice())
    })
    decoder.push(bytes, true)
  } catch (error) {
    // Errors of the decoder have numbers as codes, and damaged tables may break its arithmetic.
    throw isZstdError(error) ? error : zstdError(error instanceof Error ? error.message : 'invalid')
  }
  return Buffer.concat(chunks, size)
}

/** [I208] The same as a stream, for a member of an archive. @param most bytes that the archive declares for it */
export function zstdStream(most: number, isNative = HAS_ZSTD): NodeJS.ReadWriteStream {
  if (isNative) return zlib.createZstdDecompress()
  const packed: Uint8Array[] = []
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      packed.push(chunk)
      done()
    },
    flush(done) {
      try {
        done(null, unpackZstd(Buffer.concat(packed), most, false))
      } catch (error) {
        done(error instanceof Error ? error : zstdError('invalid'))
      }
    },
  })
}

function zstdError(what: string): Error {
  return Object.assign(new Error(what), { code: 'ZSTD_error' })
}

function isZstdError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ZSTD_error'
}

/**
 * Walks over the frames and blocks of zstd (RFC 8878) without unpacking, because the decoder allocates the window that a
 * header asks for. Throws if the bytes end in a frame.
 */
function checkFrames(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    for (let at = 0; at < bytes.length;) at = frameEnd(view, at)
  } catch (error) {
    throw error instanceof RangeError ? zstdError('it ends too early') : error
  }
}

function frameEnd(view: DataView, start: number): number {
  const magic = view.getUint32(start, true)
  if ((magic & ~0xf) >>> 0 === SKIPPABLE) return start + 8 + view.getUint32(start + 4, true)
  if (magic !== FRAME) throw zstdError('it is not zstd')
  const descriptor = view.getUint8(start + 4)
  const isSingle = (descriptor & 0x20) !== 0
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0
  let at = start + 5
  if (isSingle) {
    const size = contentSize(view, at + dictionaryBytes, sizeBytes)
    if (size > MOST_WINDOW) throw zstdError('its window is larger than 128 MB')
  } else {
    const window = view.getUint8(at)
    const base = 2 ** (10 + (window >> 3))
    if (base + (base / 8) * (window & 7) > MOST_WINDOW)
      throw zstdError('its window is larger than 128 MB')
    at += 1
  }
  at += dictionaryBytes + sizeBytes
  for (;;) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
    const isRun = ((header >> 1) & 3) === 1
    at += 3 + (isRun ? 1 : header >> 3)
    if ((header & 1) === 1) break
  }
  const end = at + ((descriptor & 4) === 0 ? 0 : 4)
  if (end > view.byteLength) throw zstdError('it ends too early')
  return end
}

function contentSize(view: DataView, at: number, bytes: number): number {
  if (bytes === 1) return view.getUint8(at)
  if (bytes === 2) return view.getUint16(at, true) + 256
  if (bytes === 4) return view.getUint32(at, true)
  return Number(view.getBigUint64(at, true))
}
