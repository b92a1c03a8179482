import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from '../files/atomic-file.ts'
import { refusal } from '../shared/refusal.ts'
import type { BatchFolders } from './folders.ts'

/** [F116] One batch fills a folder at a time. The mark of a process that is gone is taken over. */
export async function takeFolder({ work, out }: BatchFolders): Promise<() => Promise<void>> {
  const mark = join(work, 'running')
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const file = await open(mark, 'wx').catch(() => null)
    if (file !== null) {
      await file.writeFile(String(process.pid)).finally(() => file.close())
      return () => rm(mark, { force: true })
    }
    const pid = Number(await readFile(mark, 'utf8').catch(() => ''))
    if (pid > 0 && pid !== process.pid && isAlive(pid)) break
    await rm(mark, { force: true })
  }
  throw refusal({
    what: 'another process is filling this folder',
    where: out,
    do: 'Wait for it, or choose another --out',
  })
}
