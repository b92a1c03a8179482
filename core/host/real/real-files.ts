import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportedTranscript } from '../../engine/import/source.ts'
import { readTranscript } from '../read-transcript.ts'

/** Real transcripts stand beside a working copy, never inside it. */
const FOLDER = join(import.meta.dirname, '../../../../shared/sessions')

/** A row of the manifest. `stats` counts what its maker found in the file. */
export interface RealFile {
  readonly format: string
  readonly file: string
  readonly stats: Readonly<Record<string, number>>
}

/** Real files of some formats (null: of all); none where the folder is missing, and then says how many are skipped. */
export function realFiles(formats: readonly string[] | null, known: number): readonly RealFile[] {
  const manifest = join(FOLDER, 'MANIFEST.json')
  if (!existsSync(manifest)) {
    console.log(
      `real transcripts (${formats?.join(', ') ?? 'all'}): ${known} files skipped (no ../shared/sessions)`,
    )
    return []
  }
  const all = JSON.parse(readFileSync(manifest, 'utf8')) as readonly RealFile[]
  return all.filter((entry) => formats?.includes(entry.format) ?? true)
}

/** Where a real file is. */
export function realPath(entry: RealFile): string {
  return join(FOLDER, entry.file.replace(/^public\//, ''))
}

/** Reads a real file; a refusal fails the test. */
export async function readReal(entry: RealFile): Promise<ImportedTranscript> {
  const result = await readTranscript(realPath(entry))
  if (!result.ok) throw new Error(`${entry.file}: ${JSON.stringify(result.error)}`)
  return result.value
}
