import { Buffer } from 'buffer'
import { closeSync, describe, openFile, readdirSync, realpathSync, statSync } from './fs.ts'
import {
  VolumeError,
  fileAt,
  isFolder,
  makeFolder,
  moveTo,
  putFile,
  readInto,
  removeAt,
  statOf,
  statsFor,
  writeInto,
} from './volume.ts'

// `node:fs/promises` over the page's own files, limited to the functions that the host uses.

/** Resolves in a separate microtask, like the system's calls. */
const soon = async <T>(work: () => T): Promise<T> => {
  await Promise.resolve()
  return work()
}

const bytesOf = (data: string | Uint8Array) => (typeof data === 'string' ? Buffer.from(data) : data)

function handleOf(path: string, flags?: number | string) {
  const at = openFile(path, flags)
  const fd = describe(at)
  const write = (data: string | Uint8Array) => {
    const bytes = bytesOf(data)
    writeInto(at.file, bytes, at.position)
    at.position += bytes.length
    return { bytesWritten: bytes.length }
  }
  return {
    fd,
    stat: () => soon(() => statsFor(isFolder(path) ? undefined : at.file)),
    read: (
      target: Uint8Array,
      offset = 0,
      length = target.length,
      position: number | null = null,
    ) =>
      soon(() => {
        const bytesRead = readInto(at.file, target, {
          offset,
          length,
          position: position ?? at.position,
        })
        if (position === null) at.position += bytesRead
        return { bytesRead, buffer: target }
      }),
    readFile: (encoding?: string) =>
      soon(() => (encoding === undefined ? Buffer.from(at.file.bytes) : textOf(at.file.bytes))),
    writeFile: (data: string | Uint8Array) => soon(() => void write(data)),
    write: (data: string | Uint8Array) => soon(() => write(data)),
    sync: nothing,
    datasync: nothing,
    chmod: nothing,
    chown: nothing,
    close: () => soon(() => closeSync(fd)),
  }
}

const nothing = () => Promise.resolve()
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')

export const open = (path: string, flags?: number | string) => soon(() => handleOf(path, flags))
export const stat = (path: string) => soon(() => statSync(path))
export const lstat = (path: string) => stat(path)
export const realpath = (path: string) => soon(() => realpathSync(path))
export const readdir = (path: string, options: { readonly withFileTypes: true }) =>
  soon(() => readdirSync(path, options))
export const readlink = (path: string) =>
  soon(() => {
    throw new VolumeError(statOf(path) === undefined ? 'ENOENT' : 'EINVAL', 'readlink', path)
  })
export const access = (path: string) => soon(() => void statSync(path))
export const readFile = (path: string, encoding?: string) =>
  soon(() => {
    const file = fileAt(path)
    if (file === undefined) throw new VolumeError('ENOENT', 'open', path)
    return encoding === undefined ? Buffer.from(file.bytes) : textOf(file.bytes)
  })
export const writeFile = (path: string, data: string | Uint8Array) =>
  soon(() => void putFile(path, bytesOf(data)))
export const appendFile = (path: string, data: string | Uint8Array) =>
  soon(() => {
    const before = fileAt(path)
    if (before === undefined) putFile(path, bytesOf(data))
    else writeInto(before, bytesOf(data), before.bytes.length)
  })
export const mkdir = (path: string) => soon(() => makeFolder(path))
export const rename = (from: string, to: string) => soon(() => moveTo(from, to))
export const link = (from: string, to: string) =>
  soon(() => {
    const file = fileAt(from)
    if (file === undefined) throw new VolumeError('ENOENT', 'link', from)
    putFile(to, file.bytes)
  })
/** The memory of a page has no known end. */
export const statfs = () => soon(() => ({ bavail: Number.MAX_SAFE_INTEGER, bsize: 1 }))
export const chmod = nothing
export const rm = (path: string, options?: { readonly force?: boolean }) =>
  soon(() => {
    if (!removeAt(path) && options?.force !== true) throw new VolumeError('ENOENT', 'rm', path)
  })
