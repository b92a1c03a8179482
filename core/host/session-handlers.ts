import type { TurnscopeContract } from '../contract.ts'
import type { CallContext, CallName, Handlers, Input, Output } from '../rpc.ts'
import type { OpenSessions } from './open-sessions.ts'
import { explain } from './open-sessions.ts'
import type { StateStore } from './state-store.ts'
import { streamOf } from './stream-of.ts'
import type { WorkerContract } from './worker/contract.ts'

type SessionHandlers = Pick<
  Handlers<TurnscopeContract>,
  Extract<keyof TurnscopeContract, `session.${string}` | 'bundle.session' | 'bundle.step'>
>

/** Methods about opened sessions: the main process forwards, the worker that owns the session answers. */
export function createSessionHandlers(
  sessions: OpenSessions,
  state: StateStore,
  clock: () => number,
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
    'session.open': async function* ({ source }, { signal }) {
      let opened: { path: string; name: string; format: string } | null = null
      for await (const value of sessions.open(source, signal)) {
        if (value.kind === 'opened' && source.kind === 'path' && value.path !== null) {
          opened = { path: value.path, name: value.name, format: value.formatLabel }
        }
        // Listed at once, and with its number of turns when that is known.
        if (
          opened !== null &&
          (value.kind === 'opened' || (value.kind === 'grown' && value.complete))
        )
          await state.remember({ ...opened, openedAt: clock(), turns: value.turns })
        yield value
      }
    },
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
    'session.prompt': forward('session.prompt'),
    'session.raw': forward('session.raw'),
    'session.problems': forward('session.problems'),
    'session.line': forward('session.line'),
    'session.find': forward('session.find'),
    'bundle.session': forward('bundle.session'),
    'bundle.step': forward('bundle.step'),
    'session.excerpts': forward('session.excerpts'),
    'session.follow': ({ key }, { signal }) => sessions.follow(key, signal),
  }
}
