import type { TextReader } from '../../schema/event.ts'
import { parseJson } from '../json/value.ts'
import { draft, setEvents, type EventDraft } from '../shared/drafts.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import { entryOf, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { timeAt } from '../shared/said.ts'
import {
  createSessionWriters,
  type SessionWriter,
  type SessionWriters,
} from '../shared/session-writer.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { identityOf, isLangMessage, langMessage, takeLangMessage } from './message.ts'

const LOOKED_AT = 200
/** Graphs inside of graphs are followed this deep. */
const DEEPEST = 8

function isOurs(value: unknown): boolean {
  return isLangMessage(value) || rowOf(value) !== null || stateOf(value) !== null
}

function holdsMessages(value: unknown): boolean {
  if (!isList(value)) return isOurs(value)
  const items = value.slice(0, LOOKED_AT)
  return items.some((item) =>
    isList(item) ? item.slice(0, LOOKED_AT).some(isLangMessage) : isOurs(item),
  )
}

interface Reading {
  readonly log: ImportLog
  readonly writers: SessionWriters
  /** By thread and graph. Threads that no file names are distinguished by their place. */
  readonly threads: Map<string, Thread>
  readonly all: Thread[]
  /** The list whose messages come now. */
  open: Cursor | null
}

function read(log: ImportLog, texts: TextReader): Reader {
  const writers = createSessionWriters(log, texts)
  const reading: Reading = { log, writers, threads: new Map(), all: [], open: null }
  return {
    take: (record) => take(record, reading),
    drafts: writers.drafts,
    tidy: () => {
      for (const thread of reading.all) tidyThread(thread)
      writers.tidy()
    },
  }
}

function take(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  if (record.header === true) {
    reading.open = beginState(
      newThread(textAt(value, 'thread_id', 'id', 'session_id'), reading),
      null,
      false,
    )
  } else if (isList(value)) {
    reading.open = null
    for (const item of value) take({ value: item, ref }, reading)
    reading.open = null
  } else takeOne(record, reading)
}

function takeOne(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const row = rowOf(value)
  if (row !== null) {
    const thread = threadOf(row.session, '', reading)
    takeMessage({ value: row.message, ref }, beginState(thread, null, true), reading)
    return
  }
  const state = stateOf(value)
  if (state !== null) {
    takeState(state, record, reading, 0)
    return
  }
  reading.open ??= beginState(newThread(null, reading), null, true)
  takeMessage(record, reading.open, reading)
}

function newThread(id: string | null, { writers, all }: Reading): Thread {
  const thread = createThread(writers.open(id))
  all.push(thread)
  return thread
}

/** The thread of a state. The outermost graph is `main`; an inner one belongs to a sub-agent. */
function threadOf(id: string | null, graph: string, reading: Reading): Thread {
  const key = `${id ?? ''}\n${graph}`
  const known = reading.threads.get(key)
  if (known !== undefined) return known
  const parent = graph === '' ? null : threadOf(id, '', reading).writer.session.id
  const name = graph === '' ? id : `${parent ?? ''}/${graph}`
  const writer = reading.writers.open(name, graph === '' ? 'main' : graph, parent)
  const thread = createThread(writer)
  reading.threads.set(key, thread)
  reading.all.push(thread)
  return thread
}

function takeState(state: State, record: RawRecord, reading: Reading, depth: number): void {
  const thread = threadOf(state.thread, state.graph, reading)
  const cursor = beginState(thread, state.at, state.adds)
  for (const value of state.messages) takeMessage({ value, ref: record.ref }, cursor, reading)
  for (const name of state.beside) reading.log.skip(`state/${name}`)
  if (depth >= DEEPEST) return
  for (const inner of state.inner) {
    const found = stateOf(inner)
    if (found === null) continue
    const named = { ...found, thread: found.thread ?? state.thread }
    takeState(named, record, reading, depth + 1)
  }
}

function takeMessage({ value, ref }: RawRecord, cursor: Cursor, { log }: Reading): void {
  const message = langMessage(value)
  if (message === null) {
    log.unusable({ value, ref }, 'not a message: neither its type nor its role is known')
    return
  }
  if (message.type === 'remove') {
    log.skip('removal of a message')
    return
  }
  const { writer } = cursor.thread
  const origin = { at: null, model: null, source: ref }
  const say = (): void => takeLangMessage(message, { origin, writer, log })
  if (tell(cursor, keyOf(cursor, identityOf(message)), say) === 'known')
    log.skip('message that another state repeats')
}

/** The events of one message, and the message that follows it. */
interface Block {
  events: EventDraft[]
  at: number | null
  next: Block | null
}

/** A session recorded as successive states. Each state repeats the messages of the previous one. */
interface Thread {
  readonly writer: SessionWriter
  /** Sentinel before the first message. */
  readonly start: Block
  last: Block
  readonly known: Map<string, Block>
  /** States so far. Message times are derived from state times only if there are several states. */
  states: number
  dirty: boolean
}

function createThread(writer: SessionWriter): Thread {
  const start: Block = { events: [], at: null, next: null }
  return { writer, start, last: start, known: new Map(), states: 0, dirty: false }
}

/** Insertion point of a state's next message. */
interface Cursor {
  readonly thread: Thread
  readonly at: number | null
  behind: Block
  /** Occurrences of each message in this state so far. */
  readonly seen: Map<string, number>
}

function beginState(thread: Thread, at: number | null, adds: boolean): Cursor {
  thread.states += 1
  // From the second state on messages have times, also those that were said before.
  if (thread.states === 2) thread.dirty = true
  return { thread, at, behind: adds ? thread.last : thread.start, seen: new Map() }
}

/**
 * [I131] Adds a message unless an earlier state of the thread has it. A new one goes after its predecessor in the same
 * state, for any order of the states. `say` pushes its events.
 */
function tell(cursor: Cursor, key: string, say: () => void): 'new' | 'known' {
  const { thread, at } = cursor
  const known = thread.known.get(key)
  if (known !== undefined) {
    cursor.behind = known
    if (at !== null && (known.at === null || at < known.at)) {
      known.at = at
      thread.dirty = true
    }
    return 'known'
  }
  const { events } = thread.writer.session
  const before = events.length
  say()
  const block: Block = { events: events.slice(before), at, next: cursor.behind.next }
  if (cursor.behind === thread.last) thread.last = block
  else thread.dirty = true
  cursor.behind.next = block
  cursor.behind = block
  thread.known.set(key, block)
  thread.dirty ||= at !== null
  return 'new'
}

/** Key of a message: its identity, and how often that identity occurred earlier in its state. */
function keyOf(cursor: Cursor, identity: string): string {
  const said = fingerprint(identity)
  const times = cursor.seen.get(said) ?? 0
  cursor.seen.set(said, times + 1)
  return `${said} ${times}`
}

/** Puts the events in the order of their messages, and gives them the time of the first state that has them. */
function tidyThread(thread: Thread): void {
  if (!thread.dirty) return
  thread.dirty = false
  const ordered: EventDraft[] = []
  for (let block = thread.start.next; block !== null; block = block.next) {
    const { at } = block
    if (thread.states > 1 && at !== null)
      block.events = block.events.map((event) =>
        event.at === at ? event : draft(event.kind, event, { ...event, at }, event),
      )
    for (const event of block.events) ordered.push(event)
  }
  setEvents(thread.writer.session, ordered)
}

/** The messages of one moment of a thread. */
interface State {
  readonly messages: readonly unknown[]
  /** Id of the thread; null if the file does not name it. */
  readonly thread: string | null
  /** Which graph inside of the thread; empty for the outermost. */
  readonly graph: string
  readonly at: number | null
  /** Names of what else is in the state. */
  readonly beside: readonly string[]
  /** States of graphs that ran inside of this one. */
  readonly inner: readonly unknown[]
  /** The messages are those that one step added, not the full list. */
  readonly adds: boolean
}

const STATE_LOOKED_AT = 50

/** Places where a state may keep its channels. The first one with messages counts. */
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
    if (list.slice(0, STATE_LOOKED_AT).some(isLangMessage)) return list
  }
  return null
}

/** [I131] The state that a value is; null for a message and for anything else. */
function stateOf(value: unknown): State | null {
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

/** The messages added by the nodes of one step: `{agent: {messages: […]}}`. */
function updateOf(value: Readonly<Record<string, unknown>>): State | null {
  const nodes = Object.values(value).slice(0, STATE_LOOKED_AT)
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
function rowOf(value: unknown): { readonly session: string; readonly message: unknown } | null {
  const session = textAt(value, 'session_id', 'thread_id', 'SessionId')
  const given = entryOf(isObject(value) ? value : {}, 'message')
  const message = typeof given === 'string' ? parseJson(given) : given
  return session !== null && isLangMessage(message) ? { session, message } : null
}

/** [I131] LangChain and LangGraph: lists of messages, histories of chats, states and checkpoints of threads. */
export const langchain: Importer = {
  name: 'langchain',
  label: 'LangChain and LangGraph messages and states (JSON, JSONL)',
  detect: (head) => head.values.some(holdsMessages),
  split: () => ({ by: 'records', lists: ['messages'], header: true, arrays: true }),
  read,
}
