import { isAbsolute, resolve } from 'node:path'
import type { TurnscopeContract } from '../../wire/contract.ts'
import type { Client, Handlers, Input, Output } from '../../wire/rpc.ts'
import { type OpenSessions, explain } from './open-sessions.ts'
import { streamOf } from '../../wire/stream-of.ts'
import type { WorkerContract } from '../session/contract.ts'

type ExportHandlers = Pick<
  Handlers<TurnscopeContract>,
  Extract<keyof TurnscopeContract, `export.${string}`>
>

interface Exports {
  readonly sessions: OpenSessions
  /** Where relative paths start. */
  readonly base: string
  readonly ask: <T>(question: (client: Client<WorkerContract>) => Promise<T>) => Promise<T>
}

/** What leaves the machine: the thread that holds the session does the work. */
export function createExportHandlers({ sessions, base, ask }: Exports): ExportHandlers {
  async function* forward<K extends 'export.review' | 'export.write'>(
    name: K,
    input: Input<WorkerContract, K> & { key: string },
    signal: AbortSignal,
  ): AsyncGenerator<Output<WorkerContract, K>> {
    const session = sessions.get(input.key)
    try {
      yield* streamOf(session.lease.client, name, input, signal)
    } catch (error) {
      throw explain(error, session)
    }
  }
  return {
    'export.review': (input, { signal }) => forward('export.review', input, signal),
    'export.write': (input, { signal }) => {
      const { path } = input
      const target = path === null || isAbsolute(path) ? path : resolve(base, path)
      return forward('export.write', { ...input, path: target }, signal)
    },
    'export.text': (input, { signal }) =>
      ask((client) => client.call('export.text', input, signal)),
  }
}
