import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../wire/rpc.ts'
import { portOfParent } from '../shared/ports.ts'
import { openWorkspace } from '../files/workspace.ts'
import { WorkerData, workerContract } from './contract.ts'
import { createWorkerHandlers } from './handlers.ts'
import { createPriority } from './priority.ts'

// Entry of a worker thread: it owns the sessions opened in it and answers the main process.
if (parentPort) {
  const { workspace, shipped } = WorkerData.parse(workerData)
  const priority = createPriority()
  const handlers = createWorkerHandlers(openWorkspace(workspace, shipped), priority)
  serve(workerContract, priority.first(handlers), portOfParent(parentPort))
}
