import type { TextReader } from '../../schema/event.ts'
import { isList, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { createSessionWriters, type SessionWriters } from '../shared/session-writer.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { identityOf, isLangMessage, langMessage, takeLangMessage } from './message.ts'
import { rowOf, stateOf, type State } from './state.ts'
import {
  beginState,
  createThread,
  keyOf,
  tell,
  tidyThread,
  type Cursor,
  type Thread,
} from './thread.ts'

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
  /** By thread and graph; those that no file names are told apart by their place. */
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

/** The thread of a state: the outermost graph is `main`, one inside of it is a sub-agent's. */
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

/** [I131] LangChain and LangGraph: lists of messages, histories of chats, states and checkpoints of threads. */
export const langchain: Importer = {
  name: 'langchain',
  label: 'LangChain and LangGraph messages and states (JSON, JSONL)',
  detect: (head) => head.values.some(holdsMessages),
  split: () => ({ by: 'records', lists: ['messages'], header: true, arrays: true }),
  read,
}
