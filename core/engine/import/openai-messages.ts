import type { EventKind } from '../schema/event.ts'
import { flatText, piecesOf } from './blocks.ts'
import type { Piece } from './blocks.ts'
import { draft, sessionDraft } from './drafts.ts'
import type { Origin, SessionDraft } from './drafts.ts'
import { compact, epoch, isList, isObject, own, text } from './guards.ts'
import type { Head } from './head.ts'
import type { Ledger } from './ledger.ts'
import { messagesOfDisplay } from './messages-display.ts'
import type { Importer, RawRecord, Reader } from './source.ts'

/** [I8] What a role means as an event. A role that is not here is shown as `meta`, under its name. */
const KINDS: Readonly<Record<string, EventKind>> = {
  user: 'user',
  assistant: 'agent',
  system: 'system',
  developer: 'system',
  tool: 'tool_result',
  function: 'tool_result',
}

function isMessage(value: unknown): boolean {
  const role = own(value, 'role')
  if (typeof role !== 'string' || !Object.hasOwn(KINDS, role)) return false
  return ['content', 'tool_calls', 'function_call', 'refusal'].some(
    (key) => own(value, key) !== undefined,
  )
}

/** True for a message, a list that begins with one, or an object with such a list. */
function holdsMessages(value: unknown): boolean {
  if (isMessage(value) || displayOf(value) !== null) return true
  const list = isList(value) ? value : own(value, 'messages')
  if (!isList(list)) return false
  const first = list[0]
  return isMessage(first) || (isList(value) && holdsInside(first))
}

function displayOf(value: unknown): string | null {
  const display = text(own(value, 'messages_display'))
  return display !== null && messagesOfDisplay(display).length > 0 ? display : null
}

/** The messages that a record holds, or null when it is a message itself. */
function listOf(value: unknown): readonly unknown[] | null {
  const display = displayOf(value)
  if (display !== null) return messagesOfDisplay(display)
  const list = isList(value) ? value : own(value, 'messages')
  return isList(list) ? list : null
}

/** One level down: an array of sessions. Not deeper, whatever the file does. */
function holdsInside(value: unknown): boolean {
  const list = isList(value) ? value : own(value, 'messages')
  return isList(list) && isMessage(list[0])
}

function detect(head: Head): boolean {
  return head.values.some(holdsMessages)
}

/** State of a file: bare messages gather in one session, lists make one each. */
interface Reading {
  readonly ledger: Ledger
  readonly sessions: SessionDraft[]
  loose: SessionDraft | null
  /** Names of calls by id, of the session in progress. */
  calls: Map<string, string>
}

function read(ledger: Ledger): Reader {
  const reading: Reading = { ledger, sessions: [], loose: null, calls: new Map() }
  return {
    take(record) {
      takeRecord(record, reading)
    },
    drafts: () => reading.sessions,
  }
}

/** One object over the whole file: its messages are located one by one. */
function ownsList(head: Head): boolean {
  return head.layout === 'document' && holdsInside(head.values[0]) && isObject(head.values[0])
}

function takeRecord(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const list = listOf(value)
  if (list !== null) {
    reading.calls = new Map()
    reading.loose = null
    const session = openSession(reading, value)
    for (const message of list) takeMessage({ value: message, ref }, session, reading)
    if (list.length === 0) reading.ledger.skip('session without messages')
    return
  }
  if (reading.loose === null) {
    reading.loose = openSession(reading, null)
    reading.calls = new Map()
  }
  takeMessage(record, reading.loose, reading)
}

function openSession(reading: Reading, holder: unknown): SessionDraft {
  const given = text(own(holder, 'id')) ?? text(own(holder, 'session_id'))
  const session = sessionDraft(given ?? `session-${reading.sessions.length + 1}`)
  session.title = text(own(holder, 'title'))
  reading.sessions.push(session)
  return session
}

function takeMessage(record: RawRecord, session: SessionDraft, reading: Reading): void {
  const { value, ref } = record
  const role = own(value, 'role')
  if (!isObject(value) || typeof role !== 'string') {
    const place = { ...ref, text: compact(value).slice(0, 400) }
    reading.ledger.problem('unknown_shape', place, 'not a message: it has no role')
    return
  }
  const origin: Origin = {
    at: epoch(own(value, 'timestamp') ?? own(value, 'created_at') ?? own(value, 'create_time')),
    model: text(own(value, 'model')),
    source: ref,
  }
  const before = session.events.length
  takeReasoning(value, session, origin)
  takeContent(value, { session, reading, origin, role })
  takeCalls(value, { session, reading, origin, role })
  if (session.events.length === before) reading.ledger.skip(`${role} without content`)
}

interface Context {
  readonly session: SessionDraft
  readonly reading: Reading
  readonly origin: Origin
  readonly role: string
}

function takeReasoning(message: unknown, session: SessionDraft, origin: Origin): void {
  const thought = text(own(message, 'reasoning_content')) ?? text(own(message, 'reasoning'))
  if (thought !== null) session.events.push(draft('reasoning', thought, origin))
}

function takeContent(message: unknown, context: Context): void {
  const { role, session, origin, reading } = context
  const kind = Object.hasOwn(KINDS, role) ? (KINDS[role] ?? 'meta') : 'meta'
  const content = own(message, 'content')
  if (kind === 'tool_result') {
    const callId = text(own(message, 'tool_call_id'))
    const name = text(own(message, 'name')) ?? reading.calls.get(callId ?? '') ?? null
    session.events.push(draft(kind, flatText(content), origin, { callId, name }))
    return
  }
  const author = text(own(message, 'name')) ?? (kind === 'meta' ? role : null)
  const spoken: string[] = []
  const flush = (): void => {
    const joined = spoken.splice(0).join('\n')
    if (joined !== '') session.events.push(draft(kind, joined, origin, { name: author }))
  }
  for (const piece of [...piecesOf(content), ...piecesOf(own(message, 'refusal'))]) {
    if (piece.kind === 'text' || piece.kind === 'stub') {
      if (piece.text !== '') spoken.push(piece.text)
    } else {
      flush()
      takePiece(piece, context)
    }
  }
  flush()
}

function takePiece(piece: Exclude<Piece, { kind: 'text' | 'stub' }>, context: Context): void {
  const { session, origin, reading } = context
  if (piece.kind === 'unknown') {
    reading.ledger.skip(`part/${piece.type}`)
  } else if (piece.kind === 'reasoning') {
    session.events.push(draft('reasoning', piece.text, origin))
  } else if (piece.kind === 'call') {
    pushCall(context, piece)
  } else {
    const name = reading.calls.get(piece.id ?? '') ?? null
    const parts = { callId: piece.id, name, isError: piece.isError }
    session.events.push(draft('tool_result', piece.text, origin, parts))
  }
}

function takeCalls(message: unknown, context: Context): void {
  const legacy = own(message, 'function_call')
  if (isObject(legacy)) pushCall(context, callOf(legacy, null))
  const calls = own(message, 'tool_calls')
  if (!isList(calls)) return
  for (const call of calls) {
    pushCall(context, callOf(own(call, 'function') ?? own(call, 'custom') ?? call, call))
  }
}

function callOf(target: unknown, holder: unknown): Call {
  const args = own(target, 'arguments') ?? own(target, 'input')
  return { name: text(own(target, 'name')), id: text(own(holder, 'id')), text: compact(args) }
}

interface Call {
  readonly name: string | null
  readonly id: string | null
  readonly text: string
}

function pushCall(context: Context, call: Call): void {
  const { session, reading, origin } = context
  if (call.id !== null && call.name !== null) reading.calls.set(call.id, call.name)
  session.events.push(draft('tool_call', call.text, origin, { name: call.name, callId: call.id }))
}

/** Chat completion messages: an array, an object or lines of them. */
export const openaiMessages: Importer = {
  name: 'openai-messages',
  label: 'OpenAI messages (JSON, JSONL)',
  detect,
  split: ({ head }) => ({
    by: 'records',
    lists: ownsList(head) ? ['messages'] : [],
    arrays: true,
  }),
  read,
}
