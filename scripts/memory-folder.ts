import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** Folder in which Linux keeps files in memory. */
const SHARED_MEMORY = '/dev/shm'
/**
 * Free space required: twenty times the amount that the tests write at a time. Containers often have a hundredth of it.
 */
const ROOM_BYTES = 4 * 1024 ** 3

/**
 * A folder in memory for temporary files of tests, with a function that removes it. Null if no such memory is available
 * or if it has not enough space. Tests of saving wait for the disk at every call, so they take four times as long on a
 * disk.
 */
export function memoryFolder(at: string = SHARED_MEMORY) {
  try {
    const { bavail, bsize } = statfsSync(at)
    if (bavail * bsize < ROOM_BYTES) return null
    const path = mkdtempSync(join(at, 'turnscope-check-'))
    return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
  } catch {
    // Not Linux, or not for us to write.
    return null
  }
}
