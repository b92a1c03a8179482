import type { OpenSource, TurnscopeContract } from '../../wire/contract.ts'
import type { CallContext, CallName, Handlers, Input, Output } from '../../wire/rpc.ts'
import { type OpenSessions, explain } from './open-sessions.ts'
import type { ProbePart } from './probe/handlers.ts'
import type { ProbeBlocks } from '../probe/session-contract.ts'
import type { Recent, StateStore } from './state-store.ts'
import { streamOf } from '../../wire/stream-of.ts'
import type { WorkerContract } from '../session/contract.ts'

type SessionHandlers = Pick<
  Handlers<TurnscopeContract>,
  Extract<keyof TurnscopeContract, `session.${string}` | 'bundle.session' | 'bundle.step'>
>

type Steps = ReturnType<OpenSessions['open']>

/** The steps of opening; a file of the machine joins the recent ones. */
async function* remembered(
  steps: Steps,
  source: OpenSource,
  remember: (entry: Omit<Recent, 'openedAt'>) => Promise<void>,
): Steps {
  let opened: { path: string; name: string; format: string } | null = null
  for await (const value of steps) {
    if (value.kind === 'opened' && source.kind === 'path' && value.path !== null) {
      opened = { path: value.path, name: value.name, format: value.formatLabel }
    }
    // Listed at once, and with its number of turns when that is known.
    const counts = value.kind === 'opened' || (value.kind === 'grown' && value.complete)
    if (opened !== null && counts) await remember({ ...opened, turns: value.turns })
    yield value
  }
}

interface Around {
  readonly state: StateStore
  readonly clock: () => number
  /** What the probe found for a prompt. */
  readonly blocksOf: ProbePart['blocks']
}

const NO_BLOCKS: ProbeBlocks = { message: null, previous: null, compare: null }

/** Methods about opened sessions: the main process forwards, the worker that owns the session answers. */
export function createSessionHandlers(
  sessions: OpenSessions,
  { state, clock, blocksOf }: Around,
): SessionHandlers {
  const forward =
    <K extends CallName<WorkerContract>>(name: K) =>
    async (
      input: Input<WorkerContract, K> & { key: string },
      { signal }: CallContext,
    ): Promise<Output<WorkerContract, K>> => {
      const session = sessions.get(input.key)
      try {
        return await session.lease.client.call(name, input, signal)
      } catch (error) {
        throw explain(error, session)
      }
    }

  return {
    'session.open': ({ source }, { signal }) =>
      remembered(sessions.open(source, signal), source, (entry) =>
        state.remember({ ...entry, openedAt: clock() }),
      ),
    'session.close': async ({ key }) => {
      await sessions.close(key)
      return {}
    },
    'session.replay': async function* (input, { signal }) {
      const session = sessions.get(input.key)
      try {
        yield* streamOf(session.lease.client, 'session.replay', input, signal)
      } catch (error) {
        throw explain(error, session)
      }
    },
    'session.index': forward('session.index'),
    'session.rows': forward('session.rows'),
    'session.trace': forward('session.trace'),
    'session.oracle': forward('session.oracle'),
    'session.response': forward('session.response'),
    'session.prompt': async ({ probe, ...input }, context) => {
      const blocks = probe ? await blocksOf(input, context) : NO_BLOCKS
      return forward('session.prompt')({ ...input, blocks }, context)
    },
    'session.raw': forward('session.raw'),
    'session.problems': forward('session.problems'),
    'session.line': forward('session.line'),
    'session.find': forward('session.find'),
    'bundle.session': forward('bundle.session'),
    'bundle.step': forward('bundle.step'),
    'session.excerpts': forward('session.excerpts'),
    'session.tools': forward('session.tools'),
    'session.follow': ({ key }, { signal }) => sessions.follow(key, signal),
  }
}
