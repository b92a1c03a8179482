import { MessageChannel, type Worker } from 'node:worker_threads'
import type { Port } from '../../../wire/rpc.ts'
import { createRestrictedThreads, type StartThread } from './restricted-thread.ts'
import type { RightsDesk } from './rights.ts'
import { SESSION_LIMITS } from './session-limits.ts'

/**
 * [F131] The workspace's thread, started before the rest of the host is loaded. It loads its own modules in parallel,
 * which takes as long. It gets its work data when that is known.
 */
export interface FirstThread {
  /** Its rights are answered for from now on. */
  readonly join: (desk: Pick<RightsDesk, 'serve'>) => {
    /** A way to start threads: the first one is this thread, all others are started as given. */
    readonly start: (otherwise: StartThread) => StartThread
  }
  /** Removes the folder that the thread could write to. The new owner ends the thread. */
  readonly close: () => void
}

/**
 * @param url entry of a session thread
 * @param say called if this Node cannot restrict rights
 */
export function startFirstThread(url: URL, say?: (line: string) => void): FirstThread {
  const asked: Port[] = []
  let serve = (port: Port): void => void asked.push(port)
  const threads = createRestrictedThreads({ serve: (port) => serve(port) }, say)
  const { port1, port2 } = new MessageChannel()
  let worker: Worker | null = threads.start(url, {
    workerData: { begin: port2 },
    transferList: [port2],
    resourceLimits: SESSION_LIMITS,
  })
  // The new owner keeps the process alive through it.
  worker.unref()
  // One that ends before it is needed is not missed: the pool starts its own.
  const ended = (): void => {
    worker = null
  }
  worker.on('error', ended)
  worker.once('exit', ended)

  const take = (data: object): Worker | null => {
    if (worker === null) return null
    const taken = worker
    worker = null
    taken.off('error', ended)
    taken.off('exit', ended)
    taken.ref()
    // The message waits in the channel until the thread has loaded its modules. Closed after it: a thread that
    // received a second one would serve its port twice and answer every call twice.
    port1.postMessage(data)
    port1.close()
    return taken
  }
  return {
    join: (desk) => {
      serve = desk.serve
      for (const port of asked.splice(0)) desk.serve(port)
      return {
        start: (otherwise) => (of, options) =>
          (of.href === url.href ? take(options.workerData as object) : null) ??
          otherwise(of, options),
      }
    },
    close: threads.close,
  }
}
