import { createHash } from 'node:crypto'
import { openRegular } from './regular-file.ts'

/** Bytes that are hashed between two other pieces of work. */
const PIECE_BYTES = 1 << 20

/** A running SHA-256. */
export type RunningHash = ReturnType<typeof createHash>

export const startHash = (): RunningHash => createHash('sha256')

/** The hash of the bytes so far, in hex; the running hash continues. */
export const hashSoFar = (running: RunningHash): string => running.copy().digest('hex')

/**
 * SHA-256 of a file, read in pieces. Rejects with the system's error.
 * @param bytes hashes only so many bytes; left out: all
 */
export async function hashOfFile(path: string, bytes = Infinity): Promise<RunningHash> {
  const running = startHash()
  const file = await openRegular(path)
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES)
    for (let left = bytes; left > 0;) {
      const { bytesRead } = await file.read(piece, 0, Math.min(left, piece.length), null)
      if (bytesRead === 0) break
      running.update(piece.subarray(0, bytesRead))
      left -= bytesRead
    }
  } finally {
    await file.close()
  }
  return running
}
