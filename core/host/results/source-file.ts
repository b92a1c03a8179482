import { stat } from '../platform/files/fenced-fs.ts'
import { dirname, isAbsolute, resolve } from 'node:path'
import { cannotRead, openRegular } from '../platform/files/regular-file.ts'
import { refusal } from '../platform/threads/refusal.ts'
import type { Plan } from '../batch/plan-schema.ts'
import type { ResultFiles } from './folder-files.ts'

type PlannedFile = Plan['files'][number]

/** A source of the results, with its present path. */
export interface SourceFile {
  readonly planned: PlannedFile
  readonly path: string
}

const ADDRESS = /^[a-z][a-z\d+.-]+:\/\//iu

/**
 * [F143] Finds a source by the path in a row. The manifest is untrusted: only a source that it lists is opened, only a
 * regular file of this machine, and nothing is fetched. Relative paths are tried from possible start folders of the
 * batch: `base`, the folder of the results, and the results themselves.
 */
export async function findSource(
  { folder, manifest }: Pick<ResultFiles, 'folder' | 'manifest'>,
  file: string,
  base: string,
): Promise<SourceFile> {
  const planned = manifest.plan.files.find(({ path }) => path === file)
  if (planned === undefined)
    throw refusal({
      what: 'the manifest of these results lists no such source',
      where: file,
      do: 'Run the batch again; its files do not belong together',
    })
  if (ADDRESS.test(file))
    throw refusal({
      what: 'this source is not on this machine, and nothing is fetched',
      where: file,
      do: 'Copy it here, and run the batch over the copy',
    })
  const starts = isAbsolute(file) ? [''] : [base, dirname(folder), folder]
  for (const start of starts) {
    const path = isAbsolute(file) ? file : resolve(start, file)
    const info = await stat(path).catch(() => null)
    if (info === null) continue
    await refuseIrregular(path)
    refuseChanged(planned, info.size, path)
    return { planned, path }
  }
  throw refusal({
    what: 'the source of this row is not there any more',
    where: file,
    do: 'Bring it back to where it was when the batch ran',
  })
}

async function refuseIrregular(path: string): Promise<void> {
  try {
    await (await openRegular(path)).close()
  } catch (error) {
    throw refusal(cannotRead(error, path))
  }
}

/** A transcript may have grown, and is read from its beginning; in another table the rows are other rows. */
function refuseChanged({ kind, size }: PlannedFile, now: number, path: string): void {
  if (kind === 'transcript' ? now >= size : now === size) return
  throw refusal({
    what: 'this source has changed since the batch read it, so its rows are others',
    where: path,
    do: 'Run the batch again',
  })
}
