import { takeEnvelope } from '../shared/envelope.ts'
import { asText, entryOf, has, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { readAnyPart } from '../shared/said-parts.ts'
import {
  call,
  event,
  result,
  stub,
  takeSpoken,
  takeSaid,
  timeAt,
  words,
  type PartReader,
  type Place,
  type Voice,
} from '../shared/said.ts'
import { readSessions, type SessionWriter, type SessionsReading } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'

const VOICES: Readonly<Record<string, Voice>> = {
  user: { kind: 'user' },
  assistant: { kind: 'agent' },
  system: { kind: 'system' },
  thinking: { kind: 'reasoning' },
}

interface State {
  open: SessionWriter | null
  model: string | null
  /** Calls whose result was said: the state of a call and a message of the tool both have it. */
  answered: Set<string>
}

type Reading = SessionsReading & State

function isItem(value: unknown): boolean {
  const role = textAt(own(value, 'message'), 'role')
  return (
    role !== null && ['contextItems', 'toolCallStates', 'promptLogs'].some((key) => has(value, key))
  )
}

function isSession(value: unknown): boolean {
  const history = listAt(value, 'history')
  if (history.slice(0, 20).some(isItem)) return true
  return (
    textAt(value, 'sessionId') !== null && has(value, 'workspaceDirectory') && history.length > 0
  )
}

function take(record: RawRecord, reading: Reading): void {
  takeEnvelope(record, ['history'], {
    header: (value) => openSession(value, reading),
    item: (one) => takeItem(one, reading),
  })
}

function openSession(value: unknown, reading: Reading): void {
  const { session } = (reading.open = reading.writers.open(textAt(value, 'sessionId')))
  session.title = textAt(value, 'title')
  session.cwd = textAt(value, 'workspaceDirectory')
  session.startedAt = timeAt(value, 'dateCreated')
  reading.model = textAt(value, 'chatModelTitle')
  reading.answered = new Set()
  if (has(value, 'usage')) reading.log.skip('usage')
}

function takeItem({ value, ref }: RawRecord, reading: Reading): void {
  const { log } = reading
  const message = own(value, 'message')
  const role = textAt(message, 'role')
  if (role === null) {
    log.unusable({ value, ref }, 'not an entry of a history: it has no message with a role')
    return
  }
  const writer = (reading.open ??= reading.writers.open(null))
  const logs = listAt(value, 'promptLogs')
  for (const one of logs) if (isObject(one)) log.skip('promptLogs')
  const model = textAt(logs[0], 'modelTitle') ?? reading.model
  const origin = { at: null, model: role === 'assistant' ? model : null, source: ref }
  const place = { origin, writer, log }
  const before = writer.count()
  takeContext(value, role, place)
  const thought = textAt(own(value, 'reasoning'), 'text')
  if (thought !== null) takeSaid(event('reasoning', thought), place)
  if (role === 'tool') takeToolMessage(message, place, reading)
  else takeContent(message, entryOf(VOICES, role) ?? { kind: 'meta', name: role }, place)
  takeCalls(value, message, place, reading)
  takeSaid(event('summary', textAt(value, 'conversationSummary') ?? '', 'compaction'), place)
  if (writer.count() === before) log.skip(`${role} without content`)
}

/**
 * [I137] Context that the user attached by name precedes the typed text and was not typed. Next to other messages, the
 * items repeat a tool's output.
 */
function takeContext(value: unknown, role: string, place: Place): void {
  for (const item of listAt(value, 'contextItems')) {
    const text = [textAt(item, 'name'), textAt(item, 'content')].filter((part) => part !== null)
    if (role === 'user') takeSaid(event('injected', text.join('\n'), 'context-item'), place)
    else place.log.skip('contextItems')
  }
}

const readPart: PartReader = (part) => {
  if (textAt(part, 'type') !== 'imageUrl') return readAnyPart(part)
  const url = textAt(own(part, 'imageUrl'), 'url')
  return [words(stub('image', url?.startsWith('data:') === true ? null : url))]
}

function takeContent(message: unknown, voice: Voice, place: Place): void {
  const content = own(message, 'content')
  takeSpoken(content, readPart, voice, place)
}

function takeToolMessage(message: unknown, place: Place, { answered, log }: Reading): void {
  const id = textAt(message, 'toolCallId')
  if (id !== null && answered.has(id)) {
    log.skip('result that the state of its call has')
    log.used()
    return
  }
  if (id !== null) answered.add(id)
  const content = own(message, 'content')
  const text = isList(content)
    ? content.map((part) => textAt(part, 'text') ?? '').join('\n')
    : asText(content)
  takeSaid(result(null, id, text ?? ''), place)
}

/** Calls of the message, then what their states say of how they ended. */
function takeCalls(value: unknown, message: unknown, place: Place, reading: Reading): void {
  const legacy = own(value, 'toolCallState')
  const states = [...listAt(value, 'toolCallStates'), ...(isObject(legacy) ? [legacy] : [])]
  const made = listAt(message, 'toolCalls')
  const known = new Set(made.map((one) => textAt(one, 'id')))
  const others = states.filter((state) => !known.has(textAt(state, 'toolCallId')))
  for (const one of [...made, ...others.map((state) => own(state, 'toolCall'))]) {
    const inner = own(one, 'function')
    takeSaid(call(textAt(inner, 'name'), textAt(one, 'id'), own(inner, 'arguments')), place)
  }
  for (const state of states) takeState(state, place, reading)
}

const FAILED: readonly string[] = ['errored', 'canceled', 'cancelled']

function takeState(state: unknown, place: Place, { answered }: Reading): void {
  const id = textAt(state, 'toolCallId')
  const status = textAt(state, 'status') ?? ''
  const isError = FAILED.includes(status)
  if (!isList(own(state, 'output')) && !isError) return
  if (id !== null && answered.has(id)) return
  if (id !== null) answered.add(id)
  const texts = listAt(state, 'output').map((item) => textAt(item, 'content') ?? '')
  takeSaid(result(null, id, texts.join('\n') || (isError ? status : ''), isError), place)
}

/** [I137] Continue: a session file with its history. */
export const continueDev: Importer = {
  name: 'continue',
  label: 'Continue session (JSON)',
  detect: (head) =>
    head.values.some(
      (value) =>
        isItem(value) || (isList(value) ? value.slice(0, 50).some(isSession) : isSession(value)),
    ),
  split: () => ({ by: 'records', lists: ['history'], header: true }),
  read: readSessions<State>(() => ({ open: null, model: null, answered: new Set() }), take),
}
