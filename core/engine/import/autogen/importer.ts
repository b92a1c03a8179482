import { takeChatMessage } from '../shared/chat-message.ts'
import { draft } from '../shared/drafts.ts'
import { takeEnvelope } from '../shared/envelope.ts'
import { asText, has, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { event, result, takeSaid, type Place } from '../shared/said.ts'
import { readSessions, type SessionWriter, type SessionsReading } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'
import { isMessage, takeMessage } from './messages.ts'

interface State {
  open: SessionWriter | null
}

type Reading = SessionsReading & State

/** Messages of the context that the state of an agent keeps. */
function contextOf(value: unknown): readonly unknown[] {
  const state = own(value, 'agent_state') ?? value
  const inner = listAt(own(state, 'llm_context'), 'messages')
  return inner.length > 0 ? inner : listAt(state, 'llm_messages')
}

/** States of a team by the name of the agent; the manager of a group keeps the thread of all. */
function statesOf(value: unknown): ReadonlyArray<readonly [string, unknown]> {
  const states = own(value, 'agent_states')
  return isObject(states) ? Object.entries(states) : []
}

function isState(value: unknown): boolean {
  if (
    statesOf(value).some(([, state]) => has(state, 'message_thread') || contextOf(state).length > 0)
  )
    return true
  return textAt(value, 'type') === 'AssistantAgentState' && contextOf(value).length > 0
}

/** In an agent's context, text under the user role came from its team. */
function asTold(writer: SessionWriter): SessionWriter {
  return {
    ...writer,
    push: (one) => writer.push(one.kind === 'user' ? draft('subagent_prompt', one, one, one) : one),
  }
}

/** The result of a chat of version 0.2. */
function isOldChat(value: unknown): boolean {
  const messages = listAt(value, 'chat_history')
  return (
    ['cost', 'human_input', 'summary'].some((key) => has(value, key)) &&
    messages.slice(0, 5).some((one) => textAt(one, 'role') !== null)
  )
}

function isOurs(value: unknown): boolean {
  if (isMessage(value) || isState(value) || isOldChat(value)) return true
  return listAt(value, 'messages').slice(0, 50).some(isMessage)
}

function placeOf(writer: SessionWriter, { ref }: RawRecord, { log }: Reading): Place {
  return { origin: { at: null, model: null, source: ref }, writer, log }
}

function take(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  if (isList(value)) {
    reading.open = null
    for (const item of value) take({ value: item, ref }, reading)
    reading.open = null
  } else if (isState(value)) takeState(value, record, reading)
  else if (isOldChat(value)) takeOldChat(value, record, reading)
  else
    takeEnvelope(record, ['messages'], {
      header: (around) => {
        reading.open = reading.writers.open(textAt(around, 'id'))
        for (const key of ['stop_reason', 'usage'])
          if (textAt(around, key) !== null) reading.log.skip(key)
      },
      item: (one) =>
        takeMessage(
          one.value,
          placeOf((reading.open ??= reading.writers.open(null)), one, reading),
        ),
    })
}

/** [I139] A team: the thread of all is the session, and what each agent was given and said its sub-agents'. */
function takeState(value: unknown, record: RawRecord, reading: Reading): void {
  const main = reading.writers.open(null)
  const states = statesOf(value)
  for (const one of contextOf(value)) takeMessage(one, placeOf(main, record, reading))
  for (const [, state] of states)
    for (const one of listAt(state, 'message_thread'))
      takeMessage(one, placeOf(main, record, reading))
  for (const [name, state] of states) {
    const context = contextOf(state)
    if (context.length === 0) continue
    const writer = reading.writers.open(`${main.session.id}/${name}`, name, main.session.id)
    for (const one of context) takeMessage(one, placeOf(asTold(writer), record, reading))
  }
}

/** A user proxy's answer after it ran code. */
const RAN = /^exitcode: (-?\d+)/u

/**
 * Roles of version 0.2 are from the first speaker's view: its own messages have the role assistant. The first speaker
 * is the user.
 */
function takeOldChat(value: unknown, record: RawRecord, reading: Reading): void {
  const writer = reading.writers.open(textAt(value, 'chat_id'))
  const messages = listAt(value, 'chat_history')
  const first = speakerOf(messages[0])
  for (const message of messages) takeOld(message, first, placeOf(writer, record, reading))
  for (const key of ['cost', 'summary', 'human_input']) if (has(value, key)) reading.log.skip(key)
}

function speakerOf(message: unknown): string | null {
  return textAt(message, 'name') ?? textAt(message, 'role')
}

function takeOld(message: unknown, first: string | null, place: Place): void {
  const { writer, log, origin } = place
  const role = textAt(message, 'role')
  if (role === null) {
    log.unusable({ value: message, ref: origin.source }, 'not a message: it has no role')
    return
  }
  const answers = listAt(message, 'tool_responses')
  const text = asText(own(message, 'content')) ?? ''
  const ran = RAN.exec(text)
  const before = writer.count()
  if (answers.length > 0) {
    for (const one of answers)
      takeSaid(result(null, textAt(one, 'tool_call_id'), asText(own(one, 'content')) ?? ''), place)
  } else if (ran !== null) takeSaid(result('code', null, text, ran[1] !== '0'), place)
  else if (role === 'tool') takeSaid(result(null, textAt(message, 'tool_call_id'), text), place)
  else {
    const isPerson = speakerOf(message) === first
    const kind = role === 'system' ? 'system' : isPerson ? 'user' : 'agent'
    takeChatMessage(
      message,
      { kind, name: isPerson ? null : textAt(message, 'name') },
      origin,
      writer,
    )
  }
  if (writer.count() === before) takeSaid(event('meta', text, role), place)
  if (writer.count() === before) log.skip(`${role} without content`)
}

/** [I139] AutoGen: results and messages of AgentChat, saved states, and chats of version 0.2. */
export const autogen: Importer = {
  name: 'autogen',
  label: 'AutoGen messages and states (JSON, JSONL)',
  detect: (head) =>
    head.values.some((value) => (isList(value) ? value.slice(0, 50).some(isOurs) : isOurs(value))),
  split: () => ({ by: 'records', lists: ['messages'], header: true, arrays: true }),
  read: readSessions<State>(() => ({ open: null }), take),
}
