import { createHash } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

const SUM_BYTES = 32
/** A fifth smaller than deflate of the same speed: the numbers of an automaton repeat far apart. */
const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 5,
  [constants.BROTLI_PARAM_LGWIN]: 22,
} as const

const LEAST_PIECE = 64 * 1024
/** Automata become four to five times as large. */
const EXPANDS = 6

const sumOf = (body: Uint8Array): Buffer => createHash('sha256').update(body).digest()

/** [C14] Content of a file: a checksum and the compressed content. */
export function checkedBytes(content: Uint8Array): Uint8Array {
  const params = { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  const body = brotliCompressSync(content, { params })
  return Buffer.concat([sumOf(body), body])
}

/** The content of such a file; null if it is damaged. `most`: maximum bytes, unpacked. */
export function checkedContent(bytes: Uint8Array, most: number): Uint8Array | null {
  const body = bytes.subarray(SUM_BYTES)
  if (!sumOf(body).equals(bytes.subarray(0, SUM_BYTES))) return null
  try {
    // In one piece if it fits: joining hundreds of small pieces doubles the time.
    const chunkSize = Math.min(most, LEAST_PIECE + body.length * EXPANDS)
    return brotliDecompressSync(body, { maxOutputLength: most, chunkSize })
  } catch {
    // The checksum is right, so another program wrote this file.
    return null
  }
}
