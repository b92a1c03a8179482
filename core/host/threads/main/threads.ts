import { z } from 'zod'
import type { ReplayConfig } from '../../../engine/schema/replay.ts'
import { type Forward, RpcError } from '../../../wire/rpc.ts'
import { Key } from '../../../wire/shapes.ts'
import type {
  ProbeThreadContract,
  ProbeThreadData,
  ResultsThreadContract,
  ResultsThreadData,
  SessionContract,
} from '../../../wire/threads.ts'
import { type Lease, type Link, type WorkerPool, createWorkerPool, linkOf } from './worker-pool.ts'

/** A thread that answers for the workspace. */
export type Front = () => Link<SessionContract>

export interface WarmFront {
  readonly front: Front
  /**
   * Compiles the data that a window needs first. If a session is about to be replayed, also compiles for its replay. A
   * failure appears in the window's own call.
   */
  readonly warm: (replayed: ReplayConfig | null) => Promise<void>
}

/** Compiled in advance: the configuration of a window that was never opened before. */
const FIRST = { preset: 'recommended', domains: 'default' }

/**
 * [U187] Starts the front immediately, and lets it compile only the data that a window needs first. It is then warm and
 * idle when a window connects, and its lease has no weight.
 */
export function createFront(pool: WorkerPool<SessionContract>): WarmFront {
  let lease: Lease<SessionContract> = pool.lease(0)
  const front: Front = () => {
    if (lease.lost() !== null) lease = pool.lease(0)
    return linkOf(lease, (why) => ({
      what: `the thread that answers for the workspace stopped (${why})`,
      where: 'this question',
      do: 'Try again: it is starting again',
    }))
  }
  return {
    front,
    warm: async (replayed) => {
      const { client } = lease
      const work =
        replayed === null
          ? client.call('host.domains', FIRST)
          : client.call('workspace.warm', { config: replayed })
      await work.catch(() => undefined)
    },
  }
}

type Passing = Pick<Link<never>, 'pass'>

interface Targets {
  readonly workspace: () => Passing
  /** The thread that holds an opened file. Throws if this window did not open the file. */
  readonly session: (key: string) => Passing
  /** The same for a corpus. */
  readonly lab: (corpus: string) => Passing
  readonly probe: () => Passing
  readonly results: () => Passing
  readonly settings: () => Promise<object>
}

/** Forwards calls to the thread in their contract row. That thread parses the payload. */
export function forwardTo({ workspace, session, lab, probe, results, settings }: Targets): Forward {
  const to = {
    workspace: (name, payload) => workspace().pass(name, payload),
    session: (name, payload) => session(named('key', payload)).pass(name, payload),
    lab: (name, payload) => lab(named('corpus', payload)).pass(name, payload),
    results: (name, payload) => results().pass(name, payload),
    // [D48] Settings come with every question: the probe's thread keeps none.
    probe: async (name, payload) =>
      probe().pass(name, { ...Object(payload), settings: await settings() }),
  } satisfies Record<string, (name: string, payload: unknown) => ReturnType<Forward>>
  return ({ name, at, payload }) => to[at](name, payload)
}

/** The file or corpus of a call, read from the unparsed payload. */
function named(field: 'key' | 'corpus', payload: unknown): string {
  const value =
    typeof payload === 'object' && payload !== null
      ? (payload as Readonly<Record<string, unknown>>)[field]
      : undefined
  const key = Key.safeParse(value)
  if (key.success) return key.data
  throw new RpcError('BAD_INPUT', `the call names no ${field}: ${z.prettifyError(key.error)}`)
}

/** The probe's thread as the main process sees it. */
export interface ProbeThread {
  /** Starts the thread if it is not running. */
  readonly link: () => Link<ProbeThreadContract>
  /** [L27] Lets go of a file's sessions. */
  readonly forget: (key: string) => void
  close(): Promise<void>
}

interface ThreadOptions {
  readonly url: URL
  readonly data: ProbeThreadData
  /** Environment of the thread. It contains the keys of served stores and embedders. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * [D48] Dedicated probe thread, started with the first request, so that a session without probes costs nothing. A crash
 * rejects the requests in flight; the next one restarts the thread.
 */
export function createProbeThread(options: ThreadOptions): ProbeThread {
  const pool = createWorkerPool<ProbeThreadContract>({ ...options, size: 1 })
  return {
    link: () =>
      linkOf(pool.lease(0), (why) => ({
        what: `the thread of the probe stopped (${why})`,
        where: 'probe',
        do: 'Try again: it is starting again',
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

/** The thread of results as the main process sees it. */
export interface ResultsThread {
  /** Starts the thread if it is not running. */
  readonly link: () => Link<ResultsThreadContract>
  close(): Promise<void>
}

/** [F140] Dedicated thread for batch results, started with the first request because it loads a database. */
export function createResultsThread(options: {
  readonly url: URL
  readonly data: ResultsThreadData
}): ResultsThread {
  const pool = createWorkerPool<ResultsThreadContract>({ ...options, size: 1 })
  return {
    link: () =>
      linkOf(pool.lease(0), (why) => ({
        what: `the thread that asks results stopped (${why})`,
        where: 'results',
        do: 'Try again: it is starting again',
      })),
    close: async () => {
      const ending = pool
        .running()
        .map((client) => client.call('results.close', {}).catch(() => undefined))
      await Promise.all(ending)
      await pool.close()
    },
  }
}
