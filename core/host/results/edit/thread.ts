import { parentPort, workerData } from 'node:worker_threads'
import { messageOf, type Result, err } from '../../../engine/result.ts'
import { RpcError } from '../../../wire/rpc.ts'
import { foldersOf } from '../../batch/folders.ts'
import { storedPipeline } from '../../batch/stored-config.ts'
import { useThreadAutomata } from '../../threads/automata-thread.ts'
import { valueOrRefuse } from '../../platform/threads/refusal.ts'
import type { EditThreadData, FromEditThread, ToEditThread } from './thread-protocol.ts'
import { type EditWork, createEditWork } from './work.ts'
import { compileDomains } from '../../../engine/matcher/domains.ts'
import type { ConfigFiles } from '../../workspace/config-files.ts'
import { type Compiled, allProblems, compilePipeline } from '../../rules/pipelines.ts'

/** [F146] A thread that helps with an edit over the results of a batch: it does one piece of the work after the other. */
const { folder, side, hasStates, automata } = workerData as EditThreadData
const tell = (message: FromEditThread): void => parentPort?.postMessage(message)

async function start(): Promise<EditWork> {
  useThreadAutomata(automata)
  const base = valueOrRefuse(await storedPipeline(foldersOf(folder)))
  return createEditWork({ base, side: valueOrRefuse(compileSide(side)), hasStates })
}

/**
 * Compiles the pipeline of a side that another thread has already compiled. Its domains may come from a draft. They are
 * compiled uncached, because the cache key would be the saved file's text.
 */
function compileSide(files: ConfigFiles): Result<Compiled> {
  return compilePipeline(files, ({ value, file }, asciiBoundaries) => {
    const set = compileDomains(value, { asciiBoundaries })
    return set.ok ? set : err(allProblems(set.error, file.shown))
  })
}

function fail(error: unknown): void {
  const failed = error instanceof RpcError ? error : null
  tell({
    kind: 'failed',
    problem: {
      what: failed?.what ?? messageOf(error),
      where: failed?.where ?? folder,
      do: failed?.do ?? 'Try again',
    },
  })
}

const work = start()
parentPort?.on('message', ({ id, task }: ToEditThread) => {
  work
    .then(async ({ run, cut }) => {
      const answer = await run(task)
      tell({ kind: 'done', id, answer, cut: [...cut] })
    })
    .catch(fail)
})
work.catch(fail)
