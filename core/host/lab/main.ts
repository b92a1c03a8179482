import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../wire/rpc.ts'
import { labThreadContract, ThreadData } from '../../wire/threads.ts'
import { openWorkspace } from '../files/workspace.ts'
import { rightsBy } from '../shared/asked-rights.ts'
import { portOfParent } from '../shared/ports.ts'
import { createLabHandlers } from './handlers.ts'

// Entry of the lab's thread: it holds the corpora.
if (parentPort) {
  const { workspace, shipped, trust, rights } = ThreadData.parse(workerData)
  const handlers = createLabHandlers(openWorkspace(workspace, shipped, trust, rightsBy(rights)))
  serve(labThreadContract, handlers, portOfParent(parentPort))
}
