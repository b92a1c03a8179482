import { ownOf } from '../../schema/own.ts'
import { source } from '../shared/context-source.ts'
import type { ContextSource } from '../../schema/context.ts'
import { draft, sessionDraft } from '../shared/drafts.ts'
import {
  asText,
  compact,
  entryOf,
  epoch,
  has,
  isList,
  isObject,
  own,
  textAt,
} from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { isExecRecord, takeExec } from './exec.ts'
import { isItemType, takeItem } from './items.ts'
import { takeMessage, takeSpoken, takeThought, takeTyped, takeUserMessage } from './messages.ts'
import {
  createCodexReading,
  push,
  pushText,
  sessionOf,
  settleNames,
  type CodexReading,
} from './reading.ts'

type Take = (payload: unknown, reading: CodexReading) => void

/** Records of the wrapped layout, by type. */
const WRAPPED: Readonly<Record<string, Take>> = {
  session_meta: takeMeta,
  turn_context: (payload, reading) => {
    reading.model = textAt(payload, 'model') ?? reading.model
    sessionOf(reading).cwd ??= textAt(payload, 'cwd')
    reading.log.skip('turn_context')
    takeInstructions(payload, reading)
  },
  response_item: takeItem,
  event_msg: takeEvent,
  compacted: takeCompacted,
  world_state: (payload, reading) => {
    const state = compact(own(payload, 'state'))
    if (state === '') reading.log.skip('world_state')
    else pushText(reading, 'injected', state, 'world-state')
  },
  inter_agent_communication_metadata: (_payload, reading) =>
    reading.log.skip('inter_agent_communication_metadata'),
}

/** [I13] Events of the wrapped layout that are more than a copy. All others are counted. */
const EVENTS: Readonly<Record<string, Take>> = {
  user_message: takeTyped,
  agent_message: (payload, reading) =>
    takeSpoken('event', textAt(payload, 'message') ?? '', reading),
  agent_reasoning: (payload, reading) =>
    takeThought('event', textAt(payload, 'text') ?? '', reading),
  turn_aborted: (payload, reading) => {
    const reason = textAt(payload, 'reason') ?? 'turn_aborted'
    pushText(reading, 'interruption', reason, 'turn-aborted')
  },
  error: takeError,
  stream_error: takeError,
  warning: (payload, reading) =>
    pushText(reading, 'notification', textAt(payload, 'message') ?? '', 'warning'),
  thread_name_updated: (payload, reading) => {
    const title = textAt(payload, 'thread_name')
    if (title !== null) sessionOf(reading).title = title
    reading.log.skip('event_msg/thread_name_updated')
  },
  token_count: (payload, reading) => {
    reading.usage.count(payload)
    reading.log.skip('event_msg/token_count')
  },
  exec_command_end: (payload, reading) => {
    const code = own(payload, 'exit_code')
    const callId = textAt(payload, 'call_id')
    if (typeof code === 'number' && code !== 0 && callId !== null) reading.failed.add(callId)
    reading.log.skip('event_msg/exec_command_end')
  },
}

/** Keys of the header of the flat layout, beside `id`. */
const FLAT_HEADER = ['instructions', 'git']

function isFlatHeader(value: unknown): boolean {
  if (own(value, 'type') !== undefined || textAt(value, 'id') === null) return false
  return textAt(value, 'timestamp') !== null && FLAT_HEADER.some((key) => has(value, key))
}

/** Items that no other format has at the top of a record. */
function isFlatItem(value: unknown): boolean {
  const type = own(value, 'type')
  if (!isItemType(type) || has(value, 'tool_id')) return false
  if (type === 'message') return textAt(value, 'role') !== null && isList(own(value, 'content'))
  if (type === 'reasoning') return has(value, 'summary') || has(value, 'encrypted_content')
  const marks = ['call_id', 'arguments', 'input', 'action', 'output', 'result', 'function']
  return marks.some((key) => has(value, key))
}

function isWrapped(value: unknown): boolean {
  const type = own(value, 'type')
  if (typeof type !== 'string' || !Object.hasOwn(WRAPPED, type)) return false
  return isObject(own(value, 'payload'))
}

function isCodex(value: unknown): boolean {
  if (isWrapped(value) || isFlatHeader(value) || isExecRecord(value)) return true
  if (own(value, 'record_type') === 'state' || isFlatItem(value)) return true
  // A loose message of 2025-09: its text has another name than anywhere else.
  return has(value, 'created_at') && has(value, 'role') && typeof own(value, 'message') === 'string'
}

/** The first two lines of an old `codex exec --json`: the settings and the prompt. */
function isPrompt(value: unknown): boolean {
  return textAt(value, 'prompt') !== null && Object.keys(value ?? {}).length === 1
}

function isSettings(value: unknown): boolean {
  return has(value, 'workdir') && textAt(value, 'model') !== null
}

function read(log: ImportLog): Reader {
  const reading = createCodexReading(log)
  return {
    take: (record) => takeRecord(record, reading),
    drafts: () => (reading.session === null ? [] : [reading.session]),
    tidy: () => settleNames(reading),
  }
}

function takeRecord(record: RawRecord, reading: CodexReading): void {
  const { value, ref } = record
  const at = epoch(own(value, 'timestamp') ?? own(value, 'created_at'))
  const model = textAt(value, 'model') ?? reading.model
  reading.origin = { at, model, source: ref }
  takeValue(record, reading)
  if (reading.session !== null) reading.session.startedAt ??= at
}

function takeValue({ value, ref }: RawRecord, reading: CodexReading): void {
  const type = own(value, 'type')
  if (isWrapped(value)) ownOf(WRAPPED, String(type))?.(own(value, 'payload'), reading)
  else if (isExecRecord(value)) takeExec(value, reading, takeEvent)
  else if (isItemType(type)) takeItem(value, reading)
  else if (textAt(value, 'record_type') !== null)
    reading.log.skip(textAt(value, 'record_type') ?? '')
  else if (isFlatHeader(value)) takeMeta(value, reading)
  else if (type === 'error' && typeof own(value, 'message') === 'string') takeError(value, reading)
  else if (typeof type === 'string') reading.log.unknown(type)
  else takeUntyped(value, ref, reading)
}

function takeUntyped(value: unknown, ref: RawRecord['ref'], reading: CodexReading): void {
  if (isPrompt(value)) pushText(reading, 'user', textAt(value, 'prompt') ?? '')
  else if (isSettings(value)) reading.log.skip('settings')
  else if (own(value, 'type') === undefined && textAt(value, 'role') !== null)
    takeMessage(value, reading)
  else {
    reading.log.unusable({ value, ref }, 'neither a record nor an item of a rollout')
  }
}

/** [I14] The first header is the session's. Later ones are copies of it, or of the session it was forked from. */
function takeMeta(meta: unknown, reading: CodexReading): void {
  if (reading.session !== null) {
    reading.log.skip('session_meta (copy)')
    return
  }
  const spawn = own(own(own(meta, 'source'), 'subagent'), 'thread_spawn')
  const id = textAt(meta, 'id', 'session_id') ?? 'session-1'
  const thread = threadOf(meta, spawn, id)
  const parent = textAt(meta, 'parent_thread_id') ?? textAt(spawn, 'parent_thread_id')
  const session = sessionDraft(id, thread, thread === 'main' ? null : parent)
  session.cwd = textAt(meta, 'cwd')
  session.startedAt = epoch(own(meta, 'timestamp')) ?? reading.origin.at
  reading.session = session
  const forked = textAt(meta, 'forked_from_id')
  session.forkedFrom = forked ?? undefined
  if (forked !== null) pushText(reading, 'meta', forked, 'forked-from')
  const base = textAt(own(meta, 'base_instructions'), 'text')
  if (base !== null) pushText(reading, 'system', base, 'base-instructions')
  const instructions = textAt(meta, 'instructions')
  const injected = (text: string, name: string, from: ContextSource) =>
    push(reading, draft('injected', text, reading.origin, { name, from }))
  if (instructions !== null) injected(instructions, 'instructions', AGENTS_FILE)
  const tools = own(meta, 'dynamic_tools')
  const named = isList(tools) ? tools.length > 0 : isObject(tools) && Object.keys(tools).length > 0
  if (named) injected(compact(tools), 'dynamic-tools', source('tools'))
  if (session.events.length === 0) reading.log.skip('session_meta')
}

const AGENTS_FILE = source('instructions', 'AGENTS.md')

/** [X4] Members of a `turn_context` that the model reads. */
const INSTRUCTIONS = [
  ['base_instructions', source('harness', 'base instructions')],
  ['developer_instructions', source('harness', 'developer instructions')],
  ['user_instructions', AGENTS_FILE],
] as const

function takeInstructions(payload: unknown, reading: CodexReading): void {
  for (const [key, from] of INSTRUCTIONS) {
    const text = textAt(payload, key)?.trim() ?? ''
    if (text !== '') reading.preamble.take(text, key, from, reading.origin)
  }
}

/** A sub-agent is named by its nickname, its role, or its id. */
function threadOf(meta: unknown, spawn: unknown, id: string): string {
  const source = own(meta, 'source')
  const subagent = isObject(source) && Object.hasOwn(source, 'subagent')
  if (!subagent && textAt(meta, 'parent_thread_id') === null) return 'main'
  const kind = own(source, 'subagent')
  const names = [
    own(meta, 'agent_nickname'),
    own(spawn, 'agent_nickname'),
    own(meta, 'agent_role'),
    own(spawn, 'agent_role'),
    own(kind, 'other'),
    kind,
  ]
  const name = names.map(asText).find((given) => given !== null && given !== 'main')
  return name ?? id
}

function takeEvent(payload: unknown, reading: CodexReading): void {
  const type = textAt(payload, 'type') ?? 'untyped'
  const take = entryOf(EVENTS, type)
  const item = own(payload, 'item')
  if (take !== undefined) take(payload, reading)
  else if (type === 'item_completed' && /^userMessage$/i.test(textAt(item, 'type') ?? ''))
    takeUserMessage(item, reading)
  else if (type === 'item_completed' || type === 'item_started')
    reading.log.skip(`event_msg/${type}/${textAt(item, 'type') ?? 'untyped'}`)
  else reading.log.skip(`event_msg/${type}`)
}

function takeError(payload: unknown, reading: CodexReading): void {
  const text = textAt(payload, 'message') ?? ''
  push(reading, draft('system', text, reading.origin, { name: 'error', isError: true }))
}

/** [I14] The history that a compaction puts in place is model context, not new turns: it is not replayed. */
function takeCompacted(payload: unknown, reading: CodexReading): void {
  const text = textAt(payload, 'message')
  if (text !== null) pushText(reading, 'summary', text, 'compacted')
  else pushText(reading, 'meta', 'compacted', 'compacted')
  if (own(payload, 'replacement_history') !== undefined)
    reading.log.skip('compacted/replacement_history')
}

/** Codex CLI rollouts: `~/.codex/sessions/**.jsonl`, flat and wrapped, and streams of `codex exec --json`. */
export const codex: Importer = {
  name: 'codex',
  label: 'Codex rollout (JSONL)',
  detect: (head) => head.objects.some(isCodex),
  split: () => ({ by: 'records' }),
  read,
}
