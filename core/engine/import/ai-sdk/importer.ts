import { parseJson } from '../json/value.ts'
import { takeEnvelope } from '../shared/envelope.ts'
import { asText, entryOf, has, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { fileStub } from '../shared/model-output.ts'
import {
  event,
  takeParts,
  takeSpoken,
  takeSaid,
  timeAt,
  type Place,
  type Voice,
} from '../shared/said.ts'
import { readSessions, type SessionWriter, type SessionsReading } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'
import { invocation, isModelPart, isUiPart, readPart } from './parts.ts'
import { noteLastAnswer, noteUsage, usageOf } from '../shared/usage.ts'
import type { ModelCall } from '../../schema/context.ts'

const VOICES: Readonly<Record<string, Voice>> = {
  user: { kind: 'user' },
  assistant: { kind: 'agent' },
  system: { kind: 'system' },
  tool: { kind: 'tool_result' },
  data: { kind: 'meta', name: 'data' },
}

/** Parts as a list; tables of chats keep them as JSON in a string. */
function partsOf(message: unknown): readonly unknown[] {
  const parts = own(message, 'parts')
  const list = typeof parts === 'string' ? parseJson(parts) : parts
  return isList(list) ? list : []
}

/** [I130] A message that nothing but this kit writes. */
function isOwn(value: unknown): boolean {
  if (entryOf(VOICES, textAt(value, 'role') ?? '') === undefined) return false
  const parts = partsOf(value)
  if (parts.length > 0)
    return parts.every((part) => textAt(part, 'type') !== null) && parts.some(isUiPart)
  if (listAt(value, 'toolInvocations').some((tool) => textAt(tool, 'toolCallId') !== null))
    return true
  return listAt(value, 'content').some(isModelPart)
}

/** Messages of a chat, or of the answer of a call. */
function messagesIn(value: unknown): readonly unknown[] {
  const answer = own(own(value, 'response'), 'messages')
  return isList(answer) ? answer : listAt(value, 'messages')
}

const LOOKED_AT = 200

function isChat(value: unknown): boolean {
  return isOwn(value) || messagesIn(value).slice(0, LOOKED_AT).some(isOwn)
}

function holdsChats(value: unknown): boolean {
  return isList(value) ? value.slice(0, LOOKED_AT).some(isChat) : isChat(value)
}

interface State {
  /** The chat whose messages come now, as its own or in no list. */
  open: SessionWriter | null
  model: string | null
  /** Rows of a table of messages, by the chat that they name. */
  readonly rows: Map<string, SessionWriter>
}

type Reading = SessionsReading & State

function take(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  if (isList(value)) {
    reading.open = null
    for (const item of value) takeOne({ value: item, ref }, reading)
    reading.open = null
    return
  }
  takeOne(record, reading)
}

function takeOne(record: RawRecord, reading: Reading): void {
  const answer = own(own(record.value, 'response'), 'messages')
  const inner =
    isList(answer) && isObject(record.value) ? { ...record.value, messages: answer } : null
  takeEnvelope(inner === null ? record : { ...record, value: inner }, ['messages'], {
    header: (value, around) => openChat(value, around, reading),
    item: (one) => takeMessage(one, reading),
  })
  // The result of a call: its usage is that of the last step.
  if (inner !== null && reading.open !== null)
    noteLastAnswer(reading.open, resultUsage(record.value))
}

function resultUsage(value: unknown): ModelCall | null {
  const usage = usageOf(own(value, 'usage'))
  return usage === null ? null : { id: textAt(own(value, 'response'), 'id'), ...usage }
}

function openChat(value: unknown, { ref }: RawRecord, reading: Reading): void {
  const writer = reading.writers.open(textAt(value, 'id', 'chatId', 'threadId'))
  writer.session.title = textAt(value, 'title')
  writer.session.startedAt = timeAt(value, 'createdAt', 'created_at')
  reading.open = writer
  reading.model = textAt(value, 'model', 'modelId')
  const system = asText(own(value, 'system'))
  const origin = { at: null, model: null, source: ref }
  if (system !== null) writer.push(draft('system', system, origin))
  for (const key of ['usage', 'totalUsage', 'tools']) if (has(value, key)) reading.log.skip(key)
}

function writerOf(message: unknown, reading: Reading): SessionWriter {
  const chat = textAt(message, 'chatId', 'threadId')
  if (chat === null || reading.open !== null) return (reading.open ??= reading.writers.open(null))
  const known = reading.rows.get(chat) ?? reading.writers.open(chat)
  reading.rows.set(chat, known)
  return known
}

function originOf({ value, ref }: RawRecord, role: string, { model }: Reading): Origin {
  const metadata = own(value, 'metadata')
  const at = timeAt(value, 'createdAt', 'created_at') ?? timeAt(metadata, 'createdAt', 'timestamp')
  const said = textAt(value, 'model', 'modelId') ?? textAt(metadata, 'model', 'modelId')
  return { at, model: said ?? (role === 'assistant' ? model : null), source: ref }
}

function takeMessage({ value, ref }: RawRecord, reading: Reading): void {
  const { log } = reading
  const role = textAt(value, 'role')
  if (role === null) {
    log.unusable({ value, ref }, 'not a message: it has no role')
    return
  }
  const metadata = own(value, 'metadata')
  const writer = writerOf(value, reading)
  const place = { origin: originOf({ value, ref }, role, reading), writer, log }
  const voice = entryOf(VOICES, role) ?? { kind: 'meta', name: role }
  const before = writer.count()
  const parts = partsOf(value)
  if (parts.length > 0) takeParts(parts, readPart, voice, place)
  else takeContent(value, voice, place)
  const attached = own(value, 'experimental_attachments') ?? own(value, 'attachments')
  if (isList(attached) && !parts.some((part) => textAt(part, 'type') === 'file'))
    for (const file of attached)
      takeSaid(event('injected', fileStub('attachment', file), 'attachment'), place)
  const isNoted = noteUsage(writer, before, value)
  if (listAt(value, 'annotations').length > 0 || has(metadata, 'annotations'))
    log.skip('annotations')
  if (has(metadata, 'usage') && !isNoted) log.skip('usage')
  if (writer.count() === before) log.skip(`${role} without content`)
}

/** Model messages, and UI messages of version 4 without parts: thoughts, content, then tools. */
function takeContent(value: unknown, voice: Voice, place: Place): void {
  const content = own(value, 'content')
  const thought = textAt(value, 'reasoning')
  if (thought !== null) takeSaid(event('reasoning', thought), place)
  takeSpoken(content, readPart, voice, place)
  for (const tool of listAt(value, 'toolInvocations')) takeParts([tool], invocation, voice, place)
}

/** [I130] Vercel AI SDK: UI messages (`parts`, `toolInvocations`) and model messages (`tool-call`). */
export const aiSdk: Importer = {
  name: 'ai-sdk',
  label: 'Vercel AI SDK messages (JSON, JSONL)',
  detect: (head) => head.values.some(holdsChats),
  split: () => ({ by: 'records', lists: ['messages'], header: true, arrays: true }),
  read: readSessions<State>(() => ({ open: null, model: null, rows: new Map() }), take),
}
