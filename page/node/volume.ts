import { Buffer } from 'buffer'

/** A file of the page's own file system. */
export interface VolumeFile {
  bytes: Uint8Array
  modifiedMs: number
  readonly ino: number
  readonly path?: string
}

/** An error that looks like a system error, because callers read `code`. */
export class VolumeError extends Error {
  readonly code: string
  readonly syscall: string
  readonly path: string

  constructor(code: string, syscall: string, path: string) {
    super(`${code}: ${syscall} '${path}'`)
    this.code = code
    this.syscall = syscall
    this.path = path
  }
}

const files = new Map<string, VolumeFile>()

type Written = (path: string, bytes: Uint8Array | null) => void
let written: Written | null = null
const waiting = new Set<string>()

/** Told of every file that was written or taken away (null), once for all changes of one task. */
export function onWritten(listener: Written): void {
  written = listener
}

function note(path: string): void {
  if (written === null || waiting.size > 0) {
    if (written !== null) waiting.add(path)
    return
  }
  waiting.add(path)
  setTimeout(() => {
    const paths = [...waiting]
    waiting.clear()
    for (const each of paths) written?.(each, files.get(each)?.bytes ?? null)
  }, 0)
}

const folders = new Set<string>(['/'])
let made = 0

/** `/a/../b//c` → `/b/c`. Everything starts at the root: there is no working directory. */
export function normal(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

const parentOf = (path: string) => path.slice(0, Math.max(1, path.lastIndexOf('/')))

/** Every folder above, and the folder itself. */
export function makeFolder(path: string): void {
  for (let at = normal(path); !folders.has(at); at = parentOf(at)) folders.add(at)
}

export const isFolder = (path: string): boolean => folders.has(normal(path))
export const fileAt = (path: string): VolumeFile | undefined => files.get(normal(path))

/** Stores a file and replaces an existing one. */
export function putFile(path: string, bytes: Uint8Array, modifiedMs = Date.now()): VolumeFile {
  const place = normal(path)
  const file = { bytes, modifiedMs, ino: ++made, path: place }
  files.set(place, file)
  note(place)
  makeFolder(parentOf(place))
  return file
}

export function removeAt(path: string): boolean {
  const place = normal(path)
  const below = [...files.keys()].filter((each) => each.startsWith(`${place}/`))
  for (const each of below) files.delete(each)
  for (const each of [...below, place]) note(each)
  for (const each of folders) if (each.startsWith(`${place}/`)) folders.delete(each)
  return folders.delete(place) || files.delete(place) || below.length > 0
}

export function moveTo(from: string, to: string): void {
  const file = fileAt(from)
  if (file === undefined) throw new VolumeError('ENOENT', 'rename', from)
  files.delete(normal(from))
  files.set(normal(to), file)
  note(normal(from))
  note(normal(to))
  makeFolder(parentOf(normal(to)))
}

/** Names directly in a folder. */
export function namesIn(path: string): readonly string[] {
  const place = normal(path)
  if (!folders.has(place)) throw new VolumeError('ENOENT', 'scandir', path)
  const start = place === '/' ? '/' : `${place}/`
  const names = [...files.keys(), ...folders]
    .filter((each) => each.startsWith(start) && each.length > start.length)
    .map((each) => each.slice(start.length).split('/')[0] ?? '')
  return [...new Set(names)].toSorted()
}

/** Result of `stat` for a path; undefined if nothing is there. */
export function statOf(path: string) {
  const file = fileAt(path)
  if (file === undefined && !isFolder(path)) return undefined
  return statsFor(file)
}

export function statsFor(file: VolumeFile | undefined) {
  const modifiedMs = file?.modifiedMs ?? 0
  return {
    size: file?.bytes.length ?? 0,
    ino: file?.ino ?? 0,
    dev: 1,
    uid: 0,
    gid: 0,
    mode: file === undefined ? 0o755 : 0o644,
    nlink: 1,
    mtimeMs: modifiedMs,
    ctimeMs: modifiedMs,
    birthtimeMs: modifiedMs,
    mtime: new Date(modifiedMs),
    ctime: new Date(modifiedMs),
    isFile: () => file !== undefined,
    isDirectory: () => file === undefined,
    isSymbolicLink: no,
    isFIFO: no,
    isSocket: no,
    isBlockDevice: no,
    isCharacterDevice: no,
  }
}

const no = () => false

/** Copies bytes `[position, …)` of a file; answers how many there were. */
export function readInto(
  file: VolumeFile,
  target: Uint8Array,
  { offset, length, position }: { offset: number; length: number; position: number },
): number {
  const part = file.bytes.subarray(position, position + length)
  target.set(part, offset)
  return part.length
}

export function writeInto(file: VolumeFile, bytes: Uint8Array, position: number): void {
  const end = position + bytes.length
  if (end > file.bytes.length) {
    const longer = Buffer.alloc(end)
    longer.set(file.bytes)
    file.bytes = longer
  }
  file.bytes.set(bytes, position)
  file.modifiedMs = Date.now()
  if (file.path !== undefined) note(file.path)
}
