import { textOf } from '../../schema/event.ts'
import { compact, entryOf, has, listAt, own, textAt } from '../shared/guards.ts'
import { readAnyPart } from '../shared/said-parts.ts'
import {
  call,
  event,
  result,
  speak,
  takeSpoken,
  takeSaid,
  timeAt,
  type Place,
  type Voice,
} from '../shared/said.ts'
import { readSessions, type SessionWriter, type SessionsReading } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'

const VOICES: Readonly<Record<string, Voice>> = {
  user: { kind: 'user' },
  assistant: { kind: 'agent' },
  system: { kind: 'system' },
}

interface State {
  open: SessionWriter | null
  /** Sessions of a stream by their id. */
  readonly streams: Map<string, SessionWriter>
  model: string | null
}

type Reading = SessionsReading & State
type Take = (value: unknown, place: Place, reading: Reading) => void

/** [I134] Records by type: of the session store, and of `droid exec --output-format stream-json`. */
const RECORDS: Readonly<Record<string, Take>> = {
  session_start: (value, { writer }) => {
    writer.session.title = textAt(value, 'sessionTitle', 'title')
    writer.session.cwd = textAt(value, 'cwd')
  },
  message: takeMessage,
  compaction_state: (value, place) =>
    takeSaid(event('summary', textAt(value, 'summaryText', 'summary') ?? '', 'compaction'), place),
  system: (value, { writer }, reading) => {
    writer.session.cwd ??= textAt(value, 'cwd')
    reading.model = textAt(value, 'model') ?? reading.model
  },
  reasoning: (value, place) =>
    takeSaid(event('reasoning', textAt(value, 'text', 'content') ?? ''), place),
  tool_call: (value, place) => {
    const name = textAt(value, 'toolName', 'toolId')
    takeSaid(call(name, callId(value), own(value, 'parameters') ?? own(value, 'input')), place)
  },
  tool_result: (value, place) => {
    const given = own(value, 'value') ?? own(value, 'error') ?? own(value, 'content')
    const isError = own(value, 'isError') === true
    takeSaid(
      result(textAt(value, 'toolName', 'toolId'), callId(value), compact(given), isError),
      place,
    )
  },
  completion: takeAnswer,
  error: (value, { origin, writer, log }) => {
    const text = textAt(value, 'message') ?? compact(own(value, 'error'))
    takeSaid(event('system', text, 'error'), { origin: { ...origin, model: null }, writer, log })
  },
}

function callId(value: unknown): string | null {
  return textAt(value, 'toolCallId', 'id')
}

/** In the store the message is inside of its record, in a stream it is the record. */
function takeMessage(value: unknown, place: Place, reading: Reading): void {
  const message = has(value, 'message') ? own(value, 'message') : value
  const role = textAt(message, 'role') ?? 'untyped'
  const voice = entryOf(VOICES, role) ?? { kind: 'meta', name: role }
  const isAgent = voice.kind === 'agent'
  const model = isAgent ? (textAt(message, 'model', 'modelId') ?? reading.model) : null
  const here = { ...place, origin: { ...place.origin, model } }
  const content = own(message, 'content') ?? own(message, 'text')
  takeSpoken(content, readAnyPart, voice, here)
}

/** Repeats the last answer. It is added only if the stream did not contain it. */
function takeAnswer(value: unknown, place: Place, reading: Reading): void {
  const text = textAt(value, 'finalText') ?? ''
  const last = place.writer.session.events.findLast((one) => one.kind === 'agent')
  const isRepeated = last?.chars === text.length && textOf(last, place.writer.texts) === text
  const here = { ...place, origin: { ...place.origin, model: reading.model } }
  if (!isRepeated) speak(text, { kind: 'agent' }, here)
}

function isDroid(value: unknown): boolean {
  const type = textAt(value, 'type') ?? ''
  const stream = textAt(value, 'sessionId', 'session_id') !== null
  if (type === 'system') return isInit(value)
  if (type === 'session_start') return textAt(value, 'id') !== null
  if (type === 'tool_call' || type === 'tool_result') return stream && has(value, 'timestamp')
  if (type === 'completion') return has(value, 'finalText')
  if (type !== 'message') return false
  return stream ? textAt(value, 'role') !== null && has(value, 'text') : isStored(value)
}

/** Claude Code begins a stream almost so, but says more of itself. */
const CLAUDE_INIT = ['uuid', 'apiKeySource', 'permissionMode', 'mcp_servers', 'claude_code_version']

function isInit(value: unknown): boolean {
  const named = textAt(value, 'sessionId', 'session_id') !== null && textAt(value, 'model') !== null
  return named && own(value, 'subtype') === 'init' && !CLAUDE_INIT.some((key) => has(value, key))
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/u

/** A message of the store. pi writes almost the same, but with short ids, other names of parts and a time in the message. */
function isStored(value: unknown): boolean {
  const message = own(value, 'message')
  if (textAt(value, 'id') === null || entryOf(VOICES, textAt(message, 'role') ?? '') === undefined)
    return false
  const blocks = listAt(message, 'content').map((part) => textAt(part, 'type'))
  if (blocks.includes('tool_use') || blocks.includes('tool_result')) return true
  return (
    UUID.test(textAt(value, 'id') ?? '') && has(value, 'parentId') && !has(message, 'timestamp')
  )
}

function take(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const type = textAt(value, 'type')
  if (type === null) {
    reading.log.unusable(record, 'a record without a type')
    return
  }
  const writer = writerOf(value, type, reading)
  const place = {
    origin: { at: timeAt(value, 'timestamp'), model: null, source: ref },
    writer,
    log: reading.log,
  }
  const before = writer.count()
  entryOf(RECORDS, type)?.(value, place, reading)
  if (writer.count() === before)
    reading.log.skip(type === 'message' ? 'message without content' : type)
}

function writerOf(value: unknown, type: string, reading: Reading): SessionWriter {
  const { writers, streams } = reading
  if (type === 'session_start') return (reading.open = writers.open(textAt(value, 'id')))
  const id = textAt(value, 'sessionId', 'session_id')
  if (id === null) return (reading.open ??= writers.open(null))
  const known = streams.get(id) ?? writers.open(id)
  streams.set(id, known)
  return known
}

/** [I134] Factory Droid: the session store, and the stream of `droid exec`. */
export const droid: Importer = {
  name: 'droid',
  label: 'Factory Droid session (JSONL)',
  detect: (head) => head.objects.some(isDroid),
  split: () => ({ by: 'records' }),
  read: readSessions<State>(() => ({ open: null, streams: new Map(), model: null }), take),
}
