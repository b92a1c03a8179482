import { existsSync } from '../platform/files/fenced-fs.ts'
import { Worker } from 'node:worker_threads'
import { refusal } from '../platform/threads/refusal.ts'
import { type Divided, largestFirst, rowsOf } from './divided-parts.ts'
import type { BatchFolders } from './folders.ts'
import type { Plan } from './plan-schema.ts'
import type { BatchOptions } from './options.ts'
import type { BatchTask, BatchWorkerData, FromBatchWorker } from './worker-protocol.ts'

interface PartsOptions extends BatchOptions {
  readonly folders: BatchFolders
  readonly plan: Plan
  /** Settles when all files are divided. */
  readonly divided: Promise<Divided>
}

/** Of the memory that is allowed, threads get this share; the rest is for what divides the files. */
const THREADS_SHARE = 0.6

/**
 * Gives the parts that are not done yet to threads, one after the other, until all are done: the largest first, so that
 * the threads end at about the same time. They start at once, and compile the signals while the files are still being
 * divided.
 */
export async function classifyParts(options: PartsOptions): Promise<void> {
  const { folders, plan, threads, signal, divided } = options
  const parts = Array.from({ length: plan.parts }, (_, part) => part)
  const left = parts.filter((part) => !existsSync(folders.counts(part)))
  if (left.length === 0) return
  let done = 0
  let total = 0
  const onRows = (rows: number): void => {
    done += rows
    options.onProgress({ stage: 'classifying', done, total })
  }
  const stop = new AbortController()
  divided.then(
    (all) => {
      // Of a batch that goes on, only what is left: rows that were done before do not come again.
      total = rowsOf(left, all)
      left.splice(0, Infinity, ...largestFirst(left, all))
    },
    (error: unknown) => stop.abort(error),
  )
  const stopped = AbortSignal.any([signal, stop.signal])
  const running = Array.from({ length: Math.min(threads, left.length) }, () =>
    runThread(options, left, onRows, stopped),
  )
  try {
    await Promise.all(running)
  } catch (error) {
    // One failed: the others would fill a folder that nobody waits for.
    stop.abort(error)
    await Promise.allSettled(running)
    throw error
  }
}

/** One thread, which takes parts from the list until it is empty. */
function runThread(
  { out, memoryMb, threads, base, other, automata, plan, worker, divided }: PartsOptions,
  left: number[],
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const workerData: BatchWorkerData = {
    ...{ out, base, other, automata },
    memoryMb: Math.floor((memoryMb * THREADS_SHARE) / threads),
    files: plan.files.map(({ path }) => path),
  }
  const thread = new Worker(worker, { workerData })
  return new Promise<void>((resolve, reject) => {
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', cancel)
      thread.terminate().then(settle, settle)
    }
    const cancel = (): void => end(() => reject(new DOMException('cancelled', 'AbortError')))
    const next = (): void => {
      const part = left.shift()
      if (part === undefined) end(resolve)
      else thread.postMessage({ part } satisfies BatchTask)
    }
    thread.on('message', (message: FromBatchWorker) => {
      if (message.kind === 'rows') onRows(message.rows)
      else if (message.kind === 'failed') end(() => reject(refusal(message.problem)))
      else if (message.kind === 'done') next()
      // Where dividing fails, the signal ends this thread.
      else divided.then(next, () => undefined)
    })
    thread.on('error', (error: Error) => end(() => reject(error)))
    if (signal.aborted) cancel()
    else signal.addEventListener('abort', cancel, { once: true })
  })
}
