import type { EventKind } from '../../schema/event-kind.ts'
import {
  draft,
  freshText,
  sessionDraft,
  withText,
  type EventDraft,
  type Origin,
  type SessionDraft,
} from '../shared/drafts.ts'
import { entryOf, has, isList, isObject, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { itemsOf, type BlockContext } from './blocks.ts'
import { stampIn, typedEvents } from './typed.ts'

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
  /** Time of the last message of the person; the others have none. */
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

/** How a turn ended, where that is not as it should. */
function endOf(value: unknown, origin: Origin): EventDraft | null {
  const [status, error] = [textAt(value, 'status'), textAt(value, 'error')]
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

/** `<id>/<id>.jsonl` has its sub-agents in `<id>/subagents`; older ones may stand beside the folder of that name. */
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
