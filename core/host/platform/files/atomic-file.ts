import { randomBytes } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import {
  access,
  constants,
  lstat,
  mkdir,
  open,
  readFile,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
} from './fenced-fs.ts'
import { MACHINE } from '../threads/processes.ts'
import { placeOf } from './fence.ts'
import { dirname, join, resolve } from 'node:path'

/** A file that is being written; it takes its place at the end or never. */
interface AtomicFile {
  /** Returns the bytes written. */
  write(data: string | Uint8Array): Promise<number>
  /** Puts the file in its place, durably. */
  commit(): Promise<void>
  /** Leaves no trace. */
  discard(): Promise<void>
}

interface AtomicOptions {
  /** For keys and records of transcripts: readable by the owner only, and never written through a link. */
  readonly isPrivate?: boolean
}

/**
 * [F13] Opens a temporary file next to `path`. A crash at any moment leaves either the old or the new file. An existing
 * file keeps its mode, and its owner if the system allows that. A link stays a link, and its target is replaced.
 */
export async function openAtomic(
  path: string,
  { isPrivate = false }: AtomicOptions = {},
): Promise<AtomicFile> {
  const target = isPrivate ? path : await fileBehind(path)
  const before = await lstat(target).catch(ifMissing)
  // A rename would put a file in the place of a device or a folder.
  if (before !== null && !before.isFile() && !before.isSymbolicLink()) {
    throw new Error(`${target} is not a file`)
  }
  const folder = dirname(target)
  await removeAbandoned(folder)
  // A separate name per write: two writers never share a temporary file, and the last rename wins.
  const temporary = join(folder, `${OURS}${randomBytes(6).toString('hex')}.tmp`)
  const isNew = before === null || before.isSymbolicLink()
  // If the file exists, no other user may read the new content before the old mode is restored.
  const file = await open(temporary, 'wx', isNew && !isPrivate ? 0o644 : 0o600).catch(
    async (error: unknown) => {
      await rm(temporary, { force: true }).catch(() => undefined)
      throw error
    },
  )
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    // Even a close that fails gives the descriptor back.
    isOpen = false
    await file.close()
  }
  return {
    write: async (data) => {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data
      await file.writeFile(bytes)
      return bytes.length
    },
    commit: async () => {
      if (!isNew) await takeOver(file, before, isPrivate)
      await file.sync()
      await close()
      await rename(temporary, target)
      await syncFolder(folder)
    },
    discard: async () => {
      await close().catch(() => undefined)
      await rm(temporary, { force: true })
    },
  }
}

interface Rights {
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

/** The mode after the owner: a change of owner takes rights away. */
async function takeOver(
  file: FileHandle,
  { mode, uid, gid }: Rights,
  isPrivate: boolean,
): Promise<void> {
  const now = await file.stat()
  if (now.uid !== uid || now.gid !== gid) await file.chown(uid, gid).catch(() => undefined)
  await file.chmod(isPrivate ? 0o600 : mode & 0o777)
}

/** Links that lead to links, before it is a circle. */
const MOST_LINKS = 40

/** The file that a path means; it need not be there. [F200] Rejects if the path leads out of its fence. */
export async function fileBehind(path: string, left = MOST_LINKS): Promise<string> {
  const place = placeOf(path)
  if (place !== null) return place.path
  const link = await readlink(path).catch((error: unknown) => {
    // A path that is not a link is a file. Any other error may hide a link, which a rename would replace.
    if (['EINVAL', 'UNKNOWN'].includes(String(codeOf(error)))) return null
    return ifMissing(error)
  })
  if (link === null) return path
  if (left === 0) throw new Error(`${path} leads in a circle`)
  return fileBehind(resolve(await realpath(dirname(path)), link), left - 1)
}

/** Prefix of the names of this process’s temporary files. */
const OURS = `.turnscope-${MACHINE}-${process.pid}-`
const TEMPORARY = /^\.turnscope-(?<host>[0-9a-f]{8})-(?<pid>\d{1,10})-[0-9a-f]{12}\.tmp$/u
const ABANDONED_MS = 60_000

/** [F14] Removes temporary files of writers that were killed: ours, of this machine, not just made. */
async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const { host, pid } = TEMPORARY.exec(name)?.groups ?? {}
    if (host !== MACHINE || isAlive(Number(pid))) continue
    const path = join(folder, name)
    const info = await lstat(path).catch(() => null)
    if (info?.isFile() !== true || Date.now() - info.mtimeMs < ABANDONED_MS) continue
    await rm(path, { force: true }).catch(() => undefined)
  }
}

/** Whether a process is running. A process of another user, which may not be signalled, counts as running. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** Writes a whole file, atomically. The folder is made when it is missing. */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: AtomicOptions = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const file = await openAtomic(path, options)
  try {
    await file.write(data)
    await file.commit()
  } catch (error) {
    // Reports the first error. A leftover file is removed by a later write (F14).
    await file.discard().catch(() => undefined)
    throw error
  }
}

const { O_APPEND, O_CREAT, O_RDWR, O_NONBLOCK } = constants

/** Place of an addition in a file, in bytes: from the size before it to the size after it. */
export interface Added {
  readonly from: number
  readonly to: number
}

/**
 * Appends a line to a private file of ours. An earlier torn line stays a separate line. If a full disk accepts only
 * part of the line, that part is removed (`takeBack`). [I60] A pipe or a device in place of the file is refused
 * immediately.
 * @param isSynced whether the line also survives a power failure, not only a process crash
 */
export async function appendLine(path: string, line: string, isSynced = true): Promise<Added> {
  // Windows has no O_NONBLOCK (it counts as 0), and no pipes in folders.
  const file = await open(path, O_APPEND | O_CREAT | O_RDWR | O_NONBLOCK, 0o600)
  try {
    const info = await file.stat()
    // As the system says it of a folder.
    if (!info.isFile())
      throw Object.assign(new Error(`${path} is not a file`), { code: 'EISDIR', path })
    const last = Buffer.alloc(1, '\n')
    if (info.size > 0) await file.read(last, 0, 1, info.size - 1)
    const added = await writeAll(
      file,
      info.size,
      `${last.toString() === '\n' ? '' : '\n'}${line}\n`,
    )
    if (isSynced) await file.sync()
    return added
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, from: number, text: string): Promise<Added> {
  const bytes = Buffer.from(text)
  let written = 0
  try {
    while (written < bytes.length)
      written += (await file.write(bytes.subarray(written))).bytesWritten
  } catch (error) {
    // Reports the first error. At worst a torn line remains, which readers skip.
    await cutBack(file, { from, to: from + written }).catch(() => undefined)
    throw error
  }
  return { from, to: from + bytes.length }
}

/**
 * Removes the line that `appendLine` added last, if it is still the end of the file. Lines that another process added
 * in the meantime are never touched.
 */
export async function takeBack(path: string, added: Added): Promise<void> {
  const file = await open(path, O_RDWR | O_NONBLOCK)
  try {
    await cutBack(file, added)
  } finally {
    await file.close()
  }
}

async function cutBack(file: FileHandle, { from, to }: Added): Promise<void> {
  if (to > from && (await file.stat()).size === to) await file.truncate(from)
}

const UTF8_MARK = '\uFEFF'

/**
 * [F13] Saves an edited text with the line ends and the byte order mark of the existing file. Returns the written text.
 * Refuses a file in UTF-16: all files are read as UTF-8 here, so the edited text was never its real text.
 */
export async function saveText(path: string, text: string): Promise<string> {
  const written = as(await bytesBefore(path), text)
  await writeFileAtomic(path, written)
  return written
}

async function bytesBefore(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    if (isMissing(error)) return Buffer.alloc(0)
    throw error
  }
}

function as(before: Buffer, text: string): string {
  const mark = before.subarray(0, 2).toString('hex')
  if (mark === 'fffe' || mark === 'feff') {
    throw new Error('the file is in UTF-16; save it as UTF-8 with another program first')
  }
  const old = before.toString('utf8')
  const isMarked = old.startsWith(UTF8_MARK) && !text.startsWith(UTF8_MARK)
  // A file with both kinds of line ends has no consistent style, so the text is written as given.
  const isCrlf = old.includes('\r\n') && !/(?<!\r)\n/u.test(old)
  return (isMarked ? UTF8_MARK : '') + (isCrlf ? text.replaceAll(/\r?\n/gu, '\r\n') : text)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}

function ifMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}

/** Whether an error says that a file is not there, which is not the same as that it cannot be read. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** Whether a file or folder that is there may be written. */
export async function mayWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  )
}

/** Makes the rename itself durable. Windows cannot open folders, and loses nothing by that. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch {
    // The data is on disk; only the order of two renames after a power cut is left to the system.
  }
}
