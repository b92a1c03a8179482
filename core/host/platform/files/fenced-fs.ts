import * as fs from 'node:fs'
import * as promises from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { inside, isOutside, openInside, openInsideSync } from './fence.ts'

// [F200] The functions of node:fs that host and commands use, each with the check of fence.ts. A lint rule keeps the
// originals out of their files.

type Call = (path: string, ...rest: never[]) => unknown
type AsyncCall = (path: string, ...rest: never[]) => Promise<unknown>
type Last = Parameters<typeof inside>[1]

/** A function of one path. A cast, because wrapped functions keep their overloads. */
function fenced<F extends Call>(call: F, last: Last = 'followed'): F {
  return ((path: string, ...rest: never[]) => call(inside(path, last), ...rest)) as F
}

function fencedAsync<F extends AsyncCall>(call: F, last: Last = 'followed'): F {
  // Async, so that a refusal rejects.
  return (async (path: string, ...rest: never[]) => call(inside(path, last), ...rest)) as F
}

type Stat = typeof promises.stat
type Lstat = typeof promises.lstat
type Readdir = typeof promises.readdir
type ReaddirSync = typeof fs.readdirSync

export const access = fencedAsync<(path: string, mode?: number) => Promise<void>>(promises.access)
export const stat: Stat = fencedAsync(promises.stat as AsyncCall) as Stat
export const lstat: Lstat = fencedAsync(promises.lstat as AsyncCall, 'kept') as Lstat
export const realpath = fencedAsync<(path: string) => Promise<string>>(promises.realpath)
export const readlink = fencedAsync<(path: string) => Promise<string>>(promises.readlink, 'kept')
export const mkdir = fencedAsync<
  (path: string, options?: fs.MakeDirectoryOptions) => Promise<string | undefined>
>(promises.mkdir)
export const chmod = fencedAsync<(path: string, mode: number) => Promise<void>>(promises.chmod)
export const statfs = fencedAsync<(path: string) => Promise<fs.StatsFs>>(promises.statfs)
export const mkdtemp = fencedAsync<(prefix: string) => Promise<string>>(promises.mkdtemp)
export const rm = fencedAsync<(path: string, options?: fs.RmOptions) => Promise<void>>(
  promises.rm,
  'kept',
)

export const accessSync = fenced<(path: string, mode?: number) => void>(fs.accessSync)
export const statSync = fenced(fs.statSync as Call) as typeof fs.statSync
export const lstatSync = fenced(fs.lstatSync as Call, 'kept') as typeof fs.lstatSync
export const realpathSync = fenced<(path: string) => string>(fs.realpathSync)
export const mkdirSync = fenced<
  (path: string, options?: fs.MakeDirectoryOptions) => string | undefined
>(fs.mkdirSync)
export const mkdtempSync = fenced<(prefix: string) => string>(fs.mkdtempSync)
export const rmSync = fenced<(path: string, options?: fs.RmOptions) => void>(fs.rmSync, 'kept')
export const unlinkSync = fenced<(path: string) => void>(fs.unlinkSync, 'kept')
export const watch = fenced<
  (
    path: string,
    options: fs.WatchOptionsWithStringEncoding,
    listener: fs.WatchListener<string>,
  ) => fs.FSWatcher
>(fs.watch)

/** Names in a folder. Looks at the path again afterwards: a link that took its place in the meantime gains nothing. */
export const readdir = (async (path: string, ...rest: never[]) => {
  const before = inside(path)
  const names: unknown = await (promises.readdir as AsyncCall)(path, ...rest)
  if (inside(path) !== before) throw changed(path)
  return names
}) as Readdir

export const readdirSync = ((path: string, ...rest: never[]) => {
  const before = inside(path)
  const names: unknown = (fs.readdirSync as Call)(path, ...rest)
  if (inside(path) !== before) throw changed(path)
  return names
}) as ReaddirSync

function changed(path: string): Error {
  return Object.assign(new Error(`the folder was replaced while it was read: ${path}`), {
    code: 'EAGAIN',
  })
}

/** False for a path that leads out. */
export function existsSync(path: string): boolean {
  try {
    return fs.existsSync(inside(path))
  } catch (error) {
    if (isOutside(error)) return false
    throw error
  }
}

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = fs.constants
const FLAGS = {
  r: O_RDONLY,
  'r+': O_RDWR,
  w: O_WRONLY | O_CREAT | O_TRUNC,
  'w+': O_RDWR | O_CREAT | O_TRUNC,
  wx: O_WRONLY | O_CREAT | O_EXCL,
  'wx+': O_RDWR | O_CREAT | O_EXCL,
  a: O_WRONLY | O_CREAT | O_APPEND,
} as const
type Flags = keyof typeof FLAGS | number

const bitsOf = (flags: Flags): number => (typeof flags === 'number' ? flags : FLAGS[flags])

export async function open(path: string, flags: Flags = 'r', mode?: number): Promise<FileHandle> {
  return openInside(path, bitsOf(flags), mode)
}

export function openSync(path: string, flags: Flags = 'r', mode?: number): number {
  return openInsideSync(path, bitsOf(flags), mode)
}

interface WriteOptions {
  readonly mode?: number
  readonly flag?: Flags
}

export function readFile(path: string): Promise<Buffer>
export function readFile(path: string, encoding: 'utf8'): Promise<string>
export async function readFile(path: string, encoding?: 'utf8'): Promise<Buffer | string> {
  const file = await open(path)
  try {
    return await file.readFile(encoding ?? null)
  } finally {
    await file.close()
  }
}

export function readFileSync(path: string): Buffer {
  const file = openSync(path)
  try {
    return fs.readFileSync(file)
  } finally {
    fs.closeSync(file)
  }
}

export async function writeFile(
  path: string,
  data: string | Uint8Array,
  { mode, flag = 'w' }: WriteOptions = {},
): Promise<void> {
  const file = await open(path, withoutCut(flag), mode)
  try {
    if (flag === 'w') await file.truncate()
    await file.writeFile(data)
  } finally {
    await file.close()
  }
}

export async function appendFile(
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  await writeFile(path, data, { flag: 'a', ...options })
}

export function writeFileSync(
  path: string,
  data: string | Uint8Array,
  { mode, flag = 'w' }: WriteOptions = {},
): void {
  const file = openSync(path, withoutCut(flag), mode)
  try {
    if (flag === 'w') fs.ftruncateSync(file)
    fs.writeFileSync(file, data)
  } finally {
    fs.closeSync(file)
  }
}

export function appendFileSync(
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): void {
  writeFileSync(path, data, { flag: 'a', ...options })
}

/** Opening must not empty a file before its descriptor is checked. */
function withoutCut(flag: Flags): Flags {
  return flag === 'w' ? O_WRONLY | O_CREAT : flag
}

export async function copyFile(from: string, to: string, mode?: number): Promise<void> {
  await promises.copyFile(inside(from), inside(to), mode)
}

/** Copies files and folders. Links in a copied folder stay links. */
export async function cp(from: string, to: string, options: fs.CopyOptions): Promise<void> {
  await promises.cp(inside(from), inside(to), options)
}

export async function rename(from: string, to: string): Promise<void> {
  await promises.rename(inside(from, 'kept'), inside(to, 'kept'))
}

export async function link(from: string, to: string): Promise<void> {
  await promises.link(inside(from, 'kept'), inside(to, 'kept'))
}

export function renameSync(from: string, to: string): void {
  fs.renameSync(inside(from, 'kept'), inside(to, 'kept'))
}

/** A stream over a file that is open already: opening fails here, and the stream emits no `open`. */
export function createWriteStream(path: string): fs.WriteStream {
  return fs.createWriteStream(path, { fd: openSync(path, 'w') })
}

export {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  readSync,
  writeSync,
} from 'node:fs'

export function symlinkSync(target: string, path: string, type?: fs.symlink.Type): void {
  fs.symlinkSync(inside(target), inside(path, 'kept'), type)
}
