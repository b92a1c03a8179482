import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from '../files/fenced-fs.ts'
import { join } from 'node:path'
import { refusal } from '../shared/refusal.ts'
import { type Spool, append, dropTarget, inTurn, openSpool, renewed } from './upload-spool.ts'
import { isAlive } from '../shared/processes.ts'

/** Largest file that can be dropped into a window, in bytes. */
export const MAX_UPLOAD_BYTES = 2 * 1024 ** 3

interface Spooled {
  readonly name: string
  readonly path: string
}

/** Uploads that are kept; more are pushed out, but none that a session is made of. */
const MOST_KEPT = 32
const MOST_KEPT_BYTES = 4 * 1024 ** 3

/**
 * Dropped files: spooled to disk, so that a worker reads them as it reads any file. [I96] They live as long
 * as the host, whichever window brought them, so that a reload of the page opens them again by their id.
 */
export interface Uploads {
  begin(name: string, bytes: number): Promise<string>
  /** Appends base64 data; returns the bytes received so far. Chunks arrive in the order of the calls. */
  chunk(id: string, data: string): Promise<number>
  /**
   * [I99] The file has `bytes` bytes now: what follows begins at the answer. That is `from` where exactly so
   * much is here, else 0: then what was here stays until all of the other one is.
   */
  renew(id: string, bytes: number, from: number): Promise<number>
  /** Hands a complete upload over; it stays on disk at least until `release`. */
  take(id: string): Promise<Spooled>
  /** A session that was made of it has closed. */
  release(id: string): Promise<void>
  close(): Promise<void>
}

/** The files themselves, the one that was used last at the end. */
function createSpools() {
  const spools = new Map<string, Spool>()

  async function discard(id: string): Promise<void> {
    const spool = spools.get(id)
    if (!spool) return
    spools.delete(id)
    await spool.tail.catch(() => undefined)
    await dropTarget(spool.target)
    await rm(spool.path, { force: true })
  }

  function find(id: string): Spool {
    const spool = spools.get(id)
    if (spool) return spool
    throw refusal({
      what: 'this host does not have the dropped file any more',
      where: id,
      do: 'Drop the file again, or open it by its path',
    })
  }

  /** [I96] The oldest that nobody looks at go first. */
  async function makeRoom(): Promise<void> {
    const kept = [...spools]
    let [count, bytes] = [
      kept.length,
      kept.reduce((sum, [, spool]) => sum + spool.target.received, 0),
    ]
    for (const [id, spool] of kept) {
      if (count <= MOST_KEPT && bytes <= MOST_KEPT_BYTES) return
      if (spool.users > 0) continue
      count -= 1
      bytes -= spool.target.received
      await discard(id)
    }
  }

  return { spools, discard, find, makeRoom }
}

/**
 * Spools into `<folder>/uploads/<process>-<random>`, one file an upload, readable by this user only.
 * What a process that is gone left behind is removed on the first upload.
 */
export function createUploads(folder: string): Uploads {
  const { spools, discard, find, makeRoom } = createSpools()
  const all = join(folder, 'uploads')
  const base = join(all, `${process.pid}-${randomBytes(4).toString('hex')}`)
  let swept: Promise<void> | null = null

  return {
    begin: async (name, bytes) => {
      refuseHuge(name, bytes)
      await (swept ??= removeLeftovers(all))
      await makeRoom()
      await mkdir(base, { recursive: true, mode: 0o700 })
      const id = randomBytes(12).toString('base64url')
      spools.set(id, await openSpool(join(base, id), { name, bytes }))
      return id
    },
    chunk: async (id, data) => {
      const spool = find(id)
      try {
        return await inTurn(spool, () => append(spool, Buffer.from(data, 'base64')))
      } catch (error) {
        // What was whole stays: the window sends it again, from where it likes.
        if (!spool.isWhole) await discard(id)
        throw error
      }
    },
    renew: async (id, bytes, from) => {
      const spool = find(id)
      refuseHuge(spool.name, bytes)
      return inTurn(spool, () => renewed(spool, bytes, from))
    },
    take: async (id) => {
      const spool = find(id)
      await spool.tail
      const { received, bytes } = spool.target
      if (!spool.isWhole && received < bytes) {
        await discard(id)
        throw refusal({
          what: `only ${received} of ${bytes} bytes arrived`,
          where: spool.name,
          do: 'Drop the file again',
        })
      }
      spool.users += 1
      return { name: spool.name, path: spool.path }
    },
    release: async (id) => {
      const spool = spools.get(id)
      if (spool === undefined) return
      spool.users -= 1
      // The last one that was looked at is the youngest.
      spools.delete(id)
      spools.set(id, spool)
      await makeRoom()
    },
    close: async () => {
      await Promise.all([...spools.keys()].map(discard))
      await rm(base, { recursive: true, force: true })
    },
  }
}

function refuseHuge(name: string, bytes: number): void {
  if (bytes <= MAX_UPLOAD_BYTES) return
  throw refusal({
    what: `${Math.round(bytes / 1024 ** 2)} MiB is more than an upload may have (2 GiB)`,
    where: name,
    do: 'Open it by its path on the machine where Turnscope runs',
  })
}

async function removeLeftovers(all: string): Promise<void> {
  const folders = await readdir(all).catch(() => [])
  const isUsed = (pid: number) => Number.isInteger(pid) && isAlive(pid)
  const dead = folders.filter((folder) => !isUsed(Number.parseInt(folder, 10)))
  await Promise.all(dead.map((folder) => rm(join(all, folder), { recursive: true, force: true })))
}
