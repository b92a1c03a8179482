import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { NOTHING_RECEIVED, ReceiverCounts } from '../../wire/receiver.ts'
import { refusal } from '../platform/threads/refusal.ts'
import { Fault, cannotStart } from './cannot-start.ts'

interface Given {
  /** Entry of the thread: `core/host/receiver/main.ts`, or its bundle. */
  readonly url: URL
  /** As `liveFolder` gives it. */
  readonly folder: string
  /** 0 = any free one. */
  readonly port: number
  readonly token: string | null
}

interface Told {
  /** It is gone, and why. */
  readonly onEnd: (why: string) => void
  /** [F168] Why the disk does not take what comes, once for each reason. */
  readonly onTrouble: (why: string) => void
}

/** A receiver in a thread of its own. */
export interface ReceiverThread {
  readonly port: number
  readonly counts: () => ReceiverCounts
  readonly close: () => Promise<void>
}

const Said = z.union([
  z.object({ port: z.int() }),
  z.object({ counts: ReceiverCounts }),
  z.object({ trouble: z.string() }),
  Fault,
])

/** Heap of the thread in MiB: a body that holds more than it should ends the thread, not the windows. */
const HEAP_MIB = 1536

/** [F147] Starts the thread that receives. Refuses where it cannot listen. */
export async function startReceiverThread(
  { url, ...workerData }: Given,
  { onEnd, onTrouble }: Told,
): Promise<ReceiverThread> {
  const worker = new Worker(url, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  })
  let counts: ReceiverCounts = NOTHING_RECEIVED
  let fault = 'the receiver ended'
  const port = await new Promise<number>((resolve, reject) => {
    worker.on('error', (error) => {
      fault = `the receiver ended by a fault (${error instanceof Error ? error.message : ''})`
      reject(error instanceof Error ? error : new Error(fault))
    })
    worker.on('message', (message) => {
      const said = Said.safeParse(message)
      if (!said.success) return
      if ('port' in said.data) resolve(said.data.port)
      else if ('counts' in said.data) ({ counts } = said.data)
      else if ('trouble' in said.data) onTrouble(said.data.trouble)
      else reject(refusal(cannotStart(said.data, workerData)))
    })
  })
  worker.once('exit', () => onEnd(fault))
  return {
    port,
    counts: () => counts,
    close: () =>
      new Promise((resolve) => {
        worker.once('exit', () => resolve())
        worker.postMessage('close')
      }),
  }
}
