import { Buffer } from 'buffer'
import {
  type VolumeFile,
  VolumeError,
  fileAt,
  isFolder,
  namesIn,
  normal,
  putFile,
  readInto,
  removeAt,
  statOf,
  statsFor,
  writeInto,
} from './volume.ts'

// `node:fs` over the page's own files, limited to the functions that the host uses.

export const constants = {
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  O_CREAT: 64,
  O_EXCL: 128,
  O_TRUNC: 512,
  O_APPEND: 1024,
  F_OK: 0,
  R_OK: 4,
  W_OK: 2,
} as const

interface Opened {
  readonly file: VolumeFile
  readonly path: string
  position: number
}

const open = new Map<number, Opened>()
let next = 3

/** Meaning of the letters of a mode, as defined by `node:fs`. */
const MODES: Readonly<Record<string, number>> = {
  r: constants.O_RDONLY,
  'r+': constants.O_RDWR,
  w: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
  'w+': constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC,
  wx: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
  'wx+': constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
  a: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
  'a+': constants.O_RDWR | constants.O_CREAT | constants.O_APPEND,
}

/** Opens a file or a folder. Flags are numbers (`O_CREAT`) or modes (`wx`). */
export function openFile(path: string, flags: number | string = 'r'): Opened {
  const bits = typeof flags === 'string' ? (MODES[flags] ?? constants.O_RDONLY) : flags
  const has = (flag: number) => (bits & flag) !== 0
  if (isFolder(path))
    return { file: { bytes: new Uint8Array(), modifiedMs: 0, ino: 0 }, path, position: 0 }
  const there = fileAt(path)
  if (there !== undefined && has(constants.O_EXCL)) throw new VolumeError('EEXIST', 'open', path)
  if (there === undefined && !has(constants.O_CREAT)) throw new VolumeError('ENOENT', 'open', path)
  const isNew = there === undefined || has(constants.O_TRUNC)
  const file = isNew ? putFile(path, Buffer.alloc(0)) : there
  return { file, path, position: has(constants.O_APPEND) ? file.bytes.length : 0 }
}

/** A descriptor for an opened file, until `closeSync`. */
export function describe(file: Opened): number {
  const fd = next++
  open.set(fd, file)
  return fd
}

function opened(fd: number): Opened {
  const found = open.get(fd)
  if (found === undefined) throw new VolumeError('EBADF', 'read', String(fd))
  return found
}

export function openSync(path: string, flags?: number | string): number {
  return describe(openFile(path, flags))
}
export const closeSync = (fd: number): void => void open.delete(fd)
export function fstatSync(fd: number) {
  const { file, path } = opened(fd)
  return statsFor(isFolder(path) ? undefined : file)
}
/** Offset in the buffer, length, and position in the file; null for the descriptor's current position. */
type Span = readonly [offset?: number, length?: number, position?: number | null]

export function readSync(fd: number, target: Uint8Array, ...span: Span): number {
  const [offset = 0, length = target.length - offset, position = null] = span
  const from = opened(fd)
  const count = readInto(from.file, target, { offset, length, position: position ?? from.position })
  if (position === null) from.position += count
  return count
}

export function writeSync(fd: number, bytes: Uint8Array, ...span: Span): number {
  const [offset = 0, length = bytes.length - offset, position = null] = span
  const to = opened(fd)
  writeInto(to.file, bytes.subarray(offset, offset + length), position ?? to.position)
  if (position === null) to.position += length
  return length
}

export function ftruncateSync(fd: number, length = 0): void {
  const { file } = opened(fd)
  file.bytes = file.bytes.slice(0, length)
}
export const fdatasyncSync = (): void => undefined

/** A page has no links. */
export function readlinkSync(path: string): never {
  throw new VolumeError(statOf(path) === undefined ? 'ENOENT' : 'EINVAL', 'readlink', path)
}

export const existsSync = (path: string): boolean => statOf(path) !== undefined
export function statSync(path: string, options?: { readonly throwIfNoEntry?: boolean }) {
  const found = statOf(path)
  if (found === undefined && options?.throwIfNoEntry !== false) {
    throw new VolumeError('ENOENT', 'stat', path)
  }
  return found
}
export const lstatSync = (path: string) => statSync(path)
export function realpathSync(path: string): string {
  if (statOf(path) === undefined) throw new VolumeError('ENOENT', 'realpath', path)
  return normal(path)
}
export const unlinkSync = (path: string): void => void removeAt(path)

interface Entry {
  readonly name: string
  readonly parentPath: string
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}
export function readdirSync(path: string): string[]
export function readdirSync(path: string, options: { readonly withFileTypes: true }): Entry[]
export function readdirSync(path: string, options?: { readonly withFileTypes?: boolean }) {
  const names = namesIn(path)
  if (options?.withFileTypes !== true) return [...names]
  return names.map((name): Entry => {
    const folder = isFolder(`${path}/${name}`)
    return {
      name,
      parentPath: path,
      isFile: () => !folder,
      isDirectory: () => folder,
      isSymbolicLink: () => false,
    }
  })
}

/** Nothing changes behind the page's back. */
export const watch = () => ({ close: () => undefined, on: () => undefined, unref: () => undefined })

/** A page starts no threads that would write files (F24), so no caller needs these functions. */
const unasked = (): never => {
  throw new Error('an exported page has no folders of its own')
}
export const mkdtempSync = unasked
export const rmdirSync = unasked
export const rmSync = unasked
