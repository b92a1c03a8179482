import type { TurnscopeContract } from '../../contract.ts'
import type { ProbeSettings } from '../../engine/schema/probe-settings.ts'
import { queryInContext } from '../../engine/probe/query-context.ts'
import type { CallContext, CallName, Handlers, Input, Output } from '../../rpc.ts'
import { refusal } from '../names.ts'
import type { OpenSessions } from '../open-sessions.ts'
import { explain } from '../open-sessions.ts'
import type { StateStore } from '../state-store.ts'
import { streamOf } from '../stream-of.ts'
import { embedderHandlers } from './embedder-handlers.ts'
import type { ProbeThread } from './thread.ts'
import type { TrackMessage } from './tracks.ts'
import type { ProbeThreadContract } from './worker/contract.ts'
import type { ProbeBlocks } from './worker/session-contract.ts'

type ProbeHandlers = Pick<
  Handlers<TurnscopeContract>,
  Extract<keyof TurnscopeContract, `probe.${string}`>
>

interface Around {
  readonly sessions: OpenSessions
  readonly thread: ProbeThread
  readonly state: StateStore
}

export interface ProbePart {
  readonly handlers: ProbeHandlers
  readonly blocks: (
    input: Omit<Input<TurnscopeContract, 'session.prompt'>, 'probe'>,
    context: CallContext,
  ) => Promise<ProbeBlocks>
}

interface Address {
  readonly key: string
  readonly session: number
}

/** Methods of the probe: settings are here, texts with the sessions' threads, all else in the probe's. */
export function createProbeHandlers({ sessions, thread, state }: Around): ProbePart {
  const settingsNow = async (): Promise<ProbeSettings> => (await state.settings()).probe

  /** Messages of persons up to an event; null = all. */
  async function messagesOf(
    { key, session }: Address,
    to: number | null,
    { signal }: CallContext,
  ): Promise<readonly TrackMessage[]> {
    const open = sessions.get(key)
    const messages: TrackMessage[] = []
    const { client } = open.lease
    try {
      for await (const batch of streamOf(client, 'probe.messages', { key, session, to }, signal)) {
        messages.push(...batch.messages)
      }
    } catch (error) {
      throw explain(error, open)
    }
    signal.throwIfAborted()
    return messages
  }

  async function questionOf(
    input: Address & Pick<Input<TurnscopeContract, 'probe.session'>, 'config' | 'options'>,
    to: number | null,
    context: CallContext,
  ): Promise<Input<ProbeThreadContract, 'probe.session'>> {
    const { key, session, config, options } = input
    const messages = await messagesOf(input, to, context)
    const settings = await settingsNow()
    return { key, session, options, settings, preset: config.preset, messages: [...messages] }
  }

  const forward =
    <K extends 'probe.remove' | 'probe.chunk' | 'probe.querySets'>(name: K) =>
    (input: Input<ProbeThreadContract, K>, context: CallContext) =>
      thread.call(name, input, context)

  const forwardWith =
    <K extends CallName<ProbeThreadContract> & ('probe.text' | 'probe.retrieve')>(name: K) =>
    async (
      input: Omit<Input<ProbeThreadContract, K>, 'settings'>,
      context: CallContext,
    ): Promise<Output<ProbeThreadContract, K>> => {
      const settings = await settingsNow()
      // Both contracts differ by `settings` alone; a name that varies loses the tie between them.
      return thread.call(name, { ...input, settings } as Input<ProbeThreadContract, K>, context)
    }

  const turn: ProbeHandlers['probe.turn'] = async ({ seq, ...input }, context) => {
    const question = await questionOf(input, seq, context)
    const message = question.messages.at(-1)
    if (message === undefined) throw noMessage(seq)
    const { lease } = sessions.get(input.key)
    const { key, session, preset } = question
    const at = { key, session, preset, seq: message.seq }
    const { classification } = await lease.client.call('probe.query', at, context.signal)
    const answer = await thread.call('probe.turn', { ...question, seq: message.seq }, context)
    const query = queryInContext(classification, answer.result)
    return { ...answer, query, text: message.text }
  }

  return {
    handlers: {
      ...embedderHandlers(thread, state),
      'probe.collections': async (_, context) =>
        thread.call('probe.collections', { settings: await settingsNow() }, context),
      'probe.index': async function* (input, context) {
        yield* thread.stream('probe.index', { ...input, settings: await settingsNow() }, context)
      },
      'probe.curve': async function* (input, context) {
        yield* thread.stream('probe.curve', { ...input, settings: await settingsNow() }, context)
      },
      'probe.session': async function* (input, context) {
        yield* thread.stream('probe.session', await questionOf(input, null, context), context)
      },
      'probe.scores': async function* (input, context) {
        yield* thread.stream('probe.scores', await questionOf(input, null, context), context)
      },
      'probe.turn': turn,
      'probe.text': forwardWith('probe.text'),
      'probe.retrieve': forwardWith('probe.retrieve'),
      'probe.remove': forward('probe.remove'),
      'probe.chunk': forward('probe.chunk'),
      'probe.querySets': forward('probe.querySets'),
    },
    blocks: async ({ seq, config, compare, ...address }, context) => {
      const question = await questionOf({ ...address, config, options: {} }, seq, context)
      const message = question.messages.at(-1)
      if (message === undefined) throw noMessage(seq)
      const previous = question.messages.at(-2)
      const seqs = [message.seq, ...(previous === undefined ? [] : [previous.seq])]
      const { blocks } = await thread.call('probe.blocks', { ...question, seqs }, context)
      const [own = null, before = null] = blocks
      if (compare === null) return { message: own, previous: before, compare: null }
      const preset = compare.preset
      const other = { ...question, preset, seqs: [message.seq] }
      const [compared = null] = (await thread.call('probe.blocks', other, context)).blocks
      return { message: own, previous: before, compare: compared }
    },
  }
}

function noMessage(seq: number) {
  return refusal({
    what: `event ${seq} is no message of a person`,
    where: 'this session',
    do: 'Choose another event',
  })
}
