import { parseJson } from '../json/value.ts'
import { entryOf, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { timeAt } from '../shared/said.ts'
import { isLangMessage, langMessage } from './message.ts'

/** The messages of one moment of a thread. */
export interface State {
  readonly messages: readonly unknown[]
  /** Id of the thread; null where the file does not say it. */
  readonly thread: string | null
  /** Which graph inside of the thread; empty for the outermost. */
  readonly graph: string
  readonly at: number | null
  /** Names of what else is in the state. */
  readonly beside: readonly string[]
  /** States of graphs that ran inside of this one. */
  readonly inner: readonly unknown[]
  /** The messages are what one step added, not all there are. */
  readonly adds: boolean
}

const LOOKED_AT = 50

/** Where a state keeps its channels. The first that has messages counts. */
const CHANNELS: ReadonlyArray<(value: unknown) => unknown> = [
  (value) => own(value, 'values'),
  (value) => own(value, 'channel_values'),
  (value) => own(own(value, 'checkpoint'), 'channel_values'),
  (value) => own(own(value, 'state'), 'values'),
  (value) => (isList(own(value, 'kwargs')) ? null : own(value, 'kwargs')),
]

function messagesIn(channels: unknown): readonly unknown[] | null {
  for (const key of ['messages', 'chat_history']) {
    const list = listAt(channels, key)
    if (list.slice(0, LOOKED_AT).some(isLangMessage)) return list
  }
  return null
}

/** [I131] The state that a value is; null for a message and for anything else. */
export function stateOf(value: unknown): State | null {
  if (!isObject(value) || langMessage(value) !== null) return null
  for (const channel of CHANNELS) {
    const channels = channel(value)
    const messages = messagesIn(channels)
    if (messages !== null) return stateFrom(value, channels, messages, false)
  }
  const plain = messagesIn(value)
  if (plain !== null) return stateFrom(value, null, plain, false)
  return updateOf(value)
}

/** What the nodes of one step added: `{agent: {messages: […]}}`. */
function updateOf(value: Readonly<Record<string, unknown>>): State | null {
  const nodes = Object.values(value).slice(0, LOOKED_AT)
  if (nodes.length === 0 || !nodes.every((node) => node === null || isObject(node))) return null
  const lists = nodes.map(messagesIn)
  if (lists.every((list) => list === null)) return null
  return stateFrom(
    value,
    null,
    lists.flatMap((list) => list ?? []),
    true,
  )
}

function stateFrom(
  value: unknown,
  channels: unknown,
  messages: readonly unknown[],
  adds: boolean,
): State {
  const config = own(own(value, 'config'), 'configurable')
  const beside = isObject(channels) ? Object.keys(channels) : []
  return {
    messages,
    thread: textAt(config, 'thread_id') ?? textAt(value, 'thread_id'),
    graph: textAt(config, 'checkpoint_ns') ?? textAt(value, 'checkpoint_ns') ?? '',
    at: timeAt(value, 'created_at', 'ts') ?? timeAt(own(value, 'checkpoint'), 'ts'),
    beside: beside.filter((name) => name !== 'messages' && name !== 'chat_history'),
    inner: listAt(value, 'tasks')
      .map((task) => own(task, 'state'))
      .filter(isObject),
    adds,
  }
}

/** A row of a table of messages: `{session_id, message}`, the message also as JSON in a string. */
export function rowOf(
  value: unknown,
): { readonly session: string; readonly message: unknown } | null {
  const session = textAt(value, 'session_id', 'thread_id', 'SessionId')
  const given = entryOf(isObject(value) ? value : {}, 'message')
  const message = typeof given === 'string' ? parseJson(given) : given
  return session !== null && isLangMessage(message) ? { session, message } : null
}
