import type { Result } from '../../engine/result.ts'
import { ok } from '../../engine/result.ts'
import { readRange } from '../encoding.ts'
import { checkUnchanged } from './transcript.ts'
import type { OpenTranscript } from './transcript.ts'

/** Most bytes of a record that are shown. */
const MAX_RAW_BYTES = 256 * 1024

/** Bytes of the file as text, at most 256 KiB; refused when the file is not the one that was opened. */
export async function readRaw(
  opened: OpenTranscript,
  range: { readonly offset: number; readonly length: number },
): Promise<Result<{ readonly text: string; readonly truncated: boolean }>> {
  const unchanged = await checkUnchanged(opened)
  if (!unchanged.ok) return unchanged
  return ok(await readRange(opened.path, range, MAX_RAW_BYTES))
}
