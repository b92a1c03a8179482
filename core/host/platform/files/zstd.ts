import * as zlib from 'node:zlib'

/** [I208] Why zstd cannot be unpacked here, with what to use; null if it can. */
export function zstdLack(
  isHere = typeof zlib.zstdDecompressSync === 'function',
  version = process.versions.node,
): string | null {
  return isHere
    ? null
    : `packed with zstd, which Node ${version} cannot unpack: use Node 22.15 or newer`
}
