import { parentPort, workerData } from 'node:worker_threads'
import type { z } from 'zod'
import { type ScanContract, scanContract } from '../../wire/internal/scan.ts'
import { type Client, connect, serve } from '../../wire/rpc.ts'
import { LabThreadData, labThreadContract, ScanThreadData } from '../../wire/threads.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { rightsBy } from '../threads/asked-rights.ts'
import { useThreadAutomata } from '../threads/automata-thread.ts'
import { portOfParent } from '../platform/threads/ports.ts'
import { createLabHandlers } from './lab-handlers.ts'
import { createScanHandlers } from '../corpus/scan/scan-thread.ts'
import type { Scanners } from '../corpus/scan/scan-together.ts'

// Entry of the lab's thread, which holds the corpora, and of the threads that look for signals with it.
if (parentPort) {
  const scan = ScanThreadData.safeParse(workerData)
  if (scan.success) {
    useThreadAutomata(scan.data)
    serve(scanContract, createScanHandlers(), portOfParent(scan.data.asked))
  } else openLab(portOfParent(parentPort))
}

function openLab(port: ReturnType<typeof portOfParent>): void {
  const data = LabThreadData.parse(workerData)
  const { workspace, shipped, trust } = data
  const rights = rightsBy(data.rights)
  useThreadAutomata(data, rights)
  const handlers = createLabHandlers(
    openWorkspace(workspace, shipped, trust, rights?.workspace),
    scannersOf(data),
  )
  serve(labThreadContract, handlers, port)
}

/** [L107] The helpers are started with the first job, and live as long as this thread does. */
function scannersOf({
  scanners,
  wake,
  scanFrom,
}: z.infer<typeof LabThreadData>): Scanners | undefined {
  if (wake === undefined || scanners.length === 0) return undefined
  let clients: ReadonlyArray<Client<ScanContract>> | null = null
  return {
    from: scanFrom,
    use: (job) => {
      if (clients === null) wake.postMessage('start')
      clients ??= scanners.map((port) => connect<ScanContract>(portOfParent(port)))
      return job(clients)
    },
  }
}
