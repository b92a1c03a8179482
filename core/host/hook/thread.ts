import { Worker } from 'node:worker_threads'
import type { Resident } from './resident.ts'

interface Given {
  /** Entry of the thread: `core/host/hook/main.ts`, or its bundle. */
  readonly url: URL
  /** As `liveFolder` gives it. */
  readonly folder: string
  readonly shipped: string
  readonly version: string
}

/**
 * [F174] Starts the thread that answers hooks. Rejects if it cannot listen.
 * @param onEnd called when the thread exits, for any reason
 */
export async function startHookThread(
  { url, ...workerData }: Given,
  onEnd: () => void,
): Promise<Resident> {
  const worker = new Worker(url, { workerData })
  worker.once('exit', onEnd)
  const problem = await new Promise<string | null>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (said: { readonly problem: string | null }) => resolve(said.problem))
  })
  if (problem !== null) throw new Error(`hooks cannot be answered: ${problem}`)
  return {
    close: () =>
      new Promise((resolve) => {
        worker.once('exit', () => resolve())
        worker.postMessage('close')
      }),
  }
}
