import { stat } from 'node:fs/promises'
import { type Result, err, ok } from '../../engine/result.ts'
import { readRange } from '../files/encoding.ts'
import { holds, type Seal } from '../files/file-tail.ts'
import type { OpenTranscript } from '../files/transcript.ts'

/** Most bytes of a record that are shown. */
const MAX_RAW_BYTES = 256 * 1024

interface Place {
  readonly offset: number
  readonly length: number
  /** Index into the transcript's `files`; the opened file itself where it is left out. */
  readonly file?: number | undefined
}

/** Bytes of a file as text, at most 256 KiB; refused when the file is not the one that was opened. */
export async function readRaw(
  opened: OpenTranscript,
  { offset, length, file }: Place,
): Promise<Result<{ readonly text: string; readonly truncated: boolean }>> {
  const place = opened.place(file)
  if (place === null) return err(gone(opened.path))
  if ('members' in place) {
    const whole = await place.members.text(place.member)
    if (!whole.ok) return whole
    const end = offset + Math.min(length, MAX_RAW_BYTES)
    const text = Buffer.from(whole.value).toString('utf8', offset, end)
    return ok({ text, truncated: length > MAX_RAW_BYTES })
  }
  const unchanged = await checkUnchanged(place.path, place.seal)
  if (!unchanged.ok) return unchanged
  return ok(await readRange(place.path, { offset, length }, MAX_RAW_BYTES))
}

/**
 * Whether offsets of an opened file still mean the same bytes. A file that has only grown (an agent is
 * still writing) passes: its old beginning and end are where they were.
 */
async function checkUnchanged(path: string, seal: Seal): Promise<Result<null>> {
  const now = await stat(path).catch(() => null)
  if (now === null) return err(gone(path))
  if (now.size >= seal.size && (await holds(path, seal))) return ok(null)
  return err({ what: 'the file changed since it was opened', where: path, do: 'Open it again' })
}

function gone(path: string) {
  return { what: 'the file is not there any more', where: path, do: 'Open it again' }
}
