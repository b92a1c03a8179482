import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm, stat } from './fenced-fs.ts'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { z } from 'zod'
import { messageOf } from '../../../engine/result.ts'
import { RpcError } from '../../../wire/rpc.ts'
import { jsonAs } from '../json.ts'
import { refusal } from '../threads/refusal.ts'
import { fileBehind, isAlive, isMissing } from './atomic-file.ts'

const Holder = z.object({ pid: z.int().min(1), host: z.string(), token: z.string() })

/** Maximum time that a writer waits for another one, in milliseconds. */
const PATIENCE_MS = 10_000
/** Writing takes milliseconds: a lock of this age was left behind, wherever its process is. */
const ABANDONED_MS = 60_000

/**
 * [F16] Reads and writes a file while no other process does: a lock file beside it, made as the only
 * one, holds process and machine. The lock of a process that is gone is taken over.
 */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  patience = PATIENCE_MS,
): Promise<T> {
  const lock = `${await fileBehind(path)}.lock`
  await mkdir(dirname(lock), { recursive: true })
  const held = JSON.stringify({ pid: process.pid, host: hostname(), token: randomUUID() })
  const until = performance.now() + patience
  while (!(await take(lock, held))) {
    if (await removeAbandoned(lock)) continue
    if (performance.now() > until) {
      const what = 'another process is writing this file; nothing was written'
      throw refusal({ what, where: path, do: `Try again; if nothing runs, delete ${lock}` })
    }
    // Waiters of one moment do not ask again at one moment.
    await after(5 + Math.random() * 20)
  }
  try {
    return await work()
  } finally {
    await release(lock, held)
  }
}

/** A disk that fails once may be well the next time. */
const RELEASES = 3
/** Locks of this process that could not be removed. No code runs under them anymore. */
const released = new Set<string>()

/** The write is complete, even if the lock cannot be removed. */
async function release(lock: string, held: string): Promise<void> {
  for (let left = RELEASES; left > 0; left -= 1) {
    try {
      // The new lock owner has a different token.
      if ((await textOf(lock)) === held) await rm(lock, { force: true })
      return
    } catch {
      // The next writer of this process takes it away, another one when this process is gone.
    }
  }
  released.add(held)
}

/** [F20] The same, with system errors as user-facing messages. */
export async function saveAlone<T>(
  path: string,
  advice: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await withLock(path, work)
  } catch (error) {
    if (error instanceof RpcError) throw error
    throw refusal({
      what: `it could not be written (${messageOf(error)})`,
      where: path,
      do: advice,
    })
  }
}

async function take(lock: string, held: string): Promise<boolean> {
  const file = await open(lock, 'wx', 0o644).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return null
    throw error
  })
  if (file === null) return false
  try {
    try {
      await file.writeFile(held)
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    // It is ours, half written or not: others would wait for it.
    await rm(lock, { force: true }).catch(() => released.add(held))
    throw error
  }
}

const textOf = (path: string) =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })

/** Returns true if an immediate retry makes sense. */
async function removeAbandoned(lock: string): Promise<boolean> {
  const text = await textOf(lock)
  const info = await stat(lock).catch(() => null)
  if (text === null || info === null) return true
  const holder = jsonAs(Holder, text)
  const isGone = holder !== null && holder.host === hostname() && !isAlive(holder.pid)
  if (!isGone && !released.has(text) && Date.now() - info.mtimeMs < ABANDONED_MS) return false
  // Two waiters may get here at the same time. The second one may then remove the lock of the first.
  const aside = `${lock}.${randomUUID()}`
  try {
    await rename(lock, aside)
    if ((await textOf(aside)) !== text) await link(aside, lock)
    else released.delete(text)
  } catch (error) {
    if (!isMissing(error)) throw error
  } finally {
    await rm(aside, { force: true })
  }
  return true
}
