import type { ImportedTranscript } from '../engine/import/source.ts'
import type { Result } from '../engine/result.ts'
import { ok } from '../engine/result.ts'
import { writeSessionFile } from '../engine/session-file.ts'
import { readTranscript } from '../host/read-transcript.ts'
import type { ReadOptions } from '../host/read-transcript.ts'

/** What `turnscope convert` hands back: the native JSONL, and what was read to make it. */
export interface Converted {
  readonly text: string
  readonly transcript: ImportedTranscript
}

/** [I10] Reads a transcript of any known format and writes it as native JSONL. */
export async function convert(
  input: string | Uint8Array,
  options: ReadOptions = {},
): Promise<Result<Converted>> {
  const read = await readTranscript(input, options)
  if (!read.ok) return read
  return ok({ text: writeSessionFile(read.value), transcript: read.value })
}
