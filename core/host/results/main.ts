import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../wire/rpc.ts'
import { ResultsThreadData, resultsThreadContract } from '../../wire/threads.ts'
import { openWorkspace } from '../files/workspace.ts'
import { portOfParent } from '../shared/ports.ts'
import { createResultsHandlers } from './handlers.ts'

// Entry of the thread that asks results of batches: it loads the database's native code, so it has the program's rights.
if (parentPort) {
  const { workspace, shipped, trust } = ResultsThreadData.parse(workerData)
  const { end, ...handlers } = createResultsHandlers(openWorkspace(workspace, shipped, trust))
  const close = async () => {
    await end()
    return {}
  }
  serve(resultsThreadContract, { ...handlers, 'results.close': close }, portOfParent(parentPort))
}
