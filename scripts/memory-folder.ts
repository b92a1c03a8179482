import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** Where Linux keeps files in memory. */
const SHARED_MEMORY = '/dev/shm'
/** What the tests write at once, twenty times over: containers often have a hundredth of it. */
const ROOM_BYTES = 4 * 1024 ** 3

/**
 * A folder in memory for what tests write and throw away, with what removes it; null where there is no room.
 * Tests of saving wait for the disk at every call: on a disk they take four times as long.
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
