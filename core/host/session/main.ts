import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../wire/rpc.ts'
import { sessionContract, ThreadData } from '../../wire/threads.ts'
import { openWorkspace } from '../files/workspace.ts'
import { rightsBy } from '../shared/asked-rights.ts'
import { portOfParent } from '../shared/ports.ts'
import { createSessionHandlers } from './handlers.ts'
import { createPriority } from './priority.ts'

// Entry of a session thread: it owns the sessions opened in it and answers for the workspace.
if (parentPort) {
  const { workspace, shipped, trust, rights } = ThreadData.parse(workerData)
  const priority = createPriority()
  const handlers = createSessionHandlers(
    openWorkspace(workspace, shipped, trust, rightsBy(rights)),
    priority,
  )
  serve(sessionContract, priority.first(handlers), portOfParent(parentPort))
}
