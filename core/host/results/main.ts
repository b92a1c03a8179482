import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../wire/rpc.ts'
import { ResultsThreadData, resultsThreadContract } from '../../wire/threads.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { portOfParent } from '../platform/threads/ports.ts'
import { createResultsHandlers } from './handlers.ts'

/** The helper for edits: a module in the sources, a bundle next to this one in a build. */
const here = import.meta.url
const editThread = new URL(here.endsWith('.ts') ? './edit/thread.ts' : './edit.cjs', here)

// Entry of the thread that asks results of batches: it loads the database's native code, so it has the program's rights.
if (parentPort) {
  const { workspace, shipped, trust, automata } = ResultsThreadData.parse(workerData)
  const { end, ...handlers } = createResultsHandlers(openWorkspace(workspace, shipped, trust), {
    url: editThread,
    automata: { shipped, automata },
  })
  const close = async () => {
    await end()
    return {}
  }
  serve(resultsThreadContract, { ...handlers, 'results.close': close }, portOfParent(parentPort))
}
