import { join } from 'node:path'
import type { Reading } from '../../../wire/internal/session.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import type { Asked } from '../../../wire/method.ts'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { SeenFile } from '../../platform/files/walk.ts'
import type { WorkerPool } from '../../threads/main/worker-pool.ts'
import { spread } from './spread-jobs.ts'

/** Maximum files per request to a thread. A cancelled scan loses no more than these. */
const MOST_FILES = 32
const MOST_BYTES = 1_000_000
/** Each thread is asked so often at least, so that none is idle at the end. */
const ROUNDS = 4

interface Batch {
  readonly bytes: number
  readonly files: readonly SeenFile[]
  /** The thread that keeps them. */
  readonly place?: number | undefined
}

/** [I148] Places of the threads that keep files, by their whole path. */
export type KeptPlaces = Map<string, number>

interface Around {
  readonly places: KeptPlaces
  readonly pool: WorkerPool<SessionContract>
  readonly threads: number
  readonly signal: AbortSignal
}

/** Result of reading a file. */
interface ReadFile {
  readonly file: SeenFile
  readonly reading: Reading
}

/**
 * [I147] Reads and replays files in the threads of the pool, several per request, so that shared lookups happen once.
 * If a thread crashes, its files are tried one by one, so that only the one that crashed it is lost.
 */
export async function* readFiles(
  files: readonly SeenFile[],
  asked: Asked<TurnscopeContract, 'library.scan'>,
  around: Around,
): AsyncGenerator<ReadFile, void> {
  const again: SeenFile[] = []
  const byPlace = Map.groupBy(files, ({ path }) => around.places.get(join(asked.folder, path)))
  const batches = [...byPlace].flatMap(([place, some]) =>
    batchesOf(some, around.threads).map((batch): Batch => ({ ...batch, place })),
  )
  for await (const { job, result } of readBatches(batches, asked, around)) {
    if (typeof result !== 'string') yield* result
    else again.push(...job.files)
  }
  const alone = again.map((file): Batch => ({ bytes: file.bytes, files: [file] }))
  for await (const { job, result } of readBatches(alone, asked, around)) {
    if (typeof result !== 'string') yield* result
    else for (const file of job.files) yield { file, reading: lost(file, result) }
  }
}

/** Results of the files of each batch, or the reason why their thread ended. */
function readBatches(
  batches: readonly Batch[],
  { folder, config, compare }: Asked<TurnscopeContract, 'library.scan'>,
  { pool, threads, signal, places }: Around,
) {
  return spread(batches, {
    pool,
    size: threads,
    signal,
    work: async (client, { files }, slot): Promise<readonly ReadFile[] | string> => {
      const paths = files.map(({ path }) => join(folder, path))
      const { readings } = await client.call('library.read', { paths, config, compare }, signal)
      return files.flatMap((file, at) => {
        const reading = readings[at]
        const path = paths[at] ?? ''
        if (reading?.kind === 'read' && reading.kept) places.set(path, slot)
        else places.delete(path)
        return reading === undefined ? [] : [{ file, reading }]
      })
    },
    lost: (_, why) => why,
  })
}

/** Files in their order, in batches that are small beside what there is. */
export function batchesOf(files: readonly SeenFile[], threads: number): readonly Batch[] {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const most = Math.min(MOST_BYTES, total / (threads * ROUNDS))
  const batches: Array<{ bytes: number; files: SeenFile[] }> = []
  for (const file of files) {
    const last = batches.at(-1)
    const fits = last !== undefined && last.files.length < MOST_FILES && last.bytes < most
    if (fits) {
      last.files.push(file)
      last.bytes += file.bytes
    } else batches.push({ bytes: file.bytes, files: [file] })
  }
  return batches
}

function lost({ path }: SeenFile, why: string): Reading {
  return {
    kind: 'failed',
    problem: {
      what: `the thread that read it stopped (${why})`,
      where: path,
      do: 'Open it on its own',
    },
  }
}
