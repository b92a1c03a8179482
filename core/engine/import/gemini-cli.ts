import { sessionDraft, type Origin, type SessionDraft } from './drafts.ts'
import { messageEvents, speakerOf, type GeminiContext } from './gemini-messages.ts'
import { createSlots, type Slots } from './gemini-slots.ts'
import { createGeminiStream, isStreamRecord, type GeminiStream } from './gemini-stream.ts'
import { compact, epoch, isList, isObject, own, text } from './guards.ts'
import type { Head } from './head.ts'
import type { Ledger } from './ledger.ts'
import type { Importer, RawRecord, Reader } from './source.ts'

const LISTS = ['messages', 'history'] as const
const TYPES = new Set(['user', 'gemini', 'model', 'info', 'error', 'warning'])
const ROLES = new Set(['user', 'model', 'gemini', 'function'])

function has(value: unknown, key: string): boolean {
  return isObject(value) && Object.hasOwn(value, key)
}

/** The first line of JSONL, or an object with the list of messages. */
function isHeader(value: unknown): boolean {
  return text(own(value, 'sessionId')) !== null && has(value, 'projectHash')
}

/** `type`, content and no link fields: Claude Code's records have a message inside. */
function isMessage(value: unknown): boolean {
  const type = own(value, 'type')
  if (typeof type !== 'string' || !TYPES.has(type) || has(value, 'message')) return false
  return (has(value, 'content') || has(value, 'parts')) && text(own(value, 'id')) !== null
}

/** An item of a `/chat save` checkpoint. */
function isContent(value: unknown): boolean {
  const role = own(value, 'role')
  return typeof role === 'string' && ROLES.has(role) && isList(own(value, 'parts'))
}

function isPatch(value: unknown): boolean {
  return isObject(own(value, '$set')) || typeof own(value, '$rewindTo') === 'string'
}

function holdsItems(list: unknown): boolean {
  return isList(list) && list.slice(0, 20).some((item) => isMessage(item) || isContent(item))
}

function isGemini(value: unknown): boolean {
  if (isList(value)) return value.slice(0, 3).some(isContent)
  if (isHeader(value) || isPatch(value) || isContent(value) || isStreamRecord(value)) return true
  return isMessage(value) || LISTS.some((key) => holdsItems(own(value, key)))
}

function detect(head: Head): boolean {
  return head.values.some(isGemini)
}

interface Reading {
  readonly ledger: Ledger
  session: SessionDraft | null
  slots: Slots | null
  stream: GeminiStream | null
  context: GeminiContext
  model: string | null
}

function read(ledger: Ledger): Reader {
  const context: GeminiContext = { calls: new Map(), skip: ledger.skip, spoken: 'user' }
  const reading: Reading = {
    ledger,
    session: null,
    slots: null,
    stream: null,
    context,
    model: null,
  }
  return {
    take(record) {
      takeRecord(record, reading)
    },
    drafts: () => [
      ...(reading.session === null ? [] : [reading.session]),
      ...(reading.slots?.branches() ?? []),
    ],
    tidy() {
      reading.stream?.flush()
      reading.slots?.tidy()
    },
  }
}

function sessionOf(reading: Reading, id: string | null = null): SessionDraft {
  reading.session ??= sessionDraft(id ?? 'session-1')
  return reading.session
}

function slotsOf(reading: Reading): Slots {
  reading.slots ??= createSlots(sessionOf(reading))
  return reading.slots
}

function takeRecord(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const at = epoch(own(value, 'timestamp') ?? own(value, 'ts'))
  const origin: Origin = { at, model: text(own(value, 'model')) ?? reading.model, source: ref }
  const streams = record.header !== true && !isPatch(value) && isStreamRecord(value)
  if (!streams) reading.stream?.end()
  if (record.header === true) takeHeader(value, reading)
  else if (isPatch(value)) takePatch(value, origin, reading)
  else if (streams) takeStream(value, origin, reading)
  else if (speakerOf(value) !== null) takeMessage(value, origin, reading)
  else if (isHeader(value)) takeHeader(value, reading)
  else if (typeof own(value, 'type') === 'string') reading.ledger.skip(String(own(value, 'type')))
  else {
    const place = { ...ref, text: compact(value).slice(0, 400) }
    reading.ledger.problem('unknown_shape', place, 'neither a message nor a patch of a chat')
  }
}

/** A later header is the same chat resumed. */
function takeHeader(value: unknown, reading: Reading): void {
  const id = text(own(value, 'sessionId'))
  if (reading.session === null && own(value, 'kind') === 'subagent') {
    const name = text(own(value, 'agentId')) ?? id ?? 'subagent'
    reading.session = sessionDraft(id ?? name, name, text(own(value, 'parentSessionId')))
    reading.context = { ...reading.context, spoken: 'subagent_prompt' }
  }
  const session = sessionOf(reading, id)
  session.startedAt ??= epoch(own(value, 'startTime') ?? own(value, 'start_time'))
  reading.model ??= text(own(own(value, 'meta'), 'model'))
  takeFacts(value, session)
  reading.ledger.skip('header')
}

/** Side facts, which may be patched later. */
function takeFacts(value: unknown, session: SessionDraft): void {
  session.title = text(own(value, 'summary')) ?? session.title
  const directories = own(value, 'directories')
  if (isList(directories)) session.cwd = text(directories[0]) ?? session.cwd
}

function takeMessage(value: unknown, origin: Origin, reading: Reading): void {
  const events = messageEvents(value, origin, reading.context) ?? []
  const type = text(own(value, 'type')) ?? text(own(value, 'role')) ?? 'message'
  if (events.length === 0) reading.ledger.skip(`${type} without content`)
  const id = text(own(value, 'id'))
  if (slotsOf(reading).put(id, events) === 'again') reading.ledger.skip('message written again')
}

/** [I15] `$set` changes facts, or replaces the list of messages; `$rewindTo` takes messages back. */
function takePatch(value: unknown, origin: Origin, reading: Reading): void {
  const target = text(own(value, '$rewindTo'))
  if (target !== null) {
    const found = slotsOf(reading).rewind(target)
    reading.ledger.skip(found ? '$rewindTo' : '$rewindTo of an unknown message')
    return
  }
  const set = own(value, '$set')
  const session = sessionOf(reading, text(own(set, 'sessionId')))
  takeFacts(set, session)
  const messages = own(set, 'messages')
  if (isList(messages)) {
    const ids = messages.map((message) => text(own(message, 'id')))
    slotsOf(reading).keep(new Set(ids.filter((id) => id !== null)))
    for (const message of messages) {
      const at = epoch(own(message, 'timestamp'))
      const model = text(own(message, 'model'))
      if (speakerOf(message) === null) reading.ledger.skip('$set/message')
      else takeMessage(message, { ...origin, at, model }, reading)
    }
  }
  reading.ledger.skip('$set')
}

function takeStream(value: unknown, origin: Origin, reading: Reading): void {
  if (own(value, 'type') === 'init') {
    sessionOf(reading, text(own(value, 'session_id'))).startedAt ??= origin.at
    reading.model = text(own(value, 'model'))
  }
  // Also before the first piece is written: its id must not depend on when someone looks.
  sessionOf(reading)
  reading.stream ??= createGeminiStream(() => slotsOf(reading), reading.ledger.skip)
  reading.stream.take(value, origin)
}

/** `session-<time>-<first 8 of the id>`: sub-agents have a folder named by the id beside it. */
const CHAT = /^session-.*-([0-9a-f]{8})\.jsonl?$/

function companions(name: string, neighbours: readonly string[]): readonly string[] {
  const short = CHAT.exec(name)?.[1]
  if (short === undefined) return []
  return neighbours.filter((path) => path.startsWith(short) && /^[^/]+\/[^/]+\.jsonl?$/.test(path))
}

/** Gemini CLI: chats as JSON and JSONL, `/chat save` checkpoints, and `-o stream-json`. */
export const geminiCli: Importer = {
  name: 'gemini-cli',
  label: 'Gemini CLI chat (JSON, JSONL)',
  detect,
  split: () => ({ by: 'records', lists: LISTS, header: true }),
  read,
  companions,
}
