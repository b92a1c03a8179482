import { accessSync, constants, lstatSync } from '../platform/files/fenced-fs.ts'
import { dirname } from 'node:path'
import { messageOf } from '../../engine/result.ts'
import type { Refused } from './body.ts'
import { DISK_CAUSES } from './disk-causes.ts'

const NO_FILE = { what: 'what is in its place is no file', do: 'Move it away' }
const NO_RIGHT = { what: 'this account may not write it', do: 'Check its rights, or move it away' }

/** [F168] Why one record can never be written, independent of the disk. */
const RECORD_CAUSES: Readonly<Record<string, typeof NO_FILE>> = {
  EISDIR: NO_FILE,
  ELOOP: NO_FILE,
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
}

/** [F168] The record that an error names, if it exists and its folder is writable. */
function recordIn(error: unknown): string | null {
  const path = error instanceof Error && 'path' in error ? error.path : null
  if (typeof path !== 'string') return null
  try {
    lstatSync(path)
    accessSync(dirname(path), constants.W_OK)
    return path
  } catch {
    return null
  }
}

/**
 * [F150] Why nothing of a request was kept: 503, after which its sender tries again.
 * @param folder of the records
 */
export function notWritten(error: unknown, folder: string): Refused {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const record = recordIn(error)
  const ofRecord = RECORD_CAUSES[code]
  if (record !== null && ofRecord !== undefined) {
    const advice = `${ofRecord.do}; until then, requests with this session are answered with 503, and lost when their sender gives up`
    return {
      status: 503,
      why: `the record ${record} cannot be written: ${ofRecord.what}. ${advice}`,
    }
  }
  const cause = DISK_CAUSES[code]
  const because = cause === undefined ? `error ${code}` : `${cause.what}. ${cause.do}`
  const why = `it could not be written to ${folder}: ${because}. Senders that retry send it again`
  return { status: 503, why, ...(cause === undefined ? { more: messageOf(error) } : {}) }
}
