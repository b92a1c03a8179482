import { gunzipSync } from 'node:zlib'
import { byteRange, byteSize, type ByteInput } from '../platform/files/byte-input.ts'
import { FileRefused } from '../platform/files/file-refused.ts'
import { unpackZstd } from '../platform/files/zstd.ts'

/** [I213] Bytes that a packed transcript may have, packed and unpacked: it is unpacked into memory. */
const MOST_PACKED = 128_000_000
const MOST_UNPACKED = 512_000_000

interface Packing {
  readonly name: string
  /** First bytes of such a file. */
  readonly magic: readonly number[]
  readonly unpack: (bytes: Uint8Array, most: number) => Uint8Array
}

const PACKINGS: readonly Packing[] = [
  {
    name: 'gzip',
    magic: [0x1f, 0x8b, 8],
    unpack: (bytes, most) => gunzipSync(bytes, { maxOutputLength: most }),
  },
  { name: 'zstd', magic: [0x28, 0xb5, 0x2f, 0xfd], unpack: unpackZstd },
]

/** The name without the ending of the packing, by which formats know their files. */
export function unpackedName(name: string): string {
  return name.replace(/\.(?:gz|gzip|zst|zstd)$/iu, '')
}

/**
 * [I213] The contents of a file that is packed as a whole (`.jsonl.gz`, `.jsonl.zst`), by its first bytes; null for every
 * other file. Rejects with a `FileRefused` if it is damaged or too large.
 */
export async function unpackFile(
  input: ByteInput,
  start: Uint8Array,
  most = MOST_UNPACKED,
): Promise<Uint8Array | null> {
  const packing = PACKINGS.find(({ magic }) => magic.every((byte, at) => start[at] === byte))
  if (packing === undefined) return null
  const size = await byteSize(input)
  if (size > MOST_PACKED) throw tooLarge(packing, `it is larger than ${megabytes(MOST_PACKED)}`)
  const bytes = await byteRange(input, 0, size)
  try {
    return packing.unpack(bytes, most)
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge(packing, `unpacked it is larger than ${megabytes(most)}`)
    const why = error instanceof Error ? error.message : 'its bytes are invalid'
    throw new FileRefused(
      'EPACKED',
      `it is packed with ${packing.name} and damaged: ${why}`,
      'Pack it again, or get the file once more',
    )
  }
}

const tooLarge = ({ name }: Packing, why: string): FileRefused =>
  new FileRefused(
    'EPACKED',
    `it is packed with ${name}, and ${why}`,
    'Unpack it and open the unpacked file',
  )

function isTooLarge(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'ERR_BUFFER_TOO_LARGE' || error.message.startsWith('unpacked it is larger')
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`
