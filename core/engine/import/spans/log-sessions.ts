import {
  draft,
  sessionDraft,
  setEvents,
  type EventDraft,
  type SessionDraft,
} from '../shared/drafts.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { EventContent } from '../shared/call-parts.ts'
import { firstTextOf } from './attributes.ts'
import { eventsOfLog, factsOf, modelOfLog } from './log-events.ts'
import type { LogRecord } from './log-record.ts'

/** An event with what puts it in order. */
interface Placed {
  readonly event: EventDraft
  readonly order: number
  readonly sequence: number
  readonly nth: number
}

/** Facts of a record without messages. Shown if no record of its session has any. */
interface Spare extends Omit<Placed, 'event'> {
  readonly content: EventContent
  readonly record: LogRecord
}

interface Conversation {
  readonly id: string
  /** Threads by the part of the program that asked; the main one has none. */
  readonly threads: Map<string, Placed[]>
  readonly spare: Spare[]
}

/** Sessions of the logs of a file. */
export interface LogSessions {
  readonly take: (record: LogRecord) => void
  /** Events that are in no session yet: the host moves their texts out of memory. */
  readonly pool: () => SessionDraft
  /** Conversations that contain messages. */
  readonly words: () => ReadonlySet<string>
  /** The sessions so far, without those that others tell. */
  readonly build: (told: ReadonlySet<string>) => BuiltLogs
}

interface BuiltLogs {
  readonly sessions: readonly SessionDraft[]
  /** Events of conversations that others tell. */
  readonly left: number
}

/** Records without words that are kept for a session that has no others. */
const MAX_SPARE = 500

/** [I149] Events of agents' logs by conversation, in order of their time. */
export function createLogSessions(log: ImportLog): LogSessions {
  const conversations = new Map<string, Conversation>()
  let pool = sessionDraft('')
  let nth = 0
  return {
    take(record) {
      nth += 1
      const id = record.group ?? record.home
      const known = conversations.get(id)
      const conversation: Conversation = known ?? { id, threads: new Map(), spare: [] }
      conversations.set(id, conversation)
      const place = {
        order: record.order ?? 0,
        sequence: record.sequence ?? nth,
        nth,
      }
      const said = eventsOfLog(record.event, record.attributes, log.skip)
      if (said.length === 0) {
        log.skip(`log/${record.name === '' ? 'without a name' : record.name}`)
        keepSpare(conversation, record, place)
        return
      }
      const { kind: shownAs, thread } = sourceOf(record)
      const events = conversation.threads.get(thread) ?? []
      conversation.threads.set(thread, events)
      for (const content of said) {
        const kind = content.kind === 'agent' ? shownAs : content.kind
        const event = draftOf({ ...content, kind }, record)
        events.push({ event, ...place })
        pool.events.push(event)
      }
    },
    pool: () => pool,
    words: () =>
      new Set(
        [...conversations.values()].flatMap(({ id, threads }) => (threads.size > 0 ? id : [])),
      ),
    build(told) {
      pool = sessionDraft('')
      const all = [...conversations.values()]
      return {
        sessions: all.filter(({ id }) => !told.has(id)).flatMap(sessionsOf),
        left: all.filter(({ id }) => told.has(id)).reduce((sum, one) => sum + eventsIn(one), 0),
      }
    },
  }
}

function draftOf(content: EventContent, record: LogRecord): EventDraft {
  const { kind, text } = content
  const isAgents = kind === 'agent' || kind === 'tool_call' || kind === 'reasoning'
  const model = isAgents ? modelOfLog(record.attributes) : null
  return draft(kind, text, { at: record.at, model, source: record.source }, content)
}

function keepSpare(
  { spare, threads }: Conversation,
  record: LogRecord,
  place: Omit<Placed, 'event'>,
): void {
  if (threads.size > 0 || spare.length >= MAX_SPARE) return
  const name = record.name === '' ? 'log' : record.name
  spare.push({ content: factsOf(record.attributes, name.slice(0, 80)), record, ...place })
}

const MAIN = /main_thread|^(?:sdk|cli|user|main)$/

/** [I153] The part of the program that an answer is of: the conversation, its compaction, or a sub-agent. */
function sourceOf({ attributes }: LogRecord): {
  readonly thread: string
  readonly kind: 'agent' | 'summary'
} {
  const source = firstTextOf(attributes, ['query_source'])
  if (source === null || MAIN.test(source)) return { thread: '', kind: 'agent' }
  return source === 'compact'
    ? { thread: '', kind: 'summary' }
    : { thread: source.slice(0, 100), kind: 'agent' }
}

function sessionsOf({ id, threads, spare }: Conversation): readonly SessionDraft[] {
  if (threads.size === 0) return [shownFor(id, spare)]
  const main = sessionDraft(id)
  setEvents(main, inOrder(threads.get('') ?? []))
  const others = [...threads].filter(([thread]) => thread !== '')
  const under = others.map(([thread, events]) => {
    const session = sessionDraft(`${id}/${thread}`, thread, id)
    setEvents(session, inOrder(events))
    return session
  })
  return [main, ...under]
}

function eventsIn({ threads }: Conversation): number {
  return [...threads.values()].reduce((sum, events) => sum + events.length, 0)
}

/** [I154] A conversation without any messages: shows the facts of its records. */
function shownFor(id: string, spare: readonly Spare[]): SessionDraft {
  const session = sessionDraft(id)
  setEvents(
    session,
    inOrder(
      spare.map(({ content, record, ...place }) => ({ event: draftOf(content, record), ...place })),
    ),
  )
  return session
}

function inOrder(events: readonly Placed[]): readonly EventDraft[] {
  const sorted = events.toSorted(
    (a, b) => a.order - b.order || a.sequence - b.sequence || a.nth - b.nth,
  )
  return sorted.map(({ event }) => event)
}
