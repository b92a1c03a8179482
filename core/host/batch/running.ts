import { rm, writeFile } from '../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { isAlive } from '../platform/files/atomic-file.ts'
import { readText } from '../platform/files/regular-file.ts'
import { refusal } from '../platform/threads/refusal.ts'
import type { BatchFolders } from './folders.ts'

/**
 * [F116] One batch fills a folder at a time. The mark of a process that is gone is taken over. `withLock` would not do:
 * it is for writes of milliseconds, and takes over what is a minute old.
 */
export async function takeFolder({ work, out }: BatchFolders): Promise<() => Promise<void>> {
  const mark = join(work, 'running')
  for (let attempt = 0; attempt < 2; attempt += 1) {
    // `wx`: only where there is none.
    const isOurs = await writeFile(mark, String(process.pid), { flag: 'wx' }).then(
      () => true,
      () => false,
    )
    if (isOurs) return () => rm(mark, { force: true })
    const pid = Number(await readText(mark).catch(() => ''))
    if (pid > 0 && pid !== process.pid && isAlive(pid)) break
    await rm(mark, { force: true })
  }
  throw refusal({
    what: 'another process is filling this folder',
    where: out,
    do: 'Wait for it, or choose another --out',
  })
}
