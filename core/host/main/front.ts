import type { SessionContract } from '../../wire/threads.ts'
import { type Lease, type Link, type WorkerPool, linkOf } from './worker-pool.ts'

/** A thread that answers for the workspace. */
export type Front = () => Link<SessionContract>

/**
 * The front is started at once, and made to compile what a window asks for first, so that it is warm
 * when one comes; it weighs nothing. A failure shows where it matters: on the window's own call.
 */
export function createFront(pool: WorkerPool<SessionContract>): Front {
  let front: Lease<SessionContract> = pool.lease(0)
  front.client.call('workspace.describe', {}).catch(() => undefined)
  return () => {
    if (front.lost() !== null) front = pool.lease(0)
    return linkOf(front, (why) => ({
      what: `the thread that answers for the workspace stopped (${why})`,
      where: 'this question',
      do: 'Try again, it is started anew',
    }))
  }
}
