import { stat } from '../platform/files/fenced-fs.ts'
import type { ImportRun } from '../../engine/import/run.ts'
import { FileTail, type FileState, type Seal, sealOf } from '../platform/files/file-tail.ts'
import { HeldFile } from '../platform/files/held-file.ts'
import type { FoundFormats } from './own-formats.ts'
import { type OpenedSource, openSource } from './read-transcript.ts'

export interface BeginOptions {
  readonly signal: AbortSignal
  /** Bytes read so far, bytes in all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** [I140] Formats of one's own; none by default. */
  readonly formats?: FoundFormats | undefined
  /** [I148] What is read is hashed, so that `holdsAll` can be asked. */
  readonly hashed?: boolean | undefined
}

/** A file of a transcript, as it is read. */
export interface FilePart {
  readonly path: string
  readonly source: OpenedSource
  /** Null where the file is one document, or an archive. */
  readonly tail: FileTail | null
  readonly seal: Seal
  /** The file, open, until it was read for the first time. */
  readonly held: HeldFile
  done: boolean
}

/** Opens a file for reading. Rejects with the system's error. */
export async function openPart(
  path: string,
  options: BeginOptions,
): Promise<Omit<FilePart, 'tail'>> {
  // Sealed before it is read: what is appended meanwhile then shows as growth.
  const held = await HeldFile.open(path)
  try {
    const seal = await sealOf(held)
    return { path, held, seal, source: await openSource(held, path, options), done: false }
  } catch (error) {
    await held.letGo()
    throw error
  }
}

/** The file, if it holds something that can be read beside another. */
export async function companionAt(
  path: string,
  signal: AbortSignal,
): Promise<Omit<FilePart, 'tail'> | null> {
  const part = await openPart(path, { signal }).catch(() => null)
  // There may be thousands of them: each is opened again when its turn comes.
  await part?.held.letGo()
  const isPlain = part?.source.members === null && part.source.table === null
  return isPlain && part.source.size > 0 ? part : null
}

/** The file, with the tail that its lines are read on from; none where it is a document or packed. */
export function withTail(
  part: Omit<FilePart, 'tail'>,
  run: ImportRun,
  { hashed }: Pick<BeginOptions, 'hashed'>,
): FilePart {
  const { members, page, table } = part.source
  const lines = members === null && page === null && table === null && run.byLines(part.source)
  return { ...part, tail: lines ? new FileTail(part.path, hashed) : null }
}

/** A document is not read on: any change makes it another one. */
export async function lookAt({ path, tail, held }: FilePart): Promise<FileState> {
  if (tail !== null) return tail.look()
  const now = await stat(path, { bigint: true }).catch(() => null)
  if (now?.isFile() !== true) return 'gone'
  const { mtimeNs, size } = held.info
  return now.mtimeNs === mtimeNs && now.size === size ? 'same' : 'other'
}
