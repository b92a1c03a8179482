import { mkdir, rm, writeFile } from '../../platform/files/fenced-fs.ts'
import { dirname } from 'node:path'
import { z } from 'zod'
import { type Result, err, ok } from '../../../engine/result.ts'
import { jsonAs } from '../../platform/json.ts'
import { isAlive } from '../../platform/threads/processes.ts'
import { readText } from '../../platform/files/regular-file.ts'

const Holder = z.object({ pid: z.int().min(1), started: z.number() })

/** Epoch milliseconds of this process's start: a number of a process that ended is used again. */
function startedAt(): number {
  return Math.round(Date.now() - process.uptime() * 1000)
}
const SAME_START_MS = 5000

/** Whether the lock was left by a program that ended without removing it. */
function isLeft(text: string): boolean {
  const holder = jsonAs(Holder, text)
  if (holder === null) return true
  if (holder.pid !== process.pid) return !isAlive(holder.pid)
  return Math.abs(holder.started - startedAt()) > SAME_START_MS
}

/**
 * [D43] Only one program at a time writes derived data. Takes the lock next to a folder, or returns a problem that
 * names the current owner. Returns the function that releases it. Throws if the place cannot be written.
 */
export async function lockFolder(folder: string): Promise<Result<() => Promise<void>>> {
  const path = `${folder}.lock`
  await mkdir(dirname(path), { recursive: true })
  const take = async (): Promise<boolean> => {
    try {
      const holder = { pid: process.pid, started: startedAt() }
      await writeFile(path, JSON.stringify(holder), { flag: 'wx' })
      return true
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
      throw error
    }
  }
  if (!(await take())) {
    const text = await readText(path).catch(() => null)
    // An empty file is a lock that another program has just created and not filled yet.
    if (text !== null && text !== '' && isLeft(text)) await rm(path, { force: true })
    if (!(await take())) {
      const advice = 'Wait until it is done; where nothing else runs, delete this file'
      return err({ what: 'another program is indexing this collection', where: path, do: advice })
    }
  }
  return ok(() => rm(path, { force: true }))
}
