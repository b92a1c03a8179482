import { open } from 'node:fs/promises'

/** Bytes in memory, or the path of a file. */
export type ByteInput = Uint8Array | string

/** Even, so that a UTF-16 unit never straddles two chunks. */
const CHUNK = 1 << 20

/** All bytes in order, in chunks of 1 MiB (the last one shorter). Gives the event loop a turn between chunks. */
export async function* byteChunks(input: ByteInput): AsyncGenerator<Buffer> {
  if (typeof input !== 'string') {
    const all = Buffer.from(input.buffer, input.byteOffset, input.byteLength)
    for (let at = 0; at < all.length; at += CHUNK) {
      yield all.subarray(at, at + CHUNK)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return
  }
  const file = await open(input, 'r')
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

type File = Awaited<ReturnType<typeof open>>

/** Reads until the buffer is full or the file ends: a short read must not split a UTF-16 unit. */
async function fill(file: File, buffer: Buffer, position: number | null = null): Promise<number> {
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
  if (typeof input !== 'string') return input.byteLength
  const file = await open(input, 'r')
  try {
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

/** The bytes `[offset, offset + length)`, fewer where the input ends earlier. */
export async function byteRange(input: ByteInput, offset: number, length: number): Promise<Buffer> {
  if (typeof input !== 'string') {
    const end = Math.min(input.byteLength, offset + length)
    const start = Math.min(offset, end)
    return Buffer.from(input.buffer, input.byteOffset + start, end - start)
  }
  const file = await open(input, 'r')
  try {
    const size = (await file.stat()).size
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)))
    return buffer.subarray(0, await fill(file, buffer, offset))
  } finally {
    await file.close()
  }
}
