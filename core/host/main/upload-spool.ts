import { randomBytes } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { open, rename, rm } from '../files/fenced-fs.ts'
import { refusal } from '../shared/refusal.ts'

/** A file that bytes are written to. */
interface Target {
  readonly path: string
  readonly file: FileHandle
  bytes: number
  received: number
}

export interface Spool {
  readonly name: string
  readonly path: string
  /** The spool itself, or what takes its place when all of it is there. */
  target: Target
  /** All of it was there once: sessions may be made of it. */
  isWhole: boolean
  /** Sessions that are made of it. */
  users: number
  tail: Promise<unknown>
}

export async function openSpool(
  path: string,
  { name, bytes }: { readonly name: string; readonly bytes: number },
): Promise<Spool> {
  const target = await openTarget(path, bytes)
  return { name, path, target, isWhole: false, users: 0, tail: Promise.resolve() }
}

/** One after the other, whoever asks; a refusal of one is none of the next. */
export function inTurn<T>(spool: Spool, act: () => Promise<T>): Promise<T> {
  const next = spool.tail.then(act)
  spool.tail = next.catch(() => undefined)
  return next
}

async function openTarget(path: string, bytes: number): Promise<Target> {
  return { path, file: await open(path, 'wx', 0o600), bytes, received: 0 }
}

export async function dropTarget({ file, path }: Target): Promise<void> {
  await file.close().catch(() => undefined)
  await rm(path, { force: true })
}

export async function append(spool: Spool, data: Buffer): Promise<number> {
  const { target } = spool
  if (target.received + data.length > target.bytes) {
    throw refusal({
      what: `more than the announced ${target.bytes} bytes arrived`,
      where: spool.name,
      do: 'Drop the file again; it may have grown while it was read',
    })
  }
  await target.file.write(data)
  target.received += data.length
  await settle(spool)
  return target.received
}

/** [I99] A replacement takes its place at once, when it is whole. */
async function settle(spool: Spool): Promise<void> {
  const { target, path } = spool
  if (target.received < target.bytes) return
  if (target.path !== path) {
    await rename(target.path, path)
    spool.target = { ...target, path }
  }
  spool.isWhole = true
}

export async function renewed(spool: Spool, bytes: number, from: number): Promise<number> {
  const { target, path } = spool
  const goesOn = target.path === path && target.received === from && bytes >= from
  if (goesOn) {
    target.bytes = bytes
    return from
  }
  if (target.path === path) await target.file.close()
  else await dropTarget(target)
  spool.target = await openTarget(`${path}.${randomBytes(4).toString('hex')}`, bytes)
  await settle(spool)
  return 0
}
