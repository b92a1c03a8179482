import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { StoredUpload } from '../../../wire/uploads.ts'
import { hashOfFile, hashSoFar } from '../../platform/files/content-hash.ts'
import { contentKey } from '../../workspace/content-labels.ts'
import { mkdir, rm, stat, statfs } from '../../platform/files/fenced-fs.ts'
import { refuseOutwardLink } from '../../platform/files/outward-link.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import { createQueue } from '../../platform/threads/shared-work.ts'
import {
  goneUpload,
  MAX_STORED_BYTES,
  onDisk,
  refuseHuge,
  refuseWithoutRoom,
} from './upload-faults.ts'
import { createUploadRecords, shownUpload, type UploadRecord } from './upload-records.ts'
import {
  type Spool,
  append,
  dropTarget,
  inTurn,
  openSpool,
  renewed,
  storedSpool,
} from './upload-spool.ts'

interface Taken {
  readonly name: string
  readonly path: string
  /** Content key that its labels are stored under (T86). */
  readonly labelsAs: string
}

interface Received {
  readonly received: number
  /** The id to continue with: of the stored upload with the same content, once all bytes are there. */
  readonly upload: string
}

/**
 * [I96] Uploaded files, stored in the workspace until the user removes them, so that a worker reads them as it reads
 * any file and a link opens them after a restart. Equal content is stored once.
 */
export interface Uploads {
  begin(name: string, bytes: number): Promise<string>
  /** Appends base64 data. Chunks arrive in the order of the calls. */
  chunk(id: string, data: string): Promise<Received>
  /**
   * [I99] The file now has `bytes` bytes. Returns the offset at which the following bytes begin: `from` if exactly so
   * many bytes are stored, else 0. For 0, the stored content stays until its replacement is complete.
   */
  renew(id: string, bytes: number, from: number): Promise<number>
  /** Hands a complete upload over; it cannot be removed until `release`. */
  take(id: string): Promise<Taken>
  /** A session that read it has closed. */
  release(id: string): Promise<void>
  /** Stored uploads, the last used first. */
  list(): Promise<readonly StoredUpload[]>
  /** Removes a stored upload; its labels stay. @param id of the upload, or the first digits (at least 8) of its hash */
  remove(id: string): Promise<StoredUpload>
  /** Drops incomplete uploads; stored ones stay. */
  close(): Promise<void>
}

interface UploadsOptions {
  /** Copies labels of one content to another one (T86). Answers false if that one has different labels. */
  readonly carryLabels?: (from: string, to: string) => Promise<boolean>
  /** Epoch milliseconds. */
  readonly clock?: () => number
  /** Bytes that all stored uploads may have. */
  readonly most?: number
  /** Free bytes of the disk with a folder. */
  readonly freeBytes?: (folder: string) => Promise<number>
}

/** Hash digits that name an upload without doubt. */
const LEAST_DIGITS = 8

/** Stores uploads in `<folder>/uploads` (see `UploadRecords`). */
export function createUploads(folder: string, options: UploadsOptions = {}): Uploads {
  const { carryLabels = () => Promise.resolve(true), clock = () => Date.now() } = options
  const { most = MAX_STORED_BYTES, freeBytes = freeBytesOf } = options
  const all = join(folder, 'uploads')
  const partial = join(all, `.part-${process.pid}-${randomBytes(4).toString('hex')}`)
  const records = createUploadRecords(all)
  const spools = new Map<string, Spool>()
  /** Ids of uploads whose content was stored already, with the id of the stored one. */
  const same = new Map<string, string>()
  // Of two uploads of one content, the second to complete finds the first.
  const adopting = createQueue()
  let swept: Promise<void> | null = null

  const wholeId = (id: string) => same.get(id) ?? id

  async function find(id: string): Promise<Spool> {
    const known = spools.get(id)
    // Another process may have removed it.
    if (known !== undefined && (!known.isWhole || (await isThere(known.path)))) return known
    spools.delete(id)
    const record = await records.read(id)
    const path = records.path(id)
    if (record === null || !(await isThere(path))) throw goneUpload(id)
    refuseOutwardLink(folder, path)
    const spool = spools.get(id) ?? storedSpool({ ...record, path })
    spools.set(id, spool)
    return spool
  }

  async function discard(spool: Spool): Promise<void> {
    spools.delete(spool.id)
    await dropTarget(spool.target)
    await rm(spool.path, { force: true })
  }

  async function makeRoom(name: string, bytes: number): Promise<void> {
    const onItsWay = [...spools.values()].filter(({ isWhole }) => !isWhole)
    const stored = [...(await records.list()), ...onItsWay.map(({ target }) => target)]
    const sum = stored.reduce((total, one) => total + one.bytes, 0)
    refuseWithoutRoom(name, bytes, { stored: sum, free: await freeBytes(all), most })
  }

  /** All bytes are there: stores the upload, or its new content. Answers its id from now on. */
  async function complete(spool: Spool): Promise<string> {
    const { id, name, target } = spool
    const hash = hashSoFar(target.hash ?? (await hashOfFile(target.path)))
    const { bytes } = target
    const before = await records.read(id)
    if (before !== null) {
      await records.write({ ...before, bytes, hash, usedAt: clock() })
      return id
    }
    return adopting(async () => {
      const there = await records.withContent(name, hash, bytes)
      if (there !== null) {
        await discard(spool)
        same.set(id, there.id)
        return there.id
      }
      const labels = contentKey(hash, bytes)
      const record = { version: 1, id, name, bytes, hash, labels, usedAt: clock() } as const
      await records.adopt(spool.path, record)
      spool.path = records.path(id)
      spool.target = { ...target, path: spool.path, file: null }
      return id
    })
  }

  /** [T86] Copies labels of grown content to its present key, as long as no session uses them. */
  async function carried(record: UploadRecord): Promise<UploadRecord> {
    const labels = contentKey(record.hash, record.bytes)
    if (labels === record.labels) return record
    try {
      if (!(await carryLabels(record.labels, labels))) return record
      const now = { ...record, labels }
      await records.write(now)
      return now
    } catch {
      // The disk refuses, so the labels stay at their old key.
      return record
    }
  }

  async function isFree(id: string): Promise<boolean> {
    const spool = spools.get(id)
    await spool?.tail
    return (spool?.users ?? 0) === 0
  }

  return {
    begin: async (name, bytes) => {
      refuseHuge(name, bytes)
      return onDisk(all, async () => {
        refuseOutwardLink(folder, partial)
        await mkdir(partial, { recursive: true, mode: 0o700 })
        await (swept ??= records.sweep())
        await makeRoom(name, bytes)
        const id = randomBytes(12).toString('base64url')
        const spool = await openSpool({ id, name, path: join(partial, id), bytes })
        spools.set(id, spool)
        if (bytes > 0) return id
        await append(spool, Buffer.alloc(0))
        return complete(spool)
      })
    },
    chunk: async (given, data) => {
      const id = wholeId(given)
      const spool = await find(id)
      try {
        return await onDisk(all, () =>
          inTurn(spool, async () => {
            const isComplete = await append(spool, Buffer.from(data, 'base64'))
            const { received } = spool.target
            return { received, upload: isComplete ? await complete(spool) : id }
          }),
        )
      } catch (error) {
        // Content that was complete stays: the window sends the rest again.
        if (!spool.isWhole) await discard(spool)
        throw error
      }
    },
    renew: async (given, bytes, from) => {
      const spool = await find(wholeId(given))
      refuseHuge(spool.name, bytes)
      return onDisk(all, () =>
        inTurn(spool, async () => {
          refuseOutwardLink(folder, spool.path)
          await makeRoom(spool.name, Math.max(0, bytes - spool.target.received))
          const answer = await renewed(spool, bytes, from)
          if (answer.isComplete) await complete(spool)
          return answer.from
        }),
      )
    },
    take: async (given) => {
      const spool = await find(wholeId(given))
      await spool.tail
      const { received, bytes } = spool.target
      if (!spool.isWhole && received < bytes) {
        await discard(spool)
        throw refusal({
          what: `only ${received} of ${bytes} bytes arrived`,
          where: spool.name,
          do: 'Drop the file again',
        })
      }
      return inTurn(spool, async () => {
        const record = await records.read(spool.id)
        if (record === null) throw goneUpload(spool.id)
        const { name, labels } = spool.users === 0 ? await carried(record) : record
        spool.users += 1
        // When it was used last is worth nothing on a disk that cannot be written.
        await records.write({ ...record, labels, usedAt: clock() }).catch(() => undefined)
        return { name, path: spool.path, labelsAs: labels }
      })
    },
    release: async (given) => {
      const spool = spools.get(wholeId(given))
      if (spool === undefined) return
      await inTurn(spool, async () => {
        spool.users -= 1
        const record = spool.users === 0 ? await records.read(spool.id) : null
        if (record !== null) await carried(record)
      })
    },
    list: async () => (await records.list()).map(shownUpload),
    remove: async (given) => {
      const byHash = given.length >= LEAST_DIGITS && /^[0-9a-f]+$/u.test(given)
      const wanted = wholeId(given)
      const found = (await records.list()).filter(
        ({ id, hash }) => id === wanted || (byHash && hash.startsWith(given)),
      )
      const [record, another] = found
      if (record === undefined) throw goneUpload(given)
      if (another !== undefined) {
        throw refusal({
          what: `${found.length} uploads have a hash that begins so`,
          where: given,
          do: 'Give more digits of the hash',
        })
      }
      if (!(await isFree(record.id))) {
        throw refusal({
          what: 'a window has this upload open',
          where: record.name,
          do: 'Open another file there, then remove it',
        })
      }
      await onDisk(all, async () => {
        refuseOutwardLink(folder, records.path(record.id))
        await carried(record)
        await records.remove(record.id)
      })
      spools.delete(record.id)
      return shownUpload(record)
    },
    close: async () => {
      for (const spool of spools.values()) {
        await spool.tail
        const { target, path } = spool
        // An incomplete replacement or append: the stored content stays.
        if (target.path === path) await target.file?.close().catch(() => undefined)
        else await dropTarget(target)
      }
      await rm(partial, { recursive: true, force: true })
    },
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() === true
}

async function freeBytesOf(folder: string): Promise<number> {
  const info = await statfs(folder).catch(() => null)
  return info === null ? Infinity : info.bavail * info.bsize
}
