import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../wire/rpc.ts'
import { sessionContract, ThreadData } from '../../wire/threads.ts'
import { openWorkspace } from '../files/workspace.ts'
import { rightsBy } from '../shared/asked-rights.ts'
import { useThreadAutomata } from '../shared/automata/thread.ts'
import { portOfParent } from '../shared/ports.ts'
import { createSessionHandlers } from './handlers.ts'
import { createPriority } from './priority.ts'

// Entry of a session thread: it owns the sessions opened in it and answers for the workspace.
if (parentPort) {
  const data = ThreadData.parse(workerData)
  const { workspace, shipped, trust } = data
  const rights = rightsBy(data.rights)
  useThreadAutomata(data, rights)
  const priority = createPriority()
  const handlers = createSessionHandlers(
    openWorkspace(workspace, shipped, trust, rights?.workspace),
    priority,
  )
  serve(sessionContract, priority.first(handlers), portOfParent(parentPort))
}
