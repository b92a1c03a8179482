import type { TextReader } from '../../schema/event.ts'
import { sessionDraft, type Origin, type SessionDraft } from '../shared/drafts.ts'
import { asText, epoch, has, isList, isObject, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { messageEvents, speakerOf, type GeminiContext } from './messages.ts'
import { createSlots, type Slots } from './slots.ts'
import { createGeminiStream, isStreamRecord, type GeminiStream } from './stream.ts'

const LISTS = ['messages', 'history'] as const
const TYPES = new Set(['user', 'gemini', 'model', 'info', 'error', 'warning'])
const ROLES = new Set(['user', 'model', 'gemini', 'function'])

/** The first line of JSONL, or an object with the list of messages. */
function isHeader(value: unknown): boolean {
  return textAt(value, 'sessionId') !== null && has(value, 'projectHash')
}

/** `type`, content and no link fields: Claude Code's records have a message inside. */
function isMessage(value: unknown): boolean {
  const type = own(value, 'type')
  if (typeof type !== 'string' || !TYPES.has(type) || has(value, 'message')) return false
  return (has(value, 'content') || has(value, 'parts')) && textAt(value, 'id') !== null
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

interface Reading {
  readonly log: ImportLog
  readonly texts: TextReader
  session: SessionDraft | null
  slots: Slots | null
  stream: GeminiStream | null
  context: GeminiContext
  model: string | null
}

function read(log: ImportLog, texts: TextReader): Reader {
  const context: GeminiContext = { calls: new Map(), skip: log.skip, spoken: 'user' }
  const reading: Reading = {
    log,
    texts,
    session: null,
    slots: null,
    stream: null,
    context,
    model: null,
  }
  return {
    take: (record) => takeRecord(record, reading),
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
  reading.slots ??= createSlots(sessionOf(reading), reading.texts)
  return reading.slots
}

function takeRecord(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const at = epoch(own(value, 'timestamp') ?? own(value, 'ts'))
  const origin: Origin = { at, model: textAt(value, 'model') ?? reading.model, source: ref }
  const streams = record.header !== true && !isPatch(value) && isStreamRecord(value)
  if (!streams) reading.stream?.end()
  if (record.header === true) takeHeader(value, reading)
  else if (isPatch(value)) takePatch(value, origin, reading)
  else if (streams) takeStream(value, origin, reading)
  else if (speakerOf(value) !== null) takeMessage(value, origin, reading)
  else if (isHeader(value)) takeHeader(value, reading)
  else if (typeof own(value, 'type') === 'string') reading.log.unknown(String(own(value, 'type')))
  else {
    reading.log.unusable({ value, ref }, 'neither a message nor a patch of a chat')
  }
}

/** A later header is the same chat resumed. */
function takeHeader(value: unknown, reading: Reading): void {
  const id = textAt(value, 'sessionId')
  if (reading.session === null && own(value, 'kind') === 'subagent') {
    const name = textAt(value, 'agentId') ?? id ?? 'subagent'
    reading.session = sessionDraft(id ?? name, name, textAt(value, 'parentSessionId'))
    reading.context = { ...reading.context, spoken: 'subagent_prompt' }
  }
  const session = sessionOf(reading, id)
  session.startedAt ??= epoch(own(value, 'startTime') ?? own(value, 'start_time'))
  reading.model ??= textAt(own(value, 'meta'), 'model')
  takeFacts(value, session)
  reading.log.skip('header')
}

/** Side facts, which may be patched later. */
function takeFacts(value: unknown, session: SessionDraft): void {
  session.title = textAt(value, 'summary') ?? session.title
  const directories = own(value, 'directories')
  if (isList(directories)) session.cwd = asText(directories[0]) ?? session.cwd
}

function takeMessage(value: unknown, origin: Origin, reading: Reading): void {
  const events = messageEvents(value, origin, reading.context) ?? []
  const type = textAt(value, 'type', 'role') ?? 'message'
  if (events.length === 0) reading.log.skip(`${type} without content`)
  const id = textAt(value, 'id')
  if (slotsOf(reading).put(id, events) === 'again') reading.log.skip('message written again')
}

/** [I15] `$set` changes facts, or replaces the list of messages; `$rewindTo` takes messages back. */
function takePatch(value: unknown, origin: Origin, reading: Reading): void {
  const target = textAt(value, '$rewindTo')
  if (target !== null) {
    const found = slotsOf(reading).rewind(target)
    reading.log.skip(found ? '$rewindTo' : '$rewindTo of an unknown message')
    return
  }
  const set = own(value, '$set')
  const session = sessionOf(reading, textAt(set, 'sessionId'))
  takeFacts(set, session)
  const messages = own(set, 'messages')
  if (isList(messages)) {
    const ids = messages.map((message) => textAt(message, 'id'))
    slotsOf(reading).keep(new Set(ids.filter((id) => id !== null)))
    for (const message of messages) {
      const at = epoch(own(message, 'timestamp'))
      const model = textAt(message, 'model')
      if (speakerOf(message) === null) reading.log.skip('$set/message')
      else takeMessage(message, { ...origin, at, model }, reading)
    }
  }
  reading.log.skip('$set')
}

function takeStream(value: unknown, origin: Origin, reading: Reading): void {
  if (own(value, 'type') === 'init') {
    sessionOf(reading, textAt(value, 'session_id')).startedAt ??= origin.at
    reading.model = textAt(value, 'model')
  }
  // Also before the first piece is written: its id must not depend on when someone looks.
  sessionOf(reading)
  reading.stream ??= createGeminiStream(() => slotsOf(reading), reading.log.skip)
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
  detect: (head) => head.values.some(isGemini),
  split: () => ({ by: 'records', lists: LISTS, header: true }),
  read,
  companions,
}
