import { join } from 'node:path'
import { z } from 'zod'
import type { StoredUpload } from '../../../wire/uploads.ts'
import { writeFileAtomic } from '../../platform/files/atomic-file.ts'
import { hashOfFile } from '../../platform/files/content-hash.ts'
import { isContentKey } from '../../workspace/content-labels.ts'
import { mkdir, readdir, rename, rm, stat } from '../../platform/files/fenced-fs.ts'
import { readText } from '../../platform/files/regular-file.ts'
import { jsonAs } from '../../platform/json.ts'
import { isAlive } from '../../platform/threads/processes.ts'

const UploadFile = z.object({
  version: z.literal(1),
  name: z.string().min(1).max(400),
  bytes: z.int().min(0),
  hash: z.string().regex(/^[0-9a-f]{64}$/u),
  /** Content key that its labels are stored under while it grows (T86). */
  labels: z.string().refine(isContentKey),
  usedAt: z.number(),
})

/** Stored data of an upload, next to its content. */
export type UploadRecord = Readonly<z.infer<typeof UploadFile>> & { readonly id: string }

const CONTENT = 'content'
const RECORD = 'upload.json'
const ID = /^[\w-]{16}$/u
/** Folder of uploads that a process has not received completely; older versions wrote it without the dot. */
const PARTIAL = /^(?:\.part-)?(?<pid>\d{1,10})-[0-9a-f]{8}$/u
/** A folder without a record is being filled, unless it is older than this. */
const ABANDONED_MS = 3_600_000

/** [I96] Stored uploads: `<all>/ID/content` and `<all>/ID/upload.json`, readable by this user only. */
interface UploadRecords {
  /** The content of an upload. */
  path(id: string): string
  read(id: string): Promise<UploadRecord | null>
  /** All of them, the last used first. */
  list(): Promise<readonly UploadRecord[]>
  write(record: UploadRecord): Promise<void>
  /** Moves a complete file into place and stores its record. */
  adopt(from: string, record: UploadRecord): Promise<void>
  /** A stored upload with this name and content, read again to be sure. */
  withContent(name: string, hash: string, bytes: number): Promise<UploadRecord | null>
  remove(id: string): Promise<void>
  /** Removes what processes that have ended left incomplete. */
  sweep(): Promise<void>
}

export function createUploadRecords(all: string): UploadRecords {
  const at = (id: string, file: string) => join(all, id, file)

  async function read(id: string): Promise<UploadRecord | null> {
    if (!ID.test(id)) return null
    const text = await readText(at(id, RECORD)).catch(() => null)
    const record = text === null ? null : jsonAs(UploadFile, text)
    return record === null ? null : { ...record, id }
  }

  async function list(): Promise<readonly UploadRecord[]> {
    const names = await readdir(all).catch(() => [])
    const found: UploadRecord[] = []
    for (const name of names) {
      const record = await read(name)
      if (record !== null) found.push(record)
    }
    return found.toSorted((a, b) => b.usedAt - a.usedAt)
  }

  const write = ({ id, ...record }: UploadRecord) =>
    writeFileAtomic(at(id, RECORD), JSON.stringify(record), { isPrivate: true })

  async function isAbandoned(name: string): Promise<boolean> {
    const pid = PARTIAL.exec(name)?.groups?.['pid']
    if (pid !== undefined && (name.startsWith('.') || (await read(name)) === null))
      return !isAlive(Number(pid))
    if (!ID.test(name) || (await stat(at(name, RECORD)).catch(() => null)) !== null) return false
    const info = await stat(join(all, name)).catch(() => null)
    return info !== null && Date.now() - info.mtimeMs > ABANDONED_MS
  }

  return {
    path: (id) => at(id, CONTENT),
    read,
    list,
    write,
    adopt: async (from, record) => {
      await mkdir(join(all, record.id), { recursive: true, mode: 0o700 })
      await rename(from, at(record.id, CONTENT))
      await write(record)
    },
    withContent: async (name, hash, bytes) => {
      for (const record of await list()) {
        if (record.name !== name || record.hash !== hash || record.bytes !== bytes) continue
        const path = at(record.id, CONTENT)
        if ((await stat(path).catch(() => null))?.size !== bytes) continue
        const now = await hashOfFile(path).catch(() => null)
        if (now?.digest('hex') === hash) return record
      }
      return null
    },
    remove: (id) => rm(join(all, id), { recursive: true, force: true }),
    sweep: async () => {
      for (const name of await readdir(all).catch(() => [])) {
        if (await isAbandoned(name)) await rm(join(all, name), { recursive: true, force: true })
      }
    },
  }
}

/** A record as windows and the command line show it. */
export function shownUpload({ id, name, bytes, hash, usedAt }: UploadRecord): StoredUpload {
  return { upload: id, name, bytes, hash, usedAt }
}
