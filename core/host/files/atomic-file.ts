import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** A file that is being written; it takes its place at the end or never. */
export interface AtomicFile {
  /** Returns the bytes written. */
  write(data: string | Uint8Array): Promise<number>
  /** Puts the file in its place, durably. */
  commit(): Promise<void>
  /** Leaves no trace. */
  discard(): Promise<void>
}

/** Begins a temporary file beside `path`. A crash at any moment leaves the old or the new one. */
export async function openAtomic(path: string): Promise<AtomicFile> {
  const folder = dirname(path)
  // A name of its own per write: two writers never share a temporary file, the last rename wins.
  const temporary = join(folder, `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  const file = await open(temporary, 'wx', 0o600)
  let isOpen = true
  const close = async () => {
    if (isOpen) await file.close()
    isOpen = false
  }
  return {
    write: async (data) => {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data
      await file.writeFile(bytes)
      return bytes.length
    },
    commit: async () => {
      await file.sync()
      await close()
      await rename(temporary, path)
      await syncFolder(folder)
    },
    discard: async () => {
      await close()
      await rm(temporary, { force: true })
    },
  }
}

/** Writes a whole file, atomically. The folder is made when it is missing. */
export async function writeFileAtomic(path: string, data: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const file = await openAtomic(path)
  try {
    await file.write(data)
    await file.commit()
  } catch (error) {
    await file.discard()
    throw error
  }
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
