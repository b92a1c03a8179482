import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import type { Entry } from 'yauzl'
import type { Members } from '../../engine/import/source.ts'
import { err, ok, type Problem, type Result } from '../../engine/result.ts'
import { readDirectory } from './archive-directory.ts'
import { zstdStream } from '../platform/files/zstd.ts'
import { byteRange, type ByteInput } from '../platform/files/byte-input.ts'

/** [I39] Resource limits of an archive. Bytes; `ratio` is unpacked to packed. */
export interface ArchiveLimits {
  readonly entries: number
  readonly memberBytes: number
  readonly totalBytes: number
  readonly ratio: number
  /** The ratio counts from so many unpacked bytes on: small members may be very regular. */
  readonly ratioFrom: number
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  entries: 250_000,
  // A little less than what fits into one text.
  memberBytes: 500_000_000,
  totalBytes: 8_000_000_000,
  ratio: 200,
  ratioFrom: 16_000_000,
}

const STORED = 0
const ZSTD = 93
/** Zip method numbers to decompressors, given the bytes that the archive declares. */
const METHODS: Readonly<Record<number, (most: number) => NodeJS.ReadWriteStream>> = {
  8: () => createInflateRaw(),
  [ZSTD]: (most) => zstdStream(most),
}

const ENCRYPTED = 0x1
const SYMLINK = 0o120000
const FILE_TYPE = 0o170000
const UNIX = 3

/** A zip file begins with `PK` and a record type: a member, or the end of an empty archive. */
function isArchive(start: Uint8Array): boolean {
  if (start[0] !== 0x50 || start[1] !== 0x4b) return false
  return (start[2] === 3 && start[3] === 4) || (start[2] === 5 && start[3] === 6)
}

/**
 * [I39] The members of a zip file; null if the bytes at its start are not a zip file. `left` names members that cannot
 * be used. `refusal` states why the whole archive cannot be used. Nothing is unpacked to disk. Members are unpacked one
 * at a time, on request.
 */
export async function openMembers(
  input: ByteInput,
  start: Uint8Array,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): Promise<Members | null> {
  if (!isArchive(start)) return null
  const directory = await readDirectory(input, limits.entries)
  if (!directory.ok) return refused(directory.error)
  const entries = new Map<string, Entry>()
  const left: Array<{ readonly name: string; readonly why: string }> = []
  for (const { name, entry } of directory.value) {
    const why = unusable(name, entry, limits)
    if (why !== null) left.push({ name, why })
    else if (!name.endsWith('/')) {
      if (entries.has(name)) left.push({ name, why: 'a later member has the same name' })
      entries.set(name, entry)
    }
  }
  const refusal = ofAll(entries, left, limits)
  if (refusal !== null) return { ...refused(refusal), left }
  const names = [...entries.keys()]
  const bytes = (name: string): number => entries.get(name)?.uncompressedSize ?? 0
  return { names, left, refusal: null, text: unpacker(input, entries, limits), bytes }
}

function refused(refusal: Problem): Members {
  const text = () => Promise.resolve(err(refusal))
  return { names: [], left: [], refusal, text, bytes: () => 0 }
}

/** Why a member is left out, or null. */
function unusable(name: string, entry: Entry, limits: ArchiveLimits): string | null {
  const unsafe = unsafeName(name)
  if (unsafe !== null) return unsafe
  if (isSymlink(entry)) return 'it is a symbolic link'
  if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0) return 'it is encrypted'
  const method = entry.compressionMethod
  if (method !== STORED && METHODS[method] === undefined)
    return `its compression method (${method}) is not one of stored, deflate (8) and zstd (93)`
  return sizeProblem(entry.uncompressedSize, entry.compressedSize, limits)
}

function unsafeName(name: string): string | null {
  if (name === '' || name.includes('\0')) return 'its name is not a file name'
  if (name.includes('\\')) return 'its name has a backslash'
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'its name is an absolute path'
  return name.split('/').includes('..') ? 'its name leads out of the archive' : null
}

function isSymlink(entry: Entry): boolean {
  const mode = entry.externalFileAttributes >>> 16
  return entry.versionMadeBy >>> 8 === UNIX && (mode & FILE_TYPE) === SYMLINK
}

function sizeProblem(unpacked: number, packed: number, limits: ArchiveLimits): string | null {
  if (unpacked > limits.memberBytes)
    return `unpacked it is larger than ${megabytes(limits.memberBytes)}`
  if (unpacked > limits.ratioFrom && unpacked > packed * limits.ratio)
    return `it unpacks to more than ${limits.ratio} times its size, as a zip bomb does`
  return null
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1_000_000)} MB`
}

/** Why the archive as a whole cannot be used, or null. */
function ofAll(
  entries: ReadonlyMap<string, Entry>,
  left: Members['left'],
  limits: ArchiveLimits,
): Problem | null {
  const first = left[0]
  if (entries.size === 0) {
    const why =
      first === undefined ? '' : `: ${left.length} left out, the first because ${first.why}`
    return problem(
      `the archive has no member that can be read${why}`,
      first?.name ?? 'its directory',
    )
  }
  let total = 0
  let end = 0
  let before = ''
  const places = [...entries].map(([name, entry]) => {
    return { name, entry, at: entry.relativeOffsetOfLocalHeader }
  })
  for (const { name, entry, at } of places.toSorted((a, b) => a.at - b.at)) {
    total += entry.uncompressedSize
    if (at < end)
      return problem('two members share the same bytes, as in a zip bomb', `${before}, ${name}`)
    end = at + entry.compressedSize
    before = name
  }
  if (total <= limits.totalBytes) return null
  return problem(`unpacked it is larger than ${megabytes(limits.totalBytes)}`, 'all members')
}

function problem(what: string, where: string): Problem {
  return { what, where, do: 'Unpack it with a program you trust, and open what is inside' }
}

/** Costs the member that it is about, not the archive. */
class MemberError extends Error {}

function unpacker(
  input: ByteInput,
  entries: ReadonlyMap<string, Entry>,
  limits: ArchiveLimits,
): (name: string) => Promise<Result<string>> {
  return async (name) => {
    try {
      const entry = entries.get(name)
      if (entry === undefined) throw new MemberError('there is no such member')
      return ok(await unpack(input, entry, limits))
    } catch (error) {
      if (error instanceof MemberError) return err(problem(error.message, name))
      if (isPackingError(error))
        return err(problem(`its packed bytes are damaged (${error.message})`, name))
      throw error
    }
  }
}

/** Sizes are checked against the directory during unpacking, not afterwards. */
async function unpack(input: ByteInput, entry: Entry, limits: ArchiveLimits): Promise<string> {
  const from = await dataStart(input, entry)
  const chunks: Buffer[] = []
  let size = 0
  let sum = 0
  const collect = async (source: AsyncIterable<Buffer | string>): Promise<void> => {
    for await (const part of source) {
      const chunk = typeof part === 'string' ? Buffer.from(part) : part
      size += chunk.length
      if (size > entry.uncompressedSize) throw new MemberError('it is larger than it says')
      const why = sizeProblem(size, entry.compressedSize, limits)
      if (why !== null) throw new MemberError(why)
      sum = crc32(chunk, sum)
      chunks.push(chunk)
    }
  }
  const packed = chunksOf(input, from, from + entry.compressedSize)
  const method = METHODS[entry.compressionMethod]
  if (method === undefined) await collect(packed)
  else await pipeline(packed, method(entry.uncompressedSize), collect)
  if (size < entry.uncompressedSize) throw new MemberError('it ends too early')
  if (sum !== entry.crc32) throw new MemberError('its checksum is wrong')
  return Buffer.concat(chunks).toString('utf8')
}

/** Errors of node:zlib have codes like `Z_DATA_ERROR` and `ZSTD_error_…`. */
function isPackingError(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error)) return false
  return typeof error.code === 'string' && /^(Z_|ZSTD|ERR_)/.test(error.code)
}

const LOCAL_HEADER = 30

/** Offset of a member's packed bytes: after its local header, whose name and extra field vary. */
async function dataStart(input: ByteInput, entry: Entry): Promise<number> {
  const at = entry.relativeOffsetOfLocalHeader
  const header = await byteRange(input, at, LOCAL_HEADER)
  if (header.length < LOCAL_HEADER || header.readUInt32LE(0) !== 0x04034b50)
    throw new MemberError('the archive has no member where its directory says')
  return at + LOCAL_HEADER + header.readUInt16LE(26) + header.readUInt16LE(28)
}

const CHUNK = 1 << 20

async function* chunksOf(input: ByteInput, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to; at += CHUNK) {
    const chunk = await byteRange(input, at, Math.min(CHUNK, to - at))
    if (chunk.length > 0) yield chunk
    else return
  }
}
