import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { ProbeSettings } from '../../../engine/schema/probe-settings.ts'
import { queryInContext } from '../../../engine/probe/query-context.ts'
import type { CallContext, Handlers, Input } from '../../../wire/rpc.ts'
import { refusal } from '../../shared/names.ts'
import { type OpenSessions, explain } from '../open-sessions.ts'
import type { StateStore } from '../state-store.ts'
import { streamOf } from '../../../wire/stream-of.ts'
import { embedderHandlers } from './embedder-handlers.ts'
import type { ProbeThread } from './thread.ts'
import type { ProbeMessage } from '../../probe/sessions/session-probe.ts'
import type { ProbeThreadContract } from '../../probe/contract.ts'
import type { ProbeBlocks } from '../../probe/session-contract.ts'

type ProbeHandlers = Pick<
  Handlers<TurnscopeContract>,
  Extract<keyof TurnscopeContract, `probe.${string}`>
>

interface Around {
  readonly sessions: OpenSessions
  readonly thread: ProbeThread
  readonly state: StateStore
}

type PromptInput = Omit<Input<TurnscopeContract, 'session.prompt'>, 'probe'>

export interface ProbePart {
  readonly handlers: ProbeHandlers
  readonly blocks: (input: PromptInput, context: CallContext) => Promise<ProbeBlocks>
}

interface Address {
  readonly key: string
  readonly session: number
}

type SessionInput = Address & Pick<Input<TurnscopeContract, 'probe.session'>, 'config' | 'options'>
type Question = Input<ProbeThreadContract, 'probe.session'>

/** What all methods need: settings of now, and questions about a session with its messages. */
interface Asking extends Around {
  readonly settingsNow: () => Promise<ProbeSettings>
  /** With the messages of persons up to an event; null = all. */
  readonly questionOf: (
    input: SessionInput,
    to: number | null,
    context: CallContext,
  ) => Promise<Question>
}

function askingOf(around: Around): Asking {
  const { sessions, state } = around
  const settingsNow = async (): Promise<ProbeSettings> => (await state.settings()).probe

  async function messagesOf(
    { key, session }: Address,
    to: number | null,
    { signal }: CallContext,
  ): Promise<readonly ProbeMessage[]> {
    const open = sessions.get(key)
    const messages: ProbeMessage[] = []
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

  return {
    ...around,
    settingsNow,
    questionOf: async (input, to, context) => {
      const { key, session, config, options } = input
      const messages = await messagesOf(input, to, context)
      const settings = await settingsNow()
      return { key, session, options, settings, preset: config.preset, messages: [...messages] }
    },
  }
}

/** Methods of the probe: settings are here, texts with the sessions' threads, all else in the probe's. */
export function createProbeHandlers(around: Around): ProbePart {
  const asking = askingOf(around)
  return {
    handlers: {
      ...embedderHandlers(around.thread, around.state),
      ...sessionHandlers(asking),
      ...workspaceHandlers(asking),
    },
    blocks: (input, context) => blocksFor(asking, input, context),
  }
}

type OfSessions = 'probe.session' | 'probe.scores' | 'probe.turn'

function sessionHandlers(asking: Asking): Pick<ProbeHandlers, OfSessions> {
  const { sessions, thread, questionOf } = asking
  return {
    'probe.session': async function* (input, context) {
      yield* thread.stream('probe.session', await questionOf(input, null, context), context)
    },
    'probe.scores': async function* (input, context) {
      yield* thread.stream('probe.scores', await questionOf(input, null, context), context)
    },
    'probe.turn': async ({ seq, ...input }, context) => {
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
    },
  }
}

type OfWorkspace =
  | 'probe.collections'
  | 'probe.index'
  | 'probe.remove'
  | 'probe.text'
  | 'probe.chunk'
  | 'probe.retrieve'
  | 'probe.curve'
  | 'probe.querySets'

function workspaceHandlers({ thread, settingsNow }: Asking): Pick<ProbeHandlers, OfWorkspace> {
  return {
    'probe.collections': async (_, context) =>
      thread.call('probe.collections', { settings: await settingsNow() }, context),
    'probe.index': async function* (input, context) {
      yield* thread.stream('probe.index', { ...input, settings: await settingsNow() }, context)
    },
    'probe.curve': async function* (input, context) {
      yield* thread.stream('probe.curve', { ...input, settings: await settingsNow() }, context)
    },
    'probe.text': async (input, context) =>
      thread.call('probe.text', { ...input, settings: await settingsNow() }, context),
    'probe.retrieve': async (input, context) =>
      thread.call('probe.retrieve', { ...input, settings: await settingsNow() }, context),
    'probe.remove': (input, context) => thread.call('probe.remove', input, context),
    'probe.chunk': (input, context) => thread.call('probe.chunk', input, context),
    'probe.querySets': (input, context) => thread.call('probe.querySets', input, context),
  }
}

async function blocksFor(
  { thread, questionOf }: Asking,
  { seq, config, compare, ...address }: PromptInput,
  context: CallContext,
): Promise<ProbeBlocks> {
  const question = await questionOf({ ...address, config, options: {} }, seq, context)
  const message = question.messages.at(-1)
  if (message === undefined) throw noMessage(seq)
  const previous = question.messages.at(-2)
  const seqs = [message.seq, ...(previous === undefined ? [] : [previous.seq])]
  const { blocks } = await thread.call('probe.blocks', { ...question, seqs }, context)
  const [own = null, before = null] = blocks
  if (compare === null) return { message: own, previous: before, compare: null }
  const other = { ...question, preset: compare.preset, seqs: [message.seq] }
  const [compared = null] = (await thread.call('probe.blocks', other, context)).blocks
  return { message: own, previous: before, compare: compared }
}

function noMessage(seq: number) {
  return refusal({
    what: `event ${seq} is no message of a person`,
    where: 'this session',
    do: 'Choose another event',
  })
}
