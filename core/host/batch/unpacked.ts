import { type Transform, pipeline } from 'node:stream'
import * as zlib from 'node:zlib'
import { openRegular } from '../platform/files/regular-file.ts'

const CHUNK = 4 * 1024 * 1024

/** What unpacks files by the ends of their names; Node 20 has nothing for Zstandard. */
const UNPACKERS: ReadonlyArray<readonly [RegExp, (() => Transform) | null]> = [
  [/\.gz$/iu, () => zlib.createGunzip({ chunkSize: CHUNK })],
  [
    /\.zst$/iu,
    'createZstdDecompress' in zlib ? () => zlib.createZstdDecompress({ chunkSize: CHUNK }) : null,
  ],
]

const unpackerOf = (path: string) => UNPACKERS.find(([ending]) => ending.test(path))

/** Whether this Node can unpack such a file, or need not. */
export function canUnpack(path: string): boolean {
  return unpackerOf(path)?.[1] !== null
}

/** [F134] What a regular file holds, unpacked, a few megabytes at a time. Throws where it is damaged. */
export async function* unpackedChunks(path: string): AsyncGenerator<Buffer, void, undefined> {
  const file = await openRegular(path)
  try {
    const unpack = unpackerOf(path)?.[1]
    const stream = file.createReadStream({ highWaterMark: CHUNK, autoClose: false })
    if (!unpack) yield* stream
    else {
      const unpacked = unpack()
      // Whoever reads on is told what is wrong.
      pipeline(stream, unpacked, () => undefined)
      yield* unpacked
    }
  } finally {
    await file.close()
  }
}
