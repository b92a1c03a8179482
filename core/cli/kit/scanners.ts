import type { Scanners } from '../../host/corpus/scan/scan-together.ts'
import { createRestrictedThreads } from '../../host/threads/main/restricted-thread.ts'
import { helpersOf, WORTH_CHARS } from '../../host/corpus/main/scan-helpers.ts'
import { MessageChannel } from 'node:worker_threads'
import { ownAutomata } from '../../host/automata/write.ts'
import { portOfParent } from '../../host/platform/threads/ports.ts'
import type { ScanContract } from '../../wire/internal/scan.ts'
import { connect } from '../../wire/rpc.ts'
import { HOME, THREADS } from '../../place.ts'

/** These threads send no requests: they may only compute. */
const NO_DESK = { serve: () => undefined }

/**
 * [L107] Threads that scan for signals for a command, without rights (F24). They start with a job and end with it.
 * Undefined if no other processor is available.
 */
export function commandScanners(count = helpersOf(), from = WORTH_CHARS): Scanners | undefined {
  if (count === 0) return undefined
  return {
    from,
    use: async (job) => {
      const threads = createRestrictedThreads(NO_DESK)
      const automata = ownAutomata(process.env)?.folder ?? null
      const started = Array.from({ length: count }, () => {
        const { port1, port2: asked } = new MessageChannel()
        const worker = threads.start(THREADS.lab, {
          workerData: { shipped: HOME, automata, asked },
          transferList: [asked],
        })
        // Its port closes with it: then the command does its work.
        worker.on('error', () => undefined)
        return { worker, client: connect<ScanContract>(portOfParent(port1)) }
      })
      try {
        return await job(started.map(({ client }) => client))
      } finally {
        await Promise.all(started.map(({ worker }) => worker.terminate()))
        threads.close()
      }
    },
  }
}
