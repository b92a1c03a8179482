import { messageOf } from '../../engine/result.ts'
import type { Refused } from './body.ts'

/** What the system says of a disk that takes nothing, and what a person does about it. */
export const DISK_CAUSES: Readonly<Record<string, { readonly what: string; readonly do: string }>> =
  {
    ENOSPC: { what: 'the disk is full', do: 'Make room there' },
    EDQUOT: { what: 'the quota of this account is used up', do: 'Make room there' },
    EROFS: { what: 'the disk may only be read', do: 'Make it writable' },
    EACCES: { what: 'this account may not write there', do: 'Check its rights' },
    EPERM: { what: 'this account may not write there', do: 'Check its rights' },
  }

/**
 * [F150] Why nothing of a request was kept: 503, after which its sender tries again.
 * @param folder of the records
 */
export function notWritten(error: unknown, folder: string): Refused {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const cause = DISK_CAUSES[code]
  const because = cause === undefined ? `error ${code}` : `${cause.what}. ${cause.do}`
  const why = `it could not be written to ${folder}: ${because}. Senders that retry send it again`
  return { status: 503, why, ...(cause === undefined ? { more: messageOf(error) } : {}) }
}
