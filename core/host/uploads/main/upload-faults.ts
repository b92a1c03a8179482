import { messageOf, type Problem } from '../../../engine/result.ts'
import { RpcError } from '../../../wire/rpc.ts'
import { refusal } from '../../platform/threads/refusal.ts'

/** Largest file that can be dropped into a window, in bytes. */
export const MAX_UPLOAD_BYTES = 2 * 1024 ** 3
/** Bytes that all stored uploads of a workspace may have. */
export const MAX_STORED_BYTES = 16 * 1024 ** 3

type Advice = Pick<Problem, 'what' | 'do'>

const FULL: Advice = {
  what: 'the disk of the workspace is full',
  do: 'Free space, or remove uploads (Library, or `turnscope uploads --remove`). Then choose the file again',
}
const READ_ONLY: Advice = {
  what: 'Turnscope cannot write into this workspace, so it cannot keep an uploaded file',
  do: 'Make the folder writable, start Turnscope with --workspace and a folder that you can write, or open the file by its path',
}
const CAUSES: Readonly<Record<string, Advice>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: READ_ONLY,
  EACCES: READ_ONLY,
  EPERM: READ_ONLY,
}

/** Runs work on the disk. Rejects with what to do about the system's error. */
export async function onDisk<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RpcError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const other = { what: 'the file could not be kept', do: 'Check the folder and its disk' }
    const { what, do: advice } = CAUSES[code] ?? other
    throw refusal({ what: `${what} (${messageOf(error)})`, where, do: advice })
  }
}

export function refuseHuge(name: string, bytes: number): void {
  if (bytes <= MAX_UPLOAD_BYTES) return
  throw refusal({
    what: `${inMib(bytes)} is more than an upload may have (2 GiB)`,
    where: name,
    do: 'Open it by its path on the machine where Turnscope runs',
  })
}

/** The room for an upload, in bytes. */
interface Room {
  readonly stored: number
  /** Free bytes of the disk. */
  readonly free: number
  readonly most: number
}

/** Refuses an upload before its first byte if it does not fit. */
export function refuseWithoutRoom(name: string, bytes: number, { stored, free, most }: Room): void {
  if (stored + bytes > most) {
    throw refusal({
      what: `the uploads of this workspace have ${inMib(stored)}, and ${inMib(bytes)} more is over the limit of ${inMib(most)}`,
      where: name,
      do: 'Remove uploads (Library, or `turnscope uploads --remove`), or open the file by its path',
    })
  }
  if (bytes <= free) return
  throw refusal({
    what: `the file has ${inMib(bytes)} and the disk of the workspace has ${inMib(free)} left`,
    where: name,
    do: FULL.do,
  })
}

function inMib(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MiB`
}

/** The upload does not exist, or no longer. */
export function goneUpload(id: string): RpcError {
  return refusal({
    what: 'this workspace does not have the uploaded file any more',
    where: id,
    do: 'Drop the file again, or open it by its path',
  })
}
