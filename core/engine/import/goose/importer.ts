import { takeEnvelope } from '../shared/envelope.ts'
import {
  asText,
  compact,
  entryOf,
  has,
  isList,
  isObject,
  listAt,
  own,
  textAt,
} from '../shared/guards.ts'
import {
  byName,
  call,
  event,
  result,
  skip,
  stub,
  takeSpoken,
  thought,
  timeAt,
  words,
  type PartTable,
  type Said,
  type SaidEvent,
  type Voice,
} from '../shared/said.ts'
import { readSessions, type SessionsReading, type SessionWriter } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'

/** [I132] Contents of a message by type. Calls and results say whether they could be read at all. */
const PARTS: PartTable = {
  text: (part) => [words(textAt(part, 'text'))],
  image: (part) => [words(stub('image', textAt(part, 'mimeType', 'mime_type')))],
  thinking: (part) => [thought(textAt(part, 'thinking'))],
  reasoning: (part) => [thought(textAt(part, 'text', 'reasoning'))],
  redactedThinking: () => [thought('[redacted thinking]')],
  toolRequest: (part) => requestOf(part),
  frontendToolRequest: (part) => requestOf(part),
  toolResponse: (part) => [responseOf(part)],
  toolConfirmationRequest: () => [skip('toolConfirmationRequest')],
  actionRequired: (part) => actionOf(own(part, 'data')),
  systemNotification: (part) => noticeOf(part),
  contextLengthExceeded: (part) => noticeOf(part),
  summarizationRequested: (part) => noticeOf(part),
  conversationCompacted: (part) => noticeOf(part),
}

const readPart = byName(PARTS)

/** Types that only Goose has; `text` and `image` are everybody's. */
const OWN_TYPES: readonly string[] = Object.keys(PARTS).filter(
  (type) => !['text', 'image', 'thinking', 'reasoning'].includes(type),
)

function noticeOf(part: unknown): readonly SaidEvent[] {
  return [
    event('notification', textAt(part, 'msg') ?? '', textAt(part, 'notificationType', 'type')),
  ]
}

/** A call that could not be read is shown with its error. */
function requestOf(part: unknown): readonly Said[] {
  const id = textAt(part, 'id')
  const request = own(part, 'toolCall')
  const value = own(request, 'value') ?? (textAt(request, 'name') === null ? null : request)
  const made = call(textAt(value, 'name'), id, own(value, 'arguments'))
  const error = textAt(request, 'error')
  return error === null ? [made] : [made, event('system', error, 'tool call')]
}

function responseOf(part: unknown): Said {
  const id = textAt(part, 'id')
  const outcome = own(part, 'toolResult')
  const error = textAt(outcome, 'error')
  if (error !== null) return result(null, id, error, true)
  const value = own(outcome, 'value') ?? outcome
  const content = isList(value) ? value : own(value, 'content')
  const text = isList(content) ? textsOf(content) : compact(value)
  return result(null, id, text, own(value, 'isError') === true)
}

/** Tools answer the model and the user, often with the same text. Duplicates are dropped. */
function textsOf(content: readonly unknown[]): string {
  return [...new Set(content.map(textOf))].join('\n')
}

function textOf(item: unknown): string {
  const text = asText(own(item, 'text')) ?? textAt(own(item, 'resource'), 'text')
  if (text !== null) return text
  const type = textAt(item, 'type')
  return type === null || own(item, 'data') === undefined
    ? compact(item)
    : stub(type, textAt(item, 'mimeType'))
}

/** A question to the user, or the user's answer. */
function actionOf(data: unknown): readonly SaidEvent[] {
  const type = textAt(data, 'actionType')
  if (type === 'elicitation') return [event('agent', textAt(data, 'message') ?? '', 'elicitation')]
  if (type === 'elicitationResponse')
    return [event('user', compact(own(data, 'userData') ?? own(data, 'user_data')))]
  return [skip(`actionRequired/${type ?? 'untyped'}`)]
}

/** Whether some content of a message is one that only Goose writes. */
function hasOwnPart(message: unknown): boolean {
  return listAt(message, 'content').some((part) => OWN_TYPES.includes(textAt(part, 'type') ?? ''))
}

/** Keys under which an export keeps its messages. */
const LISTS = ['conversation', 'messages']
const ROLES: Readonly<Record<string, Voice>> = {
  user: { kind: 'user' },
  assistant: { kind: 'agent' },
}

/** The first line of a file, and the object around the messages of an export. */
function isHeader(value: unknown): boolean {
  return textAt(value, 'working_dir') !== null && has(value, 'message_count') && !has(value, 'role')
}

function isMessage(value: unknown): boolean {
  if (entryOf(ROLES, textAt(value, 'role') ?? '') === undefined) return false
  if (hasOwnPart(value)) return true
  const content = own(value, 'content')
  const typed =
    isList(content) && content.length > 0 && content.every((part) => textAt(part, 'type') !== null)
  return typed && typeof own(value, 'created') === 'number' && !has(value, 'model')
}

function isGoose(value: unknown): boolean {
  if (isList(value)) return value.slice(0, 50).some(isGoose)
  if (isMessage(value) || isHeader(value)) return true
  return LISTS.some((key) => listAt(value, key).slice(0, 50).some(hasOwnPart))
}

interface State {
  open: SessionWriter | null
  model: string | null
  /** Whether the user role means the agent: an agent instructs its sub-agent under that role. */
  isSub: boolean
}

type Reading = SessionsReading & State

function take(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  if (isList(value)) {
    for (const item of value) take({ value: item, ref }, reading)
    return
  }
  takeEnvelope(record, LISTS, {
    header: (head) => takeHeader(head, reading),
    item: (one) => {
      if (isHeader(one.value)) takeHeader(one.value, reading)
      else takeMessage(one, reading)
    },
  })
}

function takeHeader(value: unknown, reading: Reading): void {
  const isSub = textAt(value, 'session_type') === 'sub_agent'
  const id = textAt(value, 'id', 'session_id')
  const parent = textAt(value, 'parent_session_id', 'parentSessionId')
  const writer = reading.writers.open(
    id,
    isSub ? (id ?? 'sub_agent') : 'main',
    isSub ? parent : null,
  )
  writer.session.cwd = textAt(value, 'working_dir')
  writer.session.title = textAt(value, 'name', 'description')
  writer.session.startedAt = timeAt(value, 'created_at')
  reading.open = writer
  reading.isSub = isSub
  reading.model = textAt(own(value, 'model_config'), 'model_name')
  reading.log.skip('header')
}

function takeMessage({ value, ref }: RawRecord, reading: Reading): void {
  const { log } = reading
  const role = textAt(value, 'role')
  if (role === null || !isObject(value)) {
    log.unusable({ value, ref }, 'neither the header of a session nor a message: it has no role')
    return
  }
  const writer = (reading.open ??= reading.writers.open(null))
  const model = role === 'assistant' ? reading.model : null
  const origin = { at: timeAt(value, 'created'), model, source: ref }
  const place = { origin, writer, log }
  const voice = voiceOf(value, role, reading)
  const before = writer.count()
  const content = own(value, 'content')
  takeSpoken(content, readPart, voice, place)
  if (writer.count() === before) log.skip(`${role} without content`)
}

/** Text hidden from the user was added for the agent. */
function voiceOf(value: unknown, role: string, { isSub }: Reading): Voice {
  const voice = entryOf(ROLES, role) ?? { kind: 'meta', name: role }
  const hidden = own(own(value, 'metadata'), 'userVisible') === false
  if (voice.kind !== 'user' || !(hidden || isSub)) return voice
  const kind = hidden ? 'injected' : 'subagent_prompt'
  const rule = hidden ? 'not-visible' : null
  return { kind: 'user', fallback: { kind, rule, always: false } }
}

/** [I132] Goose: a session file (a header, then a message a line), or an exported session. */
export const goose: Importer = {
  name: 'goose',
  label: 'Goose session (JSONL, JSON)',
  detect: (head) => head.values.some(isGoose),
  split: () => ({ by: 'records', lists: LISTS, header: true, arrays: true }),
  read: readSessions<State>(() => ({ open: null, model: null, isSub: false }), take),
}
