import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../wire/rpc.ts'
import { labThreadContract, ThreadData } from '../../wire/threads.ts'
import { openWorkspace } from '../files/workspace.ts'
import { rightsBy } from '../shared/asked-rights.ts'
import { useThreadAutomata } from '../shared/automata/thread.ts'
import { portOfParent } from '../shared/ports.ts'
import { createLabHandlers } from './handlers.ts'

// Entry of the lab's thread: it holds the corpora.
if (parentPort) {
  const data = ThreadData.parse(workerData)
  const { workspace, shipped, trust } = data
  const rights = rightsBy(data.rights)
  useThreadAutomata(data, rights)
  const handlers = createLabHandlers(openWorkspace(workspace, shipped, trust, rights?.workspace))
  serve(labThreadContract, handlers, portOfParent(parentPort))
}
