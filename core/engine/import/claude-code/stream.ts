import { keptIn } from '../../maps.ts'
import { trimmedPrint } from '../shared/copies.ts'
import {
  draft,
  freshText,
  sessionDraft,
  type EventDraft,
  type Origin,
  type SessionDraft,
} from '../shared/drafts.ts'
import {
  compact,
  entryOf,
  epoch,
  has,
  isList,
  isObject,
  own,
  textAt,
  type JsonObject,
} from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { anthropicUsage, createModelCalls, type ModelCalls } from '../shared/model-calls.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { assistantEvents, systemEvents, userEvents } from './records.ts'

const MESSAGES = new Set(['user', 'assistant'])
const OTHERS = new Set(['system', 'result', 'stream_event', 'rate_limit_event', 'tool_progress'])

/** Session files look similar, but their session ids are not written in snake case. */
function isStream(value: unknown): boolean {
  const type = own(value, 'type')
  if (typeof type !== 'string' || textAt(value, 'session_id') === null) return false
  if (own(value, 'sessionId') !== undefined) return false
  if (MESSAGES.has(type)) return isObject(own(value, 'message'))
  if (type === 'result') return own(value, 'num_turns') !== undefined || has(value, 'is_error')
  if (type === 'system') return textAt(value, 'subtype') !== null
  return OTHERS.has(type)
}

interface Reading {
  readonly log: ImportLog
  readonly calls: Map<string, string>
  /** By session and call that started the sub-agent; main threads by session alone. */
  readonly sessions: Map<string, SessionDraft>
  id: string
  cwd: string | null
  model: string | null
  /** Fingerprint of the last text of the main thread, which the `result` record repeats. */
  last: string
  readonly modelCalls: ModelCalls
}

function read(log: ImportLog): Reader {
  const reading: Reading = {
    log,
    calls: new Map(),
    sessions: new Map(),
    id: 'session-1',
    cwd: null,
    model: null,
    last: '',
    modelCalls: createModelCalls(),
  }
  return {
    take: (record) => takeRecord(record, reading),
    drafts: () => reading.sessions.values(),
  }
}

function takeRecord(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const type = textAt(value, 'type')
  if (!isObject(value) || type === null) {
    reading.log.unusable({ value, ref }, 'a record without a type')
    return
  }
  const model = textAt(own(value, 'message'), 'model')
  const origin: Origin = { at: epoch(own(value, 'timestamp')), model, source: ref }
  const take = entryOf(TAKES, type)
  if (take === undefined && COUNTED.has(type)) reading.log.skip(typeName(type, value))
  else if (take === undefined) reading.log.unknown(typeName(type, value))
  else take(value, origin, reading)
}

/** [I108] Records that say nothing: partial messages, progress and limits. */
const COUNTED = new Set([
  'stream_event',
  'rate_limit_event',
  'tool_progress',
  'tool_use_summary',
  'auth_status',
  'control_request',
  'control_response',
  'control_cancel_request',
  'keep_alive',
  'prompt_suggestion',
])

function typeName(type: string, value: JsonObject): string {
  const sub = textAt(value, 'subtype') ?? textAt(own(value, 'event'), 'type')
  return sub === null ? type : `${type}/${sub}`
}

type Take = (value: JsonObject, origin: Origin, reading: Reading) => void

/** [I19] Records of the stream; partial messages (`stream_event`) and all others are counted. */
const TAKES: Readonly<Record<string, Take>> = {
  assistant: (value, origin, reading) => {
    const events = assistantEvents(value, origin, reading)
    if (events === null) unusable(value, origin, reading)
    else {
      add(value, events, origin, reading)
      const message = own(value, 'message')
      reading.modelCalls.note(textAt(message, 'id'), anthropicUsage(own(message, 'usage')), events)
    }
    const text = events?.findLast((event) => event.kind === 'agent')
    if (text !== undefined && parentOf(value) === null) reading.last = trimmedPrint(freshText(text))
  },
  user: (value, origin, reading) => {
    const context = {
      calls: reading.calls,
      sidechain: parentOf(value) !== null,
      skip: reading.log.skip,
    }
    const synthetic = own(value, 'isSynthetic') === true ? { ...value, isMeta: true } : value
    const events = userEvents(synthetic, origin, context)
    if (events === null) unusable(value, origin, reading)
    else add(value, events, origin, reading)
  },
  system: takeSystem,
  result: takeResult,
}

function unusable(value: JsonObject, origin: Origin, reading: Reading): void {
  reading.log.unusable({ value, ref: origin.source }, 'a record without a message')
}

function parentOf(value: unknown): string | null {
  return textAt(value, 'parent_tool_use_id')
}

/** [I19] The thread of a record: events started by a tool call belong to a sub-agent named by that call. */
function sessionOf(value: unknown, origin: Origin, reading: Reading): SessionDraft {
  reading.id = textAt(value, 'session_id') ?? reading.id
  const { id } = reading
  const main = keptIn(reading.sessions, id, () => sessionDraft(id))
  main.startedAt ??= origin.at
  main.cwd ??= reading.cwd
  const call = parentOf(value)
  if (call === null) return main
  const key = `${id}/${call}`
  const session = keptIn(reading.sessions, key, () => sessionDraft(key, call, id))
  session.startedAt ??= origin.at
  session.cwd ??= reading.cwd
  return session
}

function add(
  value: JsonObject,
  events: readonly EventDraft[],
  origin: Origin,
  reading: Reading,
): void {
  const session = sessionOf(value, origin, reading)
  if (events.length === 0) reading.log.skip(`${String(value['type'])} without content`)
  for (const event of events) session.events.push(event)
}

/** System records that are part of the conversation. */
const SPOKEN = new Set(['compact_boundary', 'api_error', 'informational'])

function takeSystem(value: JsonObject, origin: Origin, reading: Reading): void {
  const subtype = textAt(value, 'subtype') ?? 'untyped'
  if (subtype === 'init') {
    reading.cwd = textAt(value, 'cwd')
    reading.model = textAt(value, 'model')
  }
  const summary = textAt(value, 'summary')
  if (subtype === 'task_notification' && summary !== null)
    add(value, [draft('notification', summary, origin, { name: subtype })], origin, reading)
  else if (SPOKEN.has(subtype)) {
    const data = own(value, 'compact_metadata')
    const compactMetadata = { trigger: own(data, 'trigger'), preTokens: own(data, 'pre_tokens') }
    add(value, systemEvents({ ...value, compactMetadata }, origin), origin, reading)
  } else {
    sessionOf(value, origin, reading)
    reading.log.skip(`system/${subtype}`)
  }
}

/** [I19] The last record repeats the agent's last text; another text is a new text of the agent. */
function takeResult(value: JsonObject, origin: Origin, reading: Reading): void {
  const text = textAt(value, 'result')
  const subtype = textAt(value, 'subtype') ?? 'result'
  const failed = own(value, 'is_error') === true
  const events: EventDraft[] = []
  const named = { ...origin, model: reading.model }
  if (failed)
    events.push(
      draft('system', text ?? why(value, subtype), origin, { name: subtype, isError: true }),
    )
  else if (text !== null && trimmedPrint(text) !== reading.last)
    events.push(draft('agent', text, named))
  const facts = ['num_turns', 'duration_ms', 'total_cost_usd', 'stop_reason'].flatMap((key) => {
    const fact = own(value, key)
    return typeof fact === 'number' || typeof fact === 'string' ? [`${key} ${fact}`] : []
  })
  events.push(draft('meta', [subtype, ...facts].join(', '), origin, { name: 'result' }))
  add(value, events, origin, reading)
}

/** Fallback text for a failed run: its errors, or its kind. */
function why(value: JsonObject, subtype: string): string {
  const errors = own(value, 'errors')
  const text = isList(errors) ? errors.map(compact).filter((error) => error !== '') : []
  return text.length > 0 ? text.join('\n') : subtype
}

/** `claude -p --output-format stream-json` (lines) and `json` (one result, or a list with --verbose). */
export const claudeStream: Importer = {
  name: 'claude-stream',
  label: 'Claude Code stream (stream-json)',
  detect: (head) => head.values.some((value) => isStream(isList(value) ? value[0] : value)),
  split: () => ({ by: 'records' }),
  read,
}
