import { type ResourceLimits, Worker } from 'node:worker_threads'
import { type Problem, messageOf } from '../../../engine/result.ts'
import {
  type Contract,
  type Forwarded,
  type ForwardingClient,
  type Input,
  type Output,
  type StreamName,
  connectThread,
  RpcError,
  type Client,
} from '../../../wire/rpc.ts'
import { streamOf } from '../../../wire/stream-of.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import { portOfWorker } from '../../platform/threads/ports.ts'
import type { HostThread, StartThread } from './restricted-thread.ts'

/** A hold on one thread. */
export interface Lease<C extends Contract> {
  readonly client: ForwardingClient<C>
  /** Number of the thread's place. */
  readonly slot: number
  /** Why the thread ended, or null while it lives. */
  lost(): string | null
  release(): void
}

export interface WorkerPool<C extends Contract> {
  /**
   * The least busy thread, by bytes held, or the one of this place; started when it does not run yet (or
   * any more).
   */
  lease(bytes: number, place?: number): Lease<C>
  /** Threads that run now. */
  running(): ReadonlyArray<ForwardingClient<C>>
  close(): Promise<void>
}

interface Thread<C extends Contract> {
  readonly worker: HostThread
  readonly client: ForwardingClient<C>
  readonly held: { bytes: number }
  lost: string | null
}

interface PoolOptions {
  readonly url: URL
  /** Start data for each thread. */
  readonly data: object
  readonly size: number
  /** Starts a thread (default: with all rights of the process). */
  readonly start?: StartThread
  /** Environment of the threads (default: a copy of the process's). */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly limits?: ResourceLimits
}

/**
 * Threads of one kind, started on demand. A crashed thread loses only its own data. The next lease fills its slot
 * again.
 */
export function createWorkerPool<C extends Contract>(options: PoolOptions): WorkerPool<C> {
  const { url, data, size, env, limits } = options
  const begin: StartThread = options.start ?? ((of, how) => new Worker(of, how))
  const threads = new Map<number, Thread<C>>()

  function start(slot: number): Thread<C> {
    const worker = begin(url, {
      workerData: data,
      ...(env === undefined ? {} : { env: { ...env } }),
      ...(limits === undefined ? {} : { resourceLimits: limits }),
    })
    const client = connectThread<C>(portOfWorker(worker))
    const thread: Thread<C> = { worker, client, held: { bytes: 0 }, lost: null }
    worker.on('error', (error: unknown) => {
      thread.lost = messageOf(error)
    })
    // Prepended: `lost` must be set before the calls in flight are rejected for the closed port.
    worker.prependListener('exit', (code) => {
      thread.lost ??= `it ended with code ${code}`
      if (threads.get(slot) === thread) threads.delete(slot)
    })
    threads.set(slot, thread)
    return thread
  }

  return {
    lease: (bytes, place) => {
      const loads = Array.from({ length: size }, (_, slot) => ({
        slot,
        bytes: threads.get(slot)?.held.bytes ?? 0,
      }))
      const least = loads.reduce((best, each) => (each.bytes < best.bytes ? each : best))
      const { slot } = loads.find((each) => each.slot === place) ?? least
      const thread = threads.get(slot) ?? start(slot)
      thread.held.bytes += bytes
      let held = true
      return {
        client: thread.client,
        slot,
        lost: () => thread.lost,
        release: () => {
          if (held) thread.held.bytes -= bytes
          held = false
        },
      }
    },
    running: () => [...threads.values()].map(({ client }) => client),
    close: async () => {
      const ending = [...threads.values()]
      threads.clear()
      await Promise.all(ending.map(({ worker }) => worker.terminate()))
    },
  }
}

/** Calls the thread of a lease. Rejects with a user-facing error if that thread has exited. */
export interface Link<C extends Contract> extends Pick<Client<C>, 'call'> {
  stream<K extends StreamName<C>>(
    name: K,
    input: Input<C, K>,
    signal: AbortSignal,
  ): AsyncGenerator<Output<C, K>>
  /** Leaves the answer to the thread. */
  forward<K extends keyof C & string>(name: K, input: Input<C, K>): Forwarded<Output<C, K>>
  /** The same for an unparsed call: the thread parses it. */
  pass(name: string, payload: unknown): Forwarded
}

export function linkOf<C extends Contract>(
  { client, lost }: Pick<Lease<C>, 'client' | 'lost'>,
  told: (why: string) => Problem,
): Link<C> {
  const explain = <E>(error: E): E | RpcError => {
    const why = lost()
    const isLost = error instanceof RpcError && error.code === 'CLOSED' && why !== null
    return isLost ? refusal(told(why)) : error
  }
  const forward: Link<C>['forward'] = (name, input) => client.forward(name, input, explain)
  return {
    call: async (name, input, signal) => {
      try {
        return await client.call(name, input, signal)
      } catch (error) {
        throw explain(error)
      }
    },
    stream: async function* (name, input, signal) {
      try {
        yield* streamOf(client, name, input, signal)
      } catch (error) {
        throw explain(error)
      }
    },
    forward,
    // The name is a row of the window's contract at this thread, and so one of the thread's.
    pass: (name, payload) => forward(name, payload as never),
  }
}
