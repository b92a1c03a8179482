import { randomBytes } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { type RunningHash, hashOfFile, startHash } from '../../platform/files/content-hash.ts'
import { open, rename, rm } from '../../platform/files/fenced-fs.ts'
import { refusal } from '../../platform/threads/refusal.ts'

/** A file that bytes are written to. */
interface Target {
  readonly path: string
  /** Null while all announced bytes are there. */
  file: FileHandle | null
  bytes: number
  received: number
  /** Of the bytes so far; null until the first write after a restart. */
  hash: RunningHash | null
}

/** The bytes of one upload on their way to the disk. */
export interface Spool {
  readonly id: string
  readonly name: string
  path: string
  /** The spool itself, or its replacement until that is complete. */
  target: Target
  /** It was complete once: sessions may read it. */
  isWhole: boolean
  /** Sessions that read it. */
  users: number
  tail: Promise<unknown>
}

interface Named {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly bytes: number
}

/** Begins a new upload. */
export async function openSpool({ id, name, path, bytes }: Named): Promise<Spool> {
  const target = await openTarget(path, bytes)
  return { id, name, path, target, isWhole: false, users: 0, tail: Promise.resolve() }
}

/** An upload that is stored already. */
export function storedSpool({ id, name, path, bytes }: Named): Spool {
  const target = { path, file: null, bytes, received: bytes, hash: null }
  return { id, name, path, target, isWhole: true, users: 0, tail: Promise.resolve() }
}

/** Runs the work on one spool in order. A failure does not affect the next one. */
export function inTurn<T>(spool: Spool, act: () => Promise<T>): Promise<T> {
  const next = spool.tail.then(act)
  spool.tail = next.catch(() => undefined)
  return next
}

async function openTarget(path: string, bytes: number): Promise<Target> {
  return { path, file: await open(path, 'wx', 0o600), bytes, received: 0, hash: startHash() }
}

export async function dropTarget({ file, path }: Target): Promise<void> {
  await file?.close().catch(() => undefined)
  await rm(path, { force: true })
}

/** Appends bytes. Returns true when the upload is complete by them. */
export async function append(spool: Spool, data: Buffer): Promise<boolean> {
  const { target } = spool
  if (target.received + data.length > target.bytes) {
    throw refusal({
      what: `more than the announced ${target.bytes} bytes arrived`,
      where: spool.name,
      do: 'Drop the file again; it may have grown while it was read',
    })
  }
  target.hash ??= await hashOfFile(target.path, target.received)
  target.file ??= await reopened(target)
  // `write` may write less on a full disk; `writeFile` continues until all is written or the disk refuses.
  await target.file.writeFile(data)
  target.hash.update(data)
  target.received += data.length
  return settle(spool)
}

/** Opens a stored file at its end. Bytes of an append that did not complete are cut off. */
async function reopened({ path, received }: Target): Promise<FileHandle> {
  const file = await open(path, 'a', 0o600)
  try {
    if ((await file.stat()).size > received) await file.truncate(received)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** [I99] A complete replacement takes the place of the file. */
async function settle(spool: Spool): Promise<boolean> {
  const { target, path } = spool
  if (target.received < target.bytes) return false
  const { file } = target
  target.file = null
  await file?.close()
  if (target.path !== path) {
    await rename(target.path, path)
    spool.target = { ...target, path }
  }
  spool.isWhole = true
  return true
}

interface Renewed {
  /** Offset at which the bytes continue. */
  readonly from: number
  /** Nothing follows: the content is complete, and differs from before. */
  readonly isComplete: boolean
}

/** [I99] Continues behind the bytes that are there, or begins a replacement. */
export async function renewed(spool: Spool, bytes: number, from: number): Promise<Renewed> {
  const { target, path } = spool
  const continues = target.path === path && target.received === from && bytes >= from
  if (continues) {
    target.bytes = bytes
    return { from, isComplete: false }
  }
  if (target.path === path) await target.file?.close()
  else await dropTarget(target)
  target.file = null
  spool.target = await openTarget(`${path}.${randomBytes(4).toString('hex')}`, bytes)
  return { from: 0, isComplete: await settle(spool) }
}
