import type { BigIntStats, Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { closeSync, constants, fstatSync, open, openSync, readSync } from './fenced-fs.ts'
import { FileRefused } from './file-refused.ts'
import { type Problem, type Result, err, messageOf, ok } from '../../../engine/result.ts'

// A workspace, a folder of transcripts or an argument may name any kind of file. A named pipe would block a thread
// until data arrives, and a device may never end. Every such file is opened here.

/** Bytes that a text of a workspace or of the state folder may have. No such file is that long. */
export const TEXT_BYTES = 64_000_000
/** Files that grow with use: labels, verdicts, indexes. One text must be able to hold them. */
export const LONG_TEXT_BYTES = 256_000_000

// O_NONBLOCK: opening a named pipe does not block. O_NOCTTY: a terminal does not become the controlling one. Systems
// without these flags (Windows) have no such files in folders.
const FLAGS = constants.O_RDONLY | optional('O_NONBLOCK') | optional('O_NOCTTY')

function optional(flag: 'O_NONBLOCK' | 'O_NOCTTY'): number {
  const value: unknown = constants[flag]
  return typeof value === 'number' ? value : 0
}

/** User-facing reason why a file has no text. */
export function cannotRead(error: unknown, where: string): Problem {
  if (error instanceof FileRefused) return { what: error.message, where, do: error.advice }
  return { what: `cannot be read (${messageOf(error)})`, where, do: 'Check the file' }
}

const REGULAR = 'Put a regular file in its place'

type Kind = Pick<Stats, 'isDirectory' | 'isFIFO' | 'isSocket' | 'isFile'>

const KINDS: ReadonlyArray<readonly [(info: Kind) => boolean, string, string]> = [
  [(info) => info.isDirectory(), 'EISDIR', 'this is a folder, not a file'],
  [(info) => info.isFIFO(), 'ENOTREG', 'this is a named pipe, not a file'],
  [(info) => info.isSocket(), 'ENOTREG', 'this is a socket, not a file'],
  [(info) => !info.isFile(), 'ENOTREG', 'this is a device, not a file'],
]

function refuseOther(info: Kind): void {
  const other = KINDS.find(([is]) => is(info))
  if (other !== undefined) throw new FileRefused(other[1], other[2], REGULAR)
}

function refuseLarge(bytes: number, most: number): void {
  if (bytes <= most) return
  const limit = most < 10_000_000 ? `${most} bytes` : `${Math.floor(most / 1_000_000)} MB`
  const what = `the file has more than the ${limit} that are read of such a file`
  throw new FileRefused('EFBIG', what, 'Make it smaller, or name another file')
}

/** Opening a socket fails with ENXIO, or with EOPNOTSUPP on macOS. */
function refusedBySystem(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code !== 'ENXIO' && code !== 'EOPNOTSUPP') return error
  return new FileRefused('ENOTREG', 'this is a socket or a device, not a file', REGULAR)
}

/** Opens a regular file for reading, also through a link. Throws immediately for any other kind. */
export async function openRegular(path: string): Promise<FileHandle> {
  return (await openKnown(path)).file
}

/** An open file, with its `stat` data at the time of opening. */
export interface KnownFile {
  readonly file: FileHandle
  readonly info: BigIntStats
}

/** The same as `openRegular`, with the file's `stat` data. */
export async function openKnown(path: string): Promise<KnownFile> {
  const file = await open(path, FLAGS).catch((error: unknown) => {
    throw refusedBySystem(error)
  })
  try {
    const info = await file.stat({ bigint: true })
    refuseOther(info)
    return { file, info }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The same, as a descriptor that the caller closes. */
export function openRegularSync(path: string): number {
  let file: number
  try {
    file = openSync(path, FLAGS)
  } catch (error) {
    throw refusedBySystem(error)
  }
  try {
    refuseOther(fstatSync(file))
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Room for the next bytes: the size is only a hint, for a file may grow, and those of /proc say 0. */
function roomFor(size: number, read: number): Buffer {
  return Buffer.allocUnsafe(Math.max(4096, Math.min(size - read + 1, 1 << 24)))
}

/** All bytes of a regular file of at most `most` bytes. */
export async function readBytes(path: string, most: number = TEXT_BYTES): Promise<Buffer> {
  const file = await openRegular(path)
  try {
    const { size } = await file.stat()
    refuseLarge(size, most)
    const parts: Buffer[] = []
    for (let read = 0; ;) {
      const room = roomFor(size, read)
      const { bytesRead } = await file.read(room, 0, room.length, null)
      if (bytesRead === 0) return Buffer.concat(parts)
      parts.push(room.subarray(0, bytesRead))
      read += bytesRead
      refuseLarge(read, most)
    }
  } finally {
    await file.close()
  }
}

/** The same, for what must not wait. */
export function readBytesSync(path: string, most: number = TEXT_BYTES): Buffer {
  const file = openRegularSync(path)
  try {
    return readDescriptor(file, most)
  } finally {
    closeSync(file)
  }
}

/** The first bytes of a regular file, at most `most`. */
export function readHeadSync(path: string, most: number): Buffer {
  const file = openRegularSync(path)
  try {
    const head = Buffer.alloc(most)
    return head.subarray(0, readSync(file, head, 0, most, 0))
  } finally {
    closeSync(file)
  }
}

/** Reads any open descriptor, because standard input may be a pipe. */
export function readDescriptor(file: number, most: number = TEXT_BYTES): Buffer {
  const { size } = fstatSync(file)
  refuseLarge(size, most)
  const parts: Buffer[] = []
  for (let read = 0; ;) {
    const room = roomFor(size, read)
    const count = readSync(file, room, 0, room.length, null)
    if (count === 0) return Buffer.concat(parts)
    parts.push(room.subarray(0, count))
    read += count
    refuseLarge(read, most)
  }
}

export async function readText(path: string, most: number = TEXT_BYTES): Promise<string> {
  return (await readBytes(path, most)).toString('utf8')
}

export function readTextSync(path: string, most: number = TEXT_BYTES): string {
  return readBytesSync(path, most).toString('utf8')
}

export function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** A text that need not be there: null. One that is there and cannot be read is a problem, not nothing. */
export async function textIfThere(
  path: string,
  where: string = path,
  most: number = TEXT_BYTES,
): Promise<Result<string> | null> {
  try {
    return ok(await readText(path, most))
  } catch (error) {
    return isMissing(error) ? null : err(cannotRead(error, where))
  }
}
