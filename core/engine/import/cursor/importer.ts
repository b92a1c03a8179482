import type { EventKind } from '../../schema/event-kind.ts'
import { flatText, piecesOf } from '../shared/content-blocks.ts'
import {
  draft,
  freshText,
  sessionDraft,
  withText,
  type EventDraft,
  type Origin,
  type SessionDraft,
} from '../shared/drafts.ts'
import { compact, entryOf, has, isList, isObject, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { withoutElements } from '../shared/tags.ts'
import { callEvent, resultEvent, type ToolNames } from '../shared/tool-calls.ts'
import { typedAs, userTextEvents } from '../shared/user-text.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'

const ROLES = new Set(['user', 'assistant', 'system', 'tool'])
/** Fields of records that other clients wrap around such a message. */
const FOREIGN = ['type', 'uuid', 'id', 'content', 'sessionId', 'timestamp', 'parentId']

/** A role beside a message of which it is not part. */
function isMessage(value: unknown): boolean {
  if (!ROLES.has(textAt(value, 'role') ?? '') || FOREIGN.some((key) => has(value, key)))
    return false
  const message = own(value, 'message')
  const content = own(message, 'content')
  return !has(message, 'role') && (typeof content === 'string' || isList(content))
}

function isEnd(value: unknown): boolean {
  return own(value, 'type') === 'turn_ended' && textAt(value, 'status') !== null
}

interface Thread {
  readonly session: SessionDraft
  readonly context: BlockContext
  /** Time of the last user message; other messages have no time. */
  at: number | null
}

interface Reading {
  readonly log: ImportLog
  /** By the index of the file; the opened one is -1. */
  readonly threads: Map<number, Thread>
}

function read(log: ImportLog): Reader {
  const reading: Reading = { log, threads: new Map() }
  return {
    take: (record) => takeRecord(record, reading),
    drafts: () => [...reading.threads.values()].map(({ session }) => session),
  }
}

/** [I123] The opened file is the session, each other file a sub-agent. */
function threadOf({ ref }: RawRecord, { log, threads }: Reading): Thread {
  const file = ref.file ?? -1
  const there = threads.get(file)
  if (there !== undefined) return there
  const thread = `subagent-${file + 1}`
  const session =
    file < 0 ? sessionDraft('session-1') : sessionDraft(`session-1/${thread}`, thread, 'session-1')
  const context: BlockContext = {
    calls: new Map(),
    skip: log.skip,
    unknown: () => undefined,
  }
  const made = { session, context, at: null }
  threads.set(file, made)
  return made
}

function takeRecord(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const { log } = reading
  if (isEnd(value)) {
    const event = endOf(value, { at: null, model: null, source: ref })
    if (event === null) log.skip('turn_ended')
    else threadOf(record, reading).session.events.push(event)
    return
  }
  const role = textAt(value, 'role')
  if (role === null || !isObject(own(value, 'message'))) {
    const type = textAt(value, 'type')
    if (type === null) log.unusable({ value, ref }, 'neither a message nor the end of a turn')
    else log.unusable({ value, ref }, `a record of an unknown type: ${type}`)
    return
  }
  const thread = threadOf(record, reading)
  const events = messageEvents(record, role, thread, log)
  if (events.length === 0) log.skip(`${role} without content`)
  for (const event of events) thread.session.events.push(event)
}

/** The ending of a turn, if it is not normal. */
function endOf(value: unknown, origin: Origin): EventDraft | null {
  const status = textAt(value, 'status')
  const error = textAt(value, 'error')
  if (status === 'aborted' || status === 'cancelled')
    return draft('interruption', error ?? status, origin)
  if (status === 'success' && error === null) return null
  return draft('system', error ?? status ?? '', origin, { name: 'error', isError: true })
}

function messageEvents(
  { value, ref }: RawRecord,
  role: string,
  thread: Thread,
  log: ImportLog,
): readonly EventDraft[] {
  const message = own(value, 'message')
  const model = role === 'assistant' ? (textAt(value, 'model') ?? textAt(message, 'model')) : null
  const context: BlockContext = {
    ...thread.context,
    unknown: (block, type) =>
      log.unusable({ value: block, ref }, `a block of an unknown type: ${type}`),
  }
  const items = itemsOf(own(message, 'content'), { at: null, model, source: ref }, context)
  const stamp = role === 'user' ? stampOf(items) : null
  const origin: Origin = { at: stamp, model, source: ref }
  const spoken = thread.session.thread === 'main' ? 'user' : 'subagent_prompt'
  const events = items.flatMap((item) => {
    if ('event' in item) return [item.event]
    const text = 'text' in item ? item.text : ''
    if (text.trim() === '') return []
    if (role === 'user') return typedEvents(text, origin, spoken)
    const kind = entryOf(KINDS, role)
    return [draft(kind ?? 'meta', text, origin, { name: kind === undefined ? role : null })]
  })
  const stubs = items.flatMap((item) => ('stub' in item ? [item.stub] : []))
  return withStubs(events, stubs, draft(role === 'user' ? spoken : 'agent', '', origin))
}

const KINDS: Readonly<Record<string, EventKind>> = { assistant: 'agent', system: 'system' }

/** Text and images of one message are one event. */
function withStubs(
  events: readonly EventDraft[],
  stubs: readonly string[],
  empty: EventDraft,
): readonly EventDraft[] {
  if (stubs.length === 0) return events
  const at = events.findLastIndex(({ kind }) => kind === empty.kind)
  const spoken = events[at]
  if (spoken === undefined) return [...events, withText(empty, stubs.join('\n'))]
  return events.with(at, withText(spoken, [freshText(spoken), ...stubs].join('\n')))
}

function stampOf(items: ReturnType<typeof itemsOf>): number | null {
  for (const item of items) {
    const stamp = 'text' in item ? stampIn(item.text) : null
    if (stamp !== null) return stamp
  }
  return null
}

const AGENT = /^(?:[^/]+\/)?subagents\/[^/]+\.jsonl$/

/** `<id>/<id>.jsonl` has its sub-agents in `<id>/subagents`. Older files may be next to the folder of that name. */
function companionFolders(name: string): readonly string[] {
  if (!name.endsWith('.jsonl')) return []
  return ['subagents', `${name.slice(0, -'.jsonl'.length)}/subagents`]
}

function companions(name: string, neighbours: readonly string[]): readonly string[] {
  const folders = companionFolders(name)
  return neighbours.filter(
    (path) => AGENT.test(path) && folders.includes(path.slice(0, path.lastIndexOf('/'))),
  )
}

/** State shared by the blocks of one thread. */
interface BlockContext {
  readonly calls: ToolNames
  /** Counts a block that says nothing. */
  readonly skip: (type: string) => void
  /** A block of a type that is not known. */
  readonly unknown: (block: unknown, type: string) => void
}

/** Blocks of a message as texts and events, in order. */
type Item =
  | { readonly text: string }
  /** Placeholder for bytes that are not text. */
  | { readonly stub: string }
  | { readonly event: EventDraft }

/** [I123] Types of blocks, under the names that different versions give them. */
const TYPES: Readonly<Record<string, 'call' | 'result' | 'thought'>> = {
  tool_use: 'call',
  tool_call: 'call',
  'tool-call': 'call',
  tool_result: 'result',
  'tool-result': 'result',
  thinking: 'thought',
  reasoning: 'thought',
}

function itemsOf(content: unknown, origin: Origin, context: BlockContext): readonly Item[] {
  const blocks = isList(content) ? content : content === undefined ? [] : [content]
  return blocks.flatMap((block) => itemOf(block, origin, context))
}

function itemOf(block: unknown, origin: Origin, context: BlockContext): readonly Item[] {
  const type = textAt(block, 'type')
  const role = type !== null && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined
  if (role === 'call') return [{ event: callOf(block, origin, context.calls) }]
  if (role === 'result') return [{ event: resultOf(block, origin, context.calls) }]
  if (role === 'thought') {
    const text = textAt(block, 'thinking', 'text') ?? ''
    if (text !== '') return [{ event: draft('reasoning', text, origin) }]
    context.skip(`${type ?? 'untyped'} that is empty`)
    return []
  }
  const [piece] = piecesOf(block)
  if (piece?.kind === 'text') return [{ text: piece.text }]
  if (piece?.kind === 'stub') return [{ stub: piece.text }]
  return unknownItems(block, type ?? 'untyped', origin, context)
}

/** A block of an unknown type is listed; its words are kept. */
function unknownItems(
  block: unknown,
  type: string,
  origin: Origin,
  context: BlockContext,
): readonly Item[] {
  context.unknown(block, type)
  const text = textAt(block, 'text', 'content')
  return text === null ? [] : [{ event: draft('meta', text, origin, { name: type }) }]
}

function callOf(block: unknown, origin: Origin, calls: ToolNames): EventDraft {
  const name = textAt(block, 'name', 'toolName')
  const id = textAt(block, 'id', 'toolCallId', 'tool_call_id')
  const input = own(block, 'input') ?? own(block, 'args') ?? own(block, 'arguments')
  return callEvent({ text: compact(input), name, id }, origin, calls)
}

function resultOf(block: unknown, origin: Origin, calls: ToolNames): EventDraft {
  const name = textAt(block, 'name', 'toolName')
  const id = textAt(block, 'tool_use_id', 'toolCallId', 'tool_call_id')
  const text = flatText(own(block, 'content') ?? own(block, 'result') ?? own(block, 'output'))
  const isError = own(block, 'is_error') === true || own(block, 'isError') === true
  return resultEvent({ text, id, name, isError }, origin, calls)
}

const OPEN = '<user_query>'
const CLOSE = '</user_query>'

/**
 * [I123] Text that the user typed is in `<user_query>`. The client's notes around it are injected. A text without that
 * tag was typed, unless it is one of the client's notes.
 */
function typedEvents(text: string, origin: Origin, spoken: EventKind): readonly EventDraft[] {
  const events: EventDraft[] = []
  const around = (note: string): void => {
    if (note.trim() !== '') events.push(draft('injected', note.trim(), origin, { name: 'context' }))
  }
  let at = 0
  for (;;) {
    const open = text.indexOf(OPEN, at)
    const close = open < 0 ? -1 : endOfQuery(text, open)
    if (close < 0) break
    around(text.slice(at, open))
    const typed = text.slice(open + OPEN.length, close).trim()
    if (typed !== '') events.push(...userTextEvents(typed, origin, typedAs(spoken)))
    at = close + CLOSE.length
  }
  if (at > 0) around(text.slice(at))
  else if (isNotes(text)) around(text)
  else events.push(...userTextEvents(text, origin, typedAs(spoken)))
  return events
}

/**
 * [I181] Returns the end of the typed text. The user's text may itself contain the tag. It therefore ends at the
 * closing tag that precedes the end of the message or the client's next element; otherwise at the last closing tag.
 */
function endOfQuery(text: string, open: number): number {
  let last = -1
  for (let at = text.indexOf(CLOSE, open); at >= 0; at = text.indexOf(CLOSE, at + 1)) {
    last = at
    BEHIND_QUERY.lastIndex = at + CLOSE.length
    if (BEHIND_QUERY.test(text)) return at
  }
  return last
}

/** Tags of context that the client sends with the typed text. */
const NOTES = [
  'user_info',
  'git_status',
  'rules',
  'agent_transcripts',
  'agent_skills',
  'project_layout',
  'open_and_recently_viewed_files',
  'attached_files',
  'additional_data',
  'mcp_file_system',
  'system_reminder',
  'system_notification',
  'timestamp',
  'manually_attached_skills',
  'cursor_commands',
  'external_links',
  'image_files',
]

const BEHIND_QUERY = new RegExp(`\\s*(?:$|<(?:user_query|${NOTES.join('|')})[\\s>])`, 'y')

/** A text that is nothing but notes. */
function isNotes(text: string): boolean {
  return text.trimStart().startsWith('<') && withoutElements(text, NOTES).trim() === ''
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const STAMP =
  /<timestamp>\s*(?:[A-Z][a-z]+, )?([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4}), (\d{1,2}):(\d\d) (AM|PM) \(UTC(?:([+-])(\d{1,2})(?::(\d\d))?)?\)\s*<\/timestamp>/

/** The time that the client notes before a message, in milliseconds since 1970; null if it notes none. */
function stampIn(text: string): number | null {
  const match = STAMP.exec(text.slice(0, 20_000))
  if (match === null) return null
  const [, month = '', day, year, hour, minute, half, sign, zoneHours = '0', zoneMinutes = '0'] =
    match
  const at = MONTHS.indexOf(month)
  if (at < 0) return null
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0)
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1)
  return Date.UTC(Number(year), at, Number(day), hours, Number(minute) - zone)
}

/** Cursor: agent transcripts as JSONL, with those of sub-agents. */
export const cursor: Importer = {
  name: 'cursor',
  label: 'Cursor agent transcript (JSONL)',
  detect: (head) => head.objects.some((value) => isMessage(value) || isEnd(value)),
  split: () => ({ by: 'records' }),
  read,
  companions,
  companionFolders,
}
