import { basename, join } from 'node:path'
import { copyFile, stat, writeFile } from '../platform/files/fenced-fs.ts'
import { byteRange, byteSize, type ByteInput } from '../platform/files/byte-input.ts'
import { FileRefused } from '../platform/files/file-refused.ts'

/** Copies that are tried while a program writes the database. */
const ATTEMPTS = 3

/** Copies one file. Tests use others. */
export type CopyFile = (from: string, to: string) => Promise<void>

/**
 * [I205] Copies a database, its log and its journal into a folder of ours; the path of the copy. The files are of the
 * same moment: a database that changes meanwhile is copied again, and refused after the third time.
 */
export async function copyOf(
  input: ByteInput,
  folder: string,
  copy: CopyFile = copyFile,
): Promise<string> {
  try {
    if (input instanceof Uint8Array) {
      const path = join(folder, 'database')
      await writeFile(path, input)
      return path
    }
    return await copyOfFile(typeof input === 'string' ? input : input.path, folder, copy)
  } catch (error) {
    if (!isFull(error)) throw error
    throw new FileRefused(
      'ESQLITE',
      `no room in the temporary folder for a copy of ${Math.ceil((await byteSize(input)) / 1_000_000)} MB`,
      'Make room there, or let TMPDIR name a folder with room, and open the database again',
    )
  }
}

/** Files beside a database that belong to it while it is written: its write-ahead log, or how to undo a transaction. */
const BESIDE = ['-wal', '-journal'] as const
/** Bytes of the head of such a file; the head changes when the file is restarted. */
const HEAD_BYTES = 32

async function copyOfFile(path: string, folder: string, copy: CopyFile): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // A name for each: a log of an earlier attempt must not stay beside a later copy.
    const to = join(folder, `${attempt}-${basename(path)}`)
    const before = await stateOf(path)
    await copy(path, to)
    for (const [index, end] of BESIDE.entries())
      if (before.beside[index] !== null) await copyBeside(`${path}${end}`, `${to}${end}`, copy)
    const after = await stateOf(path)
    if (
      after.main === before.main &&
      before.beside.every((one, at) => isSame(one, after.beside[at]))
    )
      return to
  }
  throw new FileRefused(
    'ESQLITE',
    'this SQLite database changed each time while it was copied',
    'Close the program that writes it, and open the database again',
  )
}

/** One that vanished meanwhile shows in the state afterwards. */
async function copyBeside(from: string, to: string, copy: CopyFile): Promise<void> {
  try {
    await copy(from, to)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

interface State {
  readonly main: string
  readonly beside: ReadonlyArray<Beside | null>
}

interface Beside {
  readonly file: bigint
  readonly size: bigint
  readonly head: string
}

/** What shows that a database was written meanwhile. */
async function stateOf(path: string): Promise<State> {
  const main = await stat(path, { bigint: true })
  const beside = await Promise.all(BESIDE.map((end) => besideOf(`${path}${end}`)))
  return { main: `${main.ino} ${main.size} ${main.mtimeNs}`, beside }
}

async function besideOf(path: string): Promise<Beside | null> {
  try {
    const head = (await byteRange(path, 0, HEAD_BYTES)).toString('hex')
    const { ino, size } = await stat(path, { bigint: true })
    return { file: ino, size, head }
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** One that only grew is whole up to its last commit: SQLite checks each frame and stops at an unfinished one. */
function isSame(before: Beside | null, after: Beside | null = null): boolean {
  if (before === null || after === null) return before === after
  return before.file === after.file && before.head === after.head && after.size >= before.size
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function isFull(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ENOSPC' || error.code === 'EDQUOT')
  )
}
