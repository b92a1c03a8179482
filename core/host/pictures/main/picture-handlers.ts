import type { SessionContract } from '../../../wire/threads.ts'
import type { Library } from '../../library/main/library.ts'
import type { MainHandlersOf } from '../../threads/main/handlers.ts'
import type { WorkerPool } from '../../threads/main/worker-pool.ts'
import { folderPicture } from './folder-picture.ts'

interface Around {
  readonly library: Pick<Library, 'files'>
  readonly pool: WorkerPool<SessionContract>
  /** Files at the same time. */
  readonly threads: number
}

/** [U155] The picture of a folder is made of what threads draw. */
export function createPictureHandlers({
  library,
  pool,
  threads,
}: Around): MainHandlersOf<'pictures'> {
  return {
    'pictures.folder': async function* (asked, { signal }) {
      const files = await library.files(asked.folder, signal)
      yield* folderPicture(asked, { pool, threads, files, signal })
    },
  }
}
