import { RpcError, type Client } from '../../../wire/rpc.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import type { WorkerPool } from '../../threads/main/worker-pool.ts'

/** A job for a worker thread. */
interface Job {
  readonly bytes: number
  /** Place of the thread that should take it; left out, the least busy one does. */
  readonly place?: number | undefined
}

interface SpreadOptions<J extends Job, T> {
  readonly pool: WorkerPool<SessionContract>
  /** Jobs at the same time. */
  readonly size: number
  readonly signal: AbortSignal
  readonly work: (client: Client<SessionContract>, job: J, slot: number) => Promise<T>
  /** The result of a job whose thread crashed. */
  readonly lost: (job: J, why: string) => T
}

/**
 * Spreads jobs over the worker threads and gives their results as they come. Each job takes the least
 * busy thread, so threads that hold opened sessions are the last to be asked.
 */
export async function* spread<J extends Job, T>(
  jobs: readonly J[],
  { pool, size, signal, work, lost }: SpreadOptions<J, T>,
): AsyncGenerator<{ readonly job: J; readonly result: T }, void> {
  const running = new Map<J, Promise<{ readonly job: J; readonly result: T }>>()
  const waiting = jobs.values()

  async function run(job: J) {
    const lease = pool.lease(job.bytes + 1, job.place)
    try {
      return { job, result: await work(lease.client, job, lease.slot) }
    } catch (error) {
      const why = lease.lost()
      signal.throwIfAborted()
      if (why === null || !(error instanceof RpcError) || error.code !== 'CLOSED') throw error
      return { job, result: lost(job, why) }
    } finally {
      lease.release()
    }
  }

  try {
    for (;;) {
      while (running.size < size) {
        const next = waiting.next()
        if (next.done === true) break
        running.set(next.value, run(next.value))
      }
      if (running.size === 0) return
      const finished = await Promise.race(running.values())
      running.delete(finished.job)
      yield finished
    }
  } finally {
    // No caller waits for these anymore; their failures are the cancellation itself.
    for (const each of running.values()) each.catch(() => undefined)
  }
}
