import { realpath, stat } from '../../platform/files/fenced-fs.ts'
import { basename, join } from 'node:path'
import { messageOf } from '../../../engine/result.ts'
import { walkFolder } from '../../platform/files/walk.ts'
import { listSamples } from '../../transcripts/samples.ts'
import type { LabFile } from '../../../wire/internal/lab.ts'
import { LABELS_SUFFIX } from '../../workspace/labels-place.ts'

/** Sources of a corpus. */
export interface CorpusSources {
  readonly files: readonly LabFile[]
  readonly folders: readonly string[]
  readonly samples: boolean
}

/** A file to read, with its size. */
export interface CorpusFile extends LabFile {
  readonly bytes: number
}

interface Gathered {
  /** Each file once, opened ones first. */
  readonly files: readonly CorpusFile[]
  readonly problems: ReadonlyArray<{ readonly path: string; readonly what: string }>
}

/** [T40] The files of a corpus: opened ones, those of folders, samples; no file twice. */
export async function gatherFiles(
  { files, folders, samples }: CorpusSources,
  shipped: string,
  signal: AbortSignal,
): Promise<Gathered> {
  const problems: Array<{ path: string; what: string }> = []
  const wanted: LabFile[] = [...files]
  for (const folder of folders) {
    try {
      const { files: seen } = await walkFolder(folder, signal)
      wanted.push(...seen.filter(isSession).map(({ path }) => ownFile(join(folder, path))))
    } catch (error) {
      signal.throwIfAborted()
      problems.push({ path: folder, what: messageOf(error) })
    }
  }
  if (samples) {
    for (const { path } of await listSamples(shipped)) {
      wanted.push({ ...ownFile(path), fixed: 'a sample' })
    }
  }
  const found = new Map<string, CorpusFile>()
  for (const file of wanted) {
    const { path } = file
    const real = await realpath(path).catch(() => path)
    const bytes = (await stat(path).catch(() => null))?.size ?? 0
    if (!found.has(real)) found.set(real, { ...file, bytes })
  }
  return { files: [...found.values()], problems }
}

/** A transcript of the operator. */
export function ownFile(path: string): LabFile {
  return { path, name: basename(path), shown: path, fixed: null, map: null, key: null }
}

function isSession({ path }: { readonly path: string }): boolean {
  return !path.endsWith(LABELS_SUFFIX)
}
