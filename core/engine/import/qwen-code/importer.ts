import type { EventKind } from '../../schema/event-kind.ts'
import {
  draft,
  sessionDraft,
  type EventDraft,
  type Origin,
  type SessionDraft,
} from '../shared/drafts.ts'
import {
  asText,
  compact,
  entryOf,
  epoch,
  has,
  isList,
  isObject,
  listAt,
  own,
  textAt,
} from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { createTree, type Tree } from '../shared/record-tree.ts'
import type { ToolNames } from '../shared/tool-calls.ts'
import { typedAs, userTextEvents } from '../shared/user-text.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { partsOf, resultEvents, saidEvents, textOf } from './parts.ts'
import { attachUsage, usageBeside } from '../shared/usage.ts'

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
    const said = saidEvents(value, from, calls, reading.log.skip)
    attachUsage(said, usageBeside(value))
    return said
  }
  if (type === 'system')
    return systemEvents(textAt(value, 'subtype') ?? 'system', own(value, 'systemPayload'), origin)
  const results = resultEvents(value, origin, calls)
  if (results.length > 0 || type === 'tool_result') return results
  return typedEvents(value, origin, session.thread === 'main' ? 'user' : 'subagent_prompt')
}

/**
 * [I126] Records form a tree (I16). Bookkeeping records are not nodes: their successors follow the message before them.
 * A rewind is a node, and a record written in pieces is one node.
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
  // The user may edit the first message, which then has no parent.
  const first = own(value, 'parentUuid') === null && own(value, 'type') === 'user'
  tree.add(id, isPiece ? id : first ? null : parent, events)
  if (id !== null) nodes.add(id)
}

type Events = readonly EventDraft[]
type Take = (payload: unknown, origin: Origin) => Events

/** [I126] Records of the client that are events, by subtype. */
const TAKES: Readonly<Record<string, Take>> = {
  slash_command: commandEvents,
  at_command: (payload, origin) => {
    const files = listAt(payload, 'filesRead').map(
      (file) => `[file ${compact(file).slice(0, 300)}]`,
    )
    const lines = [...files, textAt(payload, 'message') ?? ''].filter((line) => line !== '')
    if (lines.length === 0) return []
    return [draft('injected', lines.join('\n'), origin, { name: 'at-command' })]
  },
  chat_compression: (payload, origin) => {
    const [first] = listAt(payload, 'compressedHistory')
    const text = listAt(first, 'parts').flatMap((part) => textOf(part) ?? [])
    const name = 'compression'
    if (text.length > 0) return [draft('summary', text.join('\n'), origin, { name })]
    return [draft('meta', compact(own(payload, 'info')), origin, { name })]
  },
  ui_telemetry: (payload, origin) => {
    const event = own(payload, 'uiEvent')
    // A tool's own error is in its result.
    const text = textAt(event, 'function_name') === null ? textAt(event, 'error_message') : null
    return text === null ? [] : [errorOf(text, origin)]
  },
  turn_result: (payload, origin) => {
    const text = textAt(own(payload, 'error'), 'message')
    return text === null ? [] : [errorOf(text, origin)]
  },
  notification: (payload, origin) => {
    const text = textAt(payload, 'displayText')
    return text === null ? [] : [draft('notification', text, origin)]
  },
  agent_bootstrap: (payload, origin) => {
    const given = own(payload, 'systemInstruction')
    const parts = listAt(given, 'parts').flatMap((part) => textOf(part) ?? [])
    const text = typeof given === 'string' ? given : parts.join('\n')
    return text === '' ? [] : [draft('system', text, origin)]
  },
}

/** Bookkeeping of the client. */
const QUIET = new Set([
  'custom_title',
  'rewind',
  'parent_session',
  'session_source',
  'session_execution_engine',
  'session_model',
  'session_approval_mode',
  'session_notes',
  'attribution_snapshot',
  'file_history_snapshot',
  'user_text_elements',
  'session_artifact_event',
  'session_artifact_snapshot',
  'session_sources_snapshot',
  'branch_checkpoint',
  'goal_state',
  'goal_runtime',
  'goal_turn_end',
  'agent_retry',
  'agent_session_ready',
  'omni_recall',
])

/** Events of a record of the client; words of one whose subtype is not known are kept under it. */
export function systemEvents(subtype: string, payload: unknown, origin: Origin): Events {
  const take = entryOf(TAKES, subtype)
  if (take !== undefined) return take(payload, origin)
  const text = QUIET.has(subtype)
    ? null
    : textAt(payload, 'displayText', 'content', 'message', 'text')
  return text === null ? [] : [draft('meta', text, origin, { name: subtype })]
}

function errorOf(text: string, origin: Origin): EventDraft {
  return draft('system', text, origin, { name: 'error', isError: true })
}

function commandEvents(payload: unknown, origin: Origin): Events {
  const command = textAt(payload, 'rawCommand') ?? ''
  if (own(payload, 'phase') !== 'result')
    return command === '' ? [] : [draft('command', command, origin, { name: 'slash-command' })]
  const shown = listAt(payload, 'outputHistoryItems').map(
    (item) => textAt(item, 'text') ?? compact(item),
  )
  const text = shown.filter((line) => line !== '').join('\n')
  return text === '' ? [] : [draft('command', text, origin, { name: 'command-output' })]
}

/** Kinds of records under the user role, by subtype. Without a subtype the user typed the record. */
const SUBTYPES: Readonly<Record<string, EventKind>> = {
  mid_turn_user_message: 'user',
  notification: 'notification',
  background_task_completed: 'notification',
  cron: 'injected',
  agent_launch_prompt: 'subagent_prompt',
}

const HOOK = '<qwen:user-prompt-submit-context>'

/** [I126] The displayed text is the text that the user typed. Text sent with it is injected. */
function typedEvents(
  record: unknown,
  origin: Origin,
  spoken: 'user' | 'subagent_prompt',
): readonly EventDraft[] {
  const texts = partsOf(record).flatMap((part) => textOf(part) ?? [])
  const hooks = texts.filter((text) => text.trimStart().startsWith(HOOK))
  const text = texts.filter((one) => !hooks.includes(one)).join('\n')
  const notes = hooks.map((hook) => draft('injected', hook, origin, { name: 'hook' }))
  const subtype = textAt(record, 'subtype')
  const kind = kindOf(record, subtype, spoken)
  const shown = asText(own(own(record, 'systemPayload'), 'displayText'))
  if (kind !== 'user' && kind !== 'subagent_prompt') {
    const words = text === '' ? (shown ?? '') : text
    return words === ''
      ? notes
      : [draft(kind, words, origin, { name: subtype ?? 'not-typed' }), ...notes]
  }
  const typed = shown ?? text
  const rest = text.startsWith(typed) ? text.slice(typed.length) : text
  return [
    ...(typed.trim() === '' ? [] : userTextEvents(typed, origin, typedAs(kind))),
    ...(rest.trim() === '' ? [] : [draft('injected', rest.trim(), origin, { name: 'context' })]),
    ...notes,
  ]
}

function kindOf(record: unknown, subtype: string | null, spoken: EventKind): EventKind {
  const provenance = textAt(record, 'provenance')
  const named = subtype !== null && Object.hasOwn(SUBTYPES, subtype) ? SUBTYPES[subtype] : undefined
  if (named !== undefined) return named === 'user' ? spoken : named
  if (textAt(record, 'externalInputKind') === 'notification') return 'notification'
  if (subtype !== null) return 'injected'
  return provenance === null || provenance === 'real_user' ? spoken : 'injected'
}

/** Qwen Code: chats as JSONL. */
export const qwenCode: Importer = {
  name: 'qwen-code',
  label: 'Qwen Code chat (JSONL)',
  detect: (head) => head.objects.some(isRecord),
  split: () => ({ by: 'records' }),
  read,
}
