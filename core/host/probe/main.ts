import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../wire/rpc.ts'
import { portOfParent } from '../platform/threads/ports.ts'
import { openProbe } from './open.ts'
import { createProbeSessions } from './sessions/sessions.ts'
import { ProbeThreadData, probeThreadContract } from '../../wire/threads.ts'
import { createProbeThreadHandlers } from './handlers.ts'
import { watchWork, wrapHandlers } from '../platform/threads/watched-handlers.ts'

// Entry of the probe's thread: embedders, stores and caches of one workspace.
if (parentPort) {
  const service = openProbe({ ...ProbeThreadData.parse(workerData), env: process.env })
  const ending = createEnding()
  const handlers = ending.watch(createProbeThreadHandlers(service, createProbeSessions(service)))
  const close = async () => {
    await ending.end()
    await service.close()
    return {}
  }
  serve(probeThreadContract, { ...handlers, 'probe.close': close }, portOfParent(parentPort))
}

/** Lets work in flight finish before its resources are closed. */
interface Ending {
  /** The same handlers, which `end` can stop. */
  readonly watch: <H extends object>(handlers: H) => H
  /** Cancels everything and waits until it has stopped. */
  readonly end: () => Promise<void>
}

function createEnding(): Ending {
  const stop = new AbortController()
  const running = new Set<Promise<unknown>>()

  const begin = () => {
    const { promise, resolve } = Promise.withResolvers<null>()
    running.add(promise)
    return () => {
      running.delete(promise)
      resolve(null)
    }
  }

  return {
    watch: (handlers) =>
      wrapHandlers(handlers, (handler) => (input, { signal }) => {
        const either = { signal: AbortSignal.any([signal, stop.signal]) }
        return watchWork(handler(input, either), begin)
      }),
    end: async () => {
      stop.abort()
      await Promise.all(running)
    },
  }
}
