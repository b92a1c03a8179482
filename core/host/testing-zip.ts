import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib'

/** A member of a zip file for tests. What is given beside name and data is written although untrue. */
export interface ZipMember {
  readonly name: string
  readonly data: string | Buffer
  /** 0 stored, 8 deflate (the default), 93 zstd; any other number is stored under that number. */
  readonly method?: number
  readonly flags?: number
  readonly crc?: number
  readonly unpackedSize?: number
  /** Unix mode, as in `0o120777`. */
  readonly mode?: number
  /** Points at the bytes of the member with this index instead of bytes of its own. */
  readonly sharesBytesOf?: number
}

/** Writes a zip file, always with zip64 end records when `zip64`. */
export function makeZip(members: readonly ZipMember[], zip64 = false): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  const places: number[] = []
  let at = 0
  for (const member of members) {
    const packed = pack(member)
    const shared = member.sharesBytesOf === undefined ? undefined : places[member.sharesBytesOf]
    const place = shared ?? at
    places.push(place)
    const record = header(member, packed.length)
    if (shared === undefined) {
      const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), record, name(member), packed])
      parts.push(local)
      at += local.length
    }
    directory.push(entry(member, record, place))
  }
  const entries = Buffer.concat(directory)
  return Buffer.concat([...parts, entries, ending(members.length, entries.length, at, zip64)])
}

function pack({ data, method = 8 }: ZipMember): Buffer {
  const bytes = Buffer.from(data)
  if (method === 8) return deflateRawSync(bytes)
  return method === 93 ? zstdCompressSync(bytes) : bytes
}

function name(member: ZipMember): Buffer {
  return Buffer.from(member.name, 'utf8')
}

/** The 26 bytes that local header and directory entry share. */
function header(member: ZipMember, packedSize: number): Buffer {
  const bytes = Buffer.alloc(26)
  const data = Buffer.from(member.data)
  bytes.writeUInt16LE(20, 0)
  bytes.writeUInt16LE((member.flags ?? 0) | 0x800, 2)
  bytes.writeUInt16LE(member.method ?? 8, 4)
  bytes.writeUInt32LE(0x5a21_0000, 6)
  bytes.writeUInt32LE(member.crc ?? crc32(data), 10)
  bytes.writeUInt32LE(packedSize, 14)
  bytes.writeUInt32LE(member.unpackedSize ?? data.length, 18)
  bytes.writeUInt16LE(name(member).length, 22)
  return bytes
}

function entry(member: ZipMember, record: Buffer, place: number): Buffer {
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(((member.mode ?? 0o100644) << 16) >>> 0, 6)
  rest.writeUInt32LE(place, 10)
  const madeByUnix = Buffer.from([0x50, 0x4b, 1, 2, 20, 3])
  return Buffer.concat([madeByUnix, record, rest, name(member)])
}

function ending(count: number, size: number, at: number, zip64: boolean): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Math.min(count, 0xffff), 8)
  end.writeUInt16LE(Math.min(count, 0xffff), 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(zip64 ? 0xffff_ffff : at, 16)
  if (!zip64) return end
  const record = Buffer.alloc(56)
  record.write('PK\x06\x06', 'latin1')
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(at), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeBigUInt64LE(BigInt(at + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator, end])
}
