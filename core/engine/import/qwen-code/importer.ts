import { sessionDraft, type EventDraft, type Origin, type SessionDraft } from '../shared/drafts.ts'
import { epoch, has, isList, isObject, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { createTree, type Tree } from '../shared/record-tree.ts'
import type { ToolNames } from '../shared/tool-calls.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { resultEvents, saidEvents } from './parts.ts'
import { systemEvents } from './system.ts'
import { typedEvents } from './typed.ts'

const TYPES = new Set(['user', 'assistant', 'tool_result', 'system'])

/** Linked like records of Claude Code, with messages like those of Gemini. */
function isRecord(value: unknown): boolean {
  if (!TYPES.has(textAt(value, 'type') ?? '') || textAt(value, 'uuid') === null) return false
  if (textAt(value, 'sessionId') === null) return false
  return isList(own(own(value, 'message'), 'parts')) || has(value, 'systemPayload')
}

/** A session or a sub-agent. */
interface Thread {
  readonly session: SessionDraft
  readonly tree: Tree
  readonly calls: ToolNames
  /** Records that are messages, and others with the message that they follow. */
  readonly nodes: Set<string>
  readonly behind: Map<string, string>
}

interface Reading {
  readonly log: ImportLog
  readonly threads: Map<string, Thread>
}

function read(log: ImportLog): Reader {
  const reading: Reading = { log, threads: new Map() }
  return {
    take: (record) => takeRecord(record, reading),
    drafts: () =>
      [...reading.threads.values()].flatMap(({ session, tree }) => [session, ...tree.branches()]),
    tidy() {
      for (const { tree } of reading.threads.values()) tree.tidy()
    },
  }
}

/** [I126] The thread of a record: its session, or the sub-agent whose record it is. */
function threadOf(record: unknown, { threads }: Reading): Thread {
  const id = textAt(record, 'sessionId') ?? 'session-1'
  const isSide = own(record, 'isSidechain') === true || textAt(record, 'agentId') !== null
  const agent = isSide ? (textAt(record, 'agentId') ?? 'sidechain') : null
  const key = agent === null ? id : `${id}/${agent}`
  const there = threads.get(key)
  if (there !== undefined) return there
  const session = agent === null ? sessionDraft(id) : sessionDraft(key, agent, id)
  const made: Thread = {
    session,
    tree: createTree(session),
    calls: new Map(),
    nodes: new Set(),
    behind: new Map(),
  }
  threads.set(key, made)
  return made
}

function takeRecord({ value, ref }: RawRecord, reading: Reading): void {
  const type = textAt(value, 'type')
  if (!isObject(value) || type === null || !TYPES.has(type)) {
    const what = type === null ? 'a record without a type' : `a record of an unknown type: ${type}`
    reading.log.unusable({ value, ref }, what)
    return
  }
  const thread = threadOf(value, reading)
  const origin: Origin = { at: epoch(own(value, 'timestamp')), model: null, source: ref }
  const events = eventsOf(type, value, origin, { thread, reading })
  takeFacts(value, origin.at, thread)
  if (events.length === 0) {
    const subtype = textAt(value, 'subtype')
    reading.log.skip(subtype === null ? `${type} without content` : `${type}/${subtype}`)
  }
  link(value, events, thread)
}

function takeFacts(value: unknown, at: number | null, { session }: Thread): void {
  session.startedAt ??= at
  session.cwd ??= textAt(value, 'cwd')
  if (own(value, 'subtype') !== 'custom_title') return
  session.title = textAt(own(value, 'systemPayload'), 'customTitle') ?? session.title
}

function eventsOf(
  type: string,
  value: unknown,
  origin: Origin,
  { thread, reading }: { readonly thread: Thread; readonly reading: Reading },
): readonly EventDraft[] {
  const { session, calls } = thread
  if (type === 'assistant') {
    const from = { ...origin, model: textAt(value, 'model') }
    return saidEvents(value, from, calls, reading.log.skip)
  }
  if (type === 'system')
    return systemEvents(textAt(value, 'subtype') ?? 'system', own(value, 'systemPayload'), origin)
  const results = resultEvents(value, origin, calls)
  if (results.length > 0 || type === 'tool_result') return results
  return typedEvents(value, origin, session.thread === 'main' ? 'user' : 'subagent_prompt')
}

/**
 * [I126] Records are a tree (I16). Bookkeeping does not lead anywhere: what follows it follows the message
 * before it. A rewind does, and a record that is written in pieces is one.
 */
function link(value: unknown, events: readonly EventDraft[], thread: Thread): void {
  const { tree, nodes, behind } = thread
  const id = textAt(value, 'uuid')
  const given = textAt(value, 'parentUuid')
  const parent = given === null ? undefined : (behind.get(given) ?? given)
  const isRewind = own(value, 'subtype') === 'rewind'
  if (events.length === 0 && !isRewind) {
    if (id !== null && parent !== undefined && !nodes.has(id)) behind.set(id, parent)
    return
  }
  const isPiece = id !== null && nodes.has(id)
  // A person may edit the first message, which then has no parent.
  const first = own(value, 'parentUuid') === null && own(value, 'type') === 'user'
  tree.add(id, isPiece ? id : first ? null : parent, events)
  if (id !== null) nodes.add(id)
}

/** Qwen Code: chats as JSONL. */
export const qwenCode: Importer = {
  name: 'qwen-code',
  label: 'Qwen Code chat (JSONL)',
  detect: (head) => head.objects.some(isRecord),
  split: () => ({ by: 'records' }),
  read,
}
