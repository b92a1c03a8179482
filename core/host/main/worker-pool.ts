import { Worker } from 'node:worker_threads'
import { type Client, connect } from '../../wire/rpc.ts'
import { portOfWorker } from '../shared/ports.ts'
import type { WorkerContract, WorkerData } from '../session/contract.ts'

/** A session's hold on one worker thread. */
export interface Lease {
  readonly client: Client<WorkerContract>
  /** Why the thread ended, or null while it lives. */
  lost(): string | null
  release(): void
}

export interface WorkerPool {
  /** The least busy thread, by bytes held; started when it does not run yet (or any more). */
  lease(bytes: number): Lease
  close(): Promise<void>
}

interface Thread {
  readonly worker: Worker
  readonly client: Client<WorkerContract>
  readonly held: { bytes: number }
  lost: string | null
}

interface PoolOptions {
  readonly url: URL
  readonly data: WorkerData
  readonly size: number
}

/**
 * Worker threads that own opened sessions. A thread that crashes takes only its own sessions with it;
 * its place is filled again by the next lease.
 */
export function createWorkerPool({ url, data, size }: PoolOptions): WorkerPool {
  const threads = new Map<number, Thread>()

  function start(slot: number): Thread {
    // A session that outgrows this ends its own thread, not the application.
    const worker = new Worker(url, { workerData: data, resourceLimits: LIMITS })
    const thread: Thread = {
      worker,
      client: connect<WorkerContract>(portOfWorker(worker), { passOn: true }),
      held: { bytes: 0 },
      lost: null,
    }
    worker.on('error', (error: unknown) => {
      thread.lost = error instanceof Error ? error.message : String(error)
    })
    // Prepended: `lost` is set before the calls in flight are told that the port is closed.
    worker.prependListener('exit', (code) => {
      thread.lost ??= `it ended with code ${code}`
      if (threads.get(slot) === thread) threads.delete(slot)
    })
    threads.set(slot, thread)
    return thread
  }

  return {
    lease: (bytes) => {
      const loads = Array.from({ length: size }, (_, slot) => ({
        slot,
        bytes: threads.get(slot)?.held.bytes ?? 0,
      }))
      const { slot } = loads.reduce((best, each) => (each.bytes < best.bytes ? each : best))
      const thread = threads.get(slot) ?? start(slot)
      thread.held.bytes += bytes
      let held = true
      return {
        client: thread.client,
        lost: () => thread.lost,
        release: () => {
          if (held) thread.held.bytes -= bytes
          held = false
        },
      }
    },
    close: async () => {
      await Promise.all([...threads.values()].map((thread) => thread.worker.terminate()))
      threads.clear()
    },
  }
}

/** [I52] A larger young generation than this costs more memory than it saves time. */
const LIMITS = { maxOldGenerationSizeMb: 4096, maxYoungGenerationSizeMb: 24 } as const
