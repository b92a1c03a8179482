import { Worker } from 'node:worker_threads'
import {
  type CallContext,
  type CallName,
  type Client,
  type Input,
  type Output,
  type StreamName,
  connect,
  RpcError,
} from '../../../wire/rpc.ts'
import { refusal } from '../../shared/names.ts'
import { portOfWorker } from '../../shared/ports.ts'
import { streamOf } from '../../../wire/stream-of.ts'
import type { ProbeThreadContract, ProbeThreadData } from '../../probe/contract.ts'

/** The probe's thread as the main process sees it. */
export interface ProbeThread {
  call<K extends CallName<ProbeThreadContract>>(
    name: K,
    input: Input<ProbeThreadContract, K>,
    context: CallContext,
  ): Promise<Output<ProbeThreadContract, K>>
  stream<K extends StreamName<ProbeThreadContract>>(
    name: K,
    input: Input<ProbeThreadContract, K>,
    context: CallContext,
  ): AsyncGenerator<Output<ProbeThreadContract, K>>
  /** [L27] Lets go of a file's sessions. */
  readonly forget: (key: string) => void
  close(): Promise<void>
}

interface Running {
  readonly worker: Worker
  readonly client: Client<ProbeThreadContract>
  lost: string | null
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
export function createProbeThread({ url, data, env }: ThreadOptions): ProbeThread {
  let running: Running | null = null

  function start(): Running {
    const worker = new Worker(url, { workerData: data, env: { ...env } })
    // It works when it is asked; an idle one must not keep the process from ending.
    const started: Running = {
      worker,
      client: connect<ProbeThreadContract>(portOfWorker(worker), { passOn: true }),
      lost: null,
    }
    worker.on('error', (error: unknown) => {
      started.lost = error instanceof Error ? error.message : String(error)
    })
    // Prepended: `lost` is set before the calls in flight are told that the port is closed.
    worker.prependListener('exit', (code) => {
      started.lost ??= `it ended with code ${code}`
      if (running === started) running = null
    })
    return started
  }

  const thread = (): Running => (running ??= start())

  return {
    call: async (name, input, { signal }) => {
      const now = thread()
      try {
        return await now.client.call(name, input, signal)
      } catch (error) {
        throw explain(error, now)
      }
    },
    stream: async function* (name, input, { signal }) {
      const now = thread()
      try {
        yield* streamOf(now.client, name, input, signal)
      } catch (error) {
        throw explain(error, now)
      }
    },
    forget: (key) => {
      // A thread that was never started, or ended, keeps nothing.
      running?.client.call('probe.forget', { key }).catch(() => undefined)
    },
    close: async () => {
      const last = running
      running = null
      if (last === null) return
      await last.client.call('probe.close', {}).catch(() => undefined)
      await last.worker.terminate()
    },
  }
}

function explain(error: unknown, { lost }: Running): unknown {
  if (!(error instanceof RpcError) || error.code !== 'CLOSED' || lost === null) return error
  return refusal({
    what: `the thread of the probe stopped (${lost})`,
    where: 'probe',
    do: 'Try again, it is started anew',
  })
}
