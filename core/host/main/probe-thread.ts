import type { ProbeThreadContract, ProbeThreadData } from '../../wire/threads.ts'
import { type Link, createWorkerPool, linkOf } from './worker-pool.ts'

/** The probe's thread as the main process sees it. */
export interface ProbeThread {
  /** Starts the thread where it does not run. */
  readonly link: () => Link<ProbeThreadContract>
  /** [L27] Lets go of a file's sessions. */
  readonly forget: (key: string) => void
  close(): Promise<void>
}

interface ThreadOptions {
  readonly url: URL
  readonly data: ProbeThreadData
  /** Environment of the thread: keys of served stores and embedders stand there. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * [D48] A thread of its own for the probe, started with the first question: a session that never
 * probes costs nothing. A crash ends the questions in flight; the next one starts it again.
 */
export function createProbeThread(options: ThreadOptions): ProbeThread {
  const pool = createWorkerPool<ProbeThreadContract>({ ...options, size: 1 })
  return {
    link: () =>
      linkOf(pool.lease(0), (why) => ({
        what: `the thread of the probe stopped (${why})`,
        where: 'probe',
        do: 'Try again, it is started anew',
      })),
    forget: (key) => {
      // A thread that was never started, or ended, keeps nothing.
      for (const client of pool.running()) {
        client.call('probe.forget', { key }).catch(() => undefined)
      }
    },
    close: async () => {
      const ending = pool
        .running()
        .map((client) => client.call('probe.close', {}).catch(() => undefined))
      await Promise.all(ending)
      await pool.close()
    },
  }
}
