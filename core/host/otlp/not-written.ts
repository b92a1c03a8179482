import { messageOf } from '../../engine/result.ts'
import type { Refused } from './body.ts'

/** What the system says of a disk that takes nothing, and what a person does about it. */
const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; make room there',
  EDQUOT: 'the quota of this account is used up; make room there',
  EROFS: 'the disk may only be read; make it writable',
  EACCES: 'this account may not write there; check its rights',
  EPERM: 'this account may not write there; check its rights',
}

/**
 * [F150] Why nothing of a request was kept: 503, after which its sender tries again.
 * @param folder of the records
 */
export function notWritten(error: unknown, folder: string): Refused {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const cause = CAUSES[code]
  const why = `it could not be written to ${folder}: ${cause ?? `error ${code}`}. Senders that retry send it again`
  return { status: 503, why, ...(cause === undefined ? { more: messageOf(error) } : {}) }
}
