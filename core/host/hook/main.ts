import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { messageOf } from '../../engine/result.ts'
import { createHookAnswerer } from './answer.ts'
import { startResident } from './resident.ts'

/** The thread that answers hooks while a window is served: patterns never run where windows are. */
const Data = z.object({ folder: z.string(), shipped: z.string(), version: z.string() })

async function main(): Promise<void> {
  const { folder, shipped, version } = Data.parse(workerData)
  const answerer = createHookAnswerer({ shipped, version })
  try {
    const resident = await startResident({ folder, version, answerer })
    parentPort?.once('message', () => {
      void resident.close().finally(() => parentPort?.close())
    })
    parentPort?.postMessage({ problem: null })
  } catch (error) {
    parentPort?.postMessage({ problem: messageOf(error) })
    parentPort?.close()
  }
}

void main()
