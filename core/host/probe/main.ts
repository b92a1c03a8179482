import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../wire/rpc.ts'
import { portOfParent } from '../platform/threads/ports.ts'
import { openProbe } from './open.ts'
import { createProbeSessions } from './sessions/sessions.ts'
import { ProbeThreadData, probeThreadContract } from '../../wire/threads.ts'
import { createEnding } from './ending.ts'
import { createProbeThreadHandlers } from './handlers.ts'

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
