import { basename, join } from 'node:path'
import type { SessionStrip } from '../../../engine/schema/picture.ts'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { Answer, Asked } from '../../../wire/method.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import { drawnFiles } from '../drawn-files.ts'
import type { SeenFile } from '../../platform/files/walk.ts'
import type { WorkerPool } from '../../threads/main/worker-pool.ts'
import { spread } from '../../library/main/spread-jobs.ts'

type Step = Answer<TurnscopeContract, 'pictures.folder'>

interface Around {
  readonly pool: WorkerPool<SessionContract>
  /** Files at the same time. */
  readonly threads: number
  readonly files: readonly SeenFile[]
  readonly signal: AbortSignal
}

/**
 * [U155] Small multiples of a folder. Threads read and replay each file and return bounded strips; one thread draws
 * them.
 */
export async function* folderPicture(
  { folder, config, compare, theme }: Asked<TurnscopeContract, 'pictures.folder'>,
  { pool, threads, files: all, signal }: Around,
): AsyncGenerator<Step, void> {
  const { files, left } = drawnFiles(all)
  const read = new Map<string, readonly SessionStrip[]>()
  let done = 0
  let unread = 0
  for await (const { job, result } of spread(files, {
    pool,
    size: threads,
    signal,
    work: (client, { path }) =>
      client.call('pictures.strips', { path: join(folder, path), config, compare }, signal),
    lost: () => ({ strips: [], failed: true }),
  })) {
    read.set(job.path, result.strips)
    done += 1
    unread += result.failed ? 1 : 0
    yield { kind: 'progress', phase: 'scanning', done, total: files.length }
  }
  const strips = files.flatMap(({ path }) => read.get(path) ?? [])
  const lease = pool.lease(1)
  try {
    const title = basename(folder)
    const drawn = { config, compare, title, theme, unread, left, strips }
    const { picture } = await lease.client.call('pictures.multiples', drawn, signal)
    yield { kind: 'drawn', picture }
  } finally {
    lease.release()
  }
}
