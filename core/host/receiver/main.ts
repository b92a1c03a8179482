import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import type { ReceiverCounts } from '../../wire/receiver.ts'
import { faultOf } from './cannot-start.ts'
import { startReceiver } from './receiver.ts'

/** The thread that receives traces and logs. Received data is never parsed in the thread that serves windows. */
const Data = z.object({
  folder: z.string(),
  port: z.int().min(0).max(65_535),
  token: z.string().nullable(),
})

/** Milliseconds between two messages about counts. */
const PACE = 200

async function main(): Promise<void> {
  const data = Data.parse(workerData)
  try {
    const receiver = await startReceiver({
      ...data,
      onChange: createTeller(),
      onTrouble: (trouble) => parentPort?.postMessage({ trouble }),
    })
    parentPort?.once('message', () => {
      void receiver.close().finally(() => parentPort?.close())
    })
    parentPort?.postMessage({ port: receiver.port })
  } catch (error) {
    parentPort?.postMessage(faultOf(error))
    parentPort?.close()
  }
}

/** Reports the newest counts at intervals. */
function createTeller(): (counts: ReceiverCounts) => void {
  let newest: ReceiverCounts | null = null
  return (counts) => {
    if (newest === null)
      setTimeout(() => {
        parentPort?.postMessage({ counts: newest })
        newest = null
      }, PACE).unref()
    newest = counts
  }
}

void main()
