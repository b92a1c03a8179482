import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../wire/rpc.ts'
import { EarlyThreadData, sessionContract, ThreadData } from '../../wire/threads.ts'
import { openWorkspace } from '../files/workspace.ts'
import { rightsBy } from '../shared/asked-rights.ts'
import { useThreadAutomata } from '../shared/automata/thread.ts'
import { portOfParent } from '../shared/ports.ts'
import { createSessionHandlers } from './handlers.ts'
import { createPriority } from './priority.ts'

// Entry of a session thread: it owns the sessions opened in it and answers for the workspace.
if (parentPort) {
  const port = parentPort
  const early = EarlyThreadData.safeParse(workerData)
  if (early.success) {
    const { rights } = early.data
    // A port of Node's, as `rights` is.
    const begin: object = early.data.begin
    // [F131] Loaded before it is known what for.
    portOfParent(begin as MessagePort).onMessage((told) =>
      answer(port, ThreadData.parse({ ...Object(told), rights })),
    )
  } else answer(port, ThreadData.parse(workerData))
}

function answer(port: MessagePort, data: ThreadData): void {
  const { workspace, shipped, trust } = data
  const rights = rightsBy(data.rights)
  useThreadAutomata(data, rights)
  const priority = createPriority()
  const handlers = createSessionHandlers(
    openWorkspace(workspace, shipped, trust, rights?.workspace),
    priority,
  )
  serve(sessionContract, priority.first(handlers), portOfParent(port))
}
