import type { TextReader } from '../../schema/event.ts'
import { createSlots, type Slots } from '../gemini-cli/slots.ts'
import { sessionDraft, type EventDraft, type SessionDraft } from '../shared/drafts.ts'
import { epoch, has, isObject, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { createNames } from '../shared/names.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { createContext, eventsOf, isTaken, type EventContext } from './events.ts'

/** An event: a type of two words, its data, an id, a time. */
function isEvent(value: unknown): boolean {
  const type = textAt(value, 'type')
  if (type === null || !isObject(own(value, 'data'))) return false
  if (!isTaken(type) && !/^(?:session|assistant|subagent|tool|hook)\.[a-z_]+$/.test(type))
    return false
  return has(value, 'timestamp') && (has(value, 'parentId') || textAt(value, 'id') !== null)
}

interface Open {
  readonly threads: Threads
  readonly context: EventContext
  model: string | null
}

interface Reading {
  readonly log: ImportLog
  readonly texts: TextReader
  readonly named: (id: string) => string
  readonly sessions: Open[]
}

function read(log: ImportLog, texts: TextReader): Reader {
  const reading: Reading = { log, texts, named: createNames(), sessions: [] }
  return {
    take: (record) => takeRecord(record, reading),
    drafts: () => reading.sessions.flatMap(({ threads }) => threads.drafts()),
    tidy() {
      for (const { threads } of reading.sessions) threads.tidy()
    },
  }
}

function open(id: string | null, { named, sessions, log, texts }: Reading): Open {
  const main = sessionDraft(named(id ?? `session-${sessions.length + 1}`))
  const made: Open = {
    threads: createThreads(main, texts),
    context: createContext(log.skip),
    model: null,
  }
  sessions.push(made)
  return made
}

/** A first record of another session begins one; all else belongs to the one before. */
function sessionFor(type: string, data: unknown, reading: Reading): Open {
  const last = reading.sessions.at(-1)
  const id = type === 'session.start' ? textAt(data, 'sessionId') : null
  if (last !== undefined && (id === null || id === last.threads.main.id)) return last
  return open(id, reading)
}

function takeRecord({ value, ref }: RawRecord, reading: Reading): void {
  const type = textAt(value, 'type')
  const data = own(value, 'data')
  if (type === null || !isObject(data)) {
    reading.log.unusable({ value, ref }, 'not an event: it has no type or no data')
    return
  }
  const session = sessionFor(type, data, reading)
  const { threads, context } = session
  takeFacts(type, value, session, reading.log)
  const origin = { at: epoch(own(value, 'timestamp')), model: null, source: ref }
  const thread = threads.threadOf(value)
  context.spoken = thread === null ? 'user' : 'subagent_prompt'
  const byModel = type.startsWith('assistant.') || type.startsWith('tool.execution')
  const model = byModel ? (textAt(data, 'model') ?? (thread === null ? session.model : null)) : null
  const events = eventsOf(type, data, { ...origin, model }, context)
  if (events.length > 0) threads.put(value, events)
  threads.main.startedAt ??= origin.at
}

/** Takes the facts of a record about its session. */
function takeFacts(type: string, value: unknown, session: Open, log: ImportLog): void {
  const { threads } = session
  const { main } = threads
  const data = own(value, 'data')
  main.cwd ??= textAt(own(data, 'context'), 'cwd')
  if (type === 'session.start') main.startedAt ??= epoch(own(data, 'startTime'))
  const model = textAt(data, 'selectedModel', 'newModel')
  if (model !== null && type.startsWith('session.')) session.model = model
  if (type === 'session.title_changed') main.title = textAt(data, 'title') ?? main.title
  if (type.startsWith('subagent.')) threads.started(value)
  const target = type === 'session.snapshot_rewind' ? textAt(data, 'upToEventId') : null
  if (target !== null && !threads.rewind(target))
    log.skip('session.snapshot_rewind of an unknown event')
}

/** A session with its sub-agents. */
interface Threads {
  readonly main: SessionDraft
  /** Name of the thread that a record belongs to; null for the session itself. */
  readonly threadOf: (record: unknown) => string | null
  /** A sub-agent's thread, created on first use. */
  readonly agent: (thread: string) => SessionDraft
  /** [I122] Notes which call started the agent of a record. */
  readonly started: (record: unknown) => void
  readonly put: (record: unknown, events: readonly EventDraft[]) => void
  /** Puts this event and all after it into a branch; false when there is no such event. */
  readonly rewind: (id: string) => boolean
  readonly drafts: () => readonly SessionDraft[]
  readonly tidy: () => void
}

function createThreads(main: SessionDraft, texts: TextReader): Threads {
  const slots: Slots = createSlots(main, texts)
  const seen = new Set<string>()
  const agents = new Map<string, SessionDraft>()
  /** The call that started an agent, by the agent's id. */
  const calls = new Map<string, string>()

  const threadOf = (record: unknown): string | null => {
    const id = textAt(record, 'agentId')
    const call = textAt(own(record, 'data'), 'parentToolCallId')
    return call ?? (id === null ? null : (calls.get(id) ?? id))
  }
  const agent = (thread: string): SessionDraft => {
    const there = agents.get(thread)
    if (there !== undefined) return there
    const made = sessionDraft(`${main.id}/${thread}`, thread, main.id)
    made.cwd = main.cwd
    agents.set(thread, made)
    return made
  }
  return {
    main,
    threadOf,
    agent,
    started(record) {
      const id = textAt(record, 'agentId')
      const data = own(record, 'data')
      const call = textAt(data, 'toolCallId')
      if (call === null) return
      if (id !== null) calls.set(id, call)
      const made = agent(call)
      made.startedBy ??= call
      made.title ??= textAt(data, 'agentDisplayName', 'agentName')
      // An agent may start agents: then its parent is not the session.
      const parent = textAt(data, 'parentToolCallId')
      if (parent !== null && parent !== call) made.parent = agent(parent).id
    },
    put(record, events) {
      const thread = threadOf(record)
      if (thread === null) {
        const id = textAt(record, 'id')
        slots.put(id !== null && !seen.has(id) ? id : null, events)
        if (id !== null) seen.add(id)
        return
      }
      for (const event of events) agent(thread).events.push(event)
    },
    rewind: (id) => slots.rewind(id),
    drafts: () => [main, ...agents.values(), ...slots.branches()],
    tidy: () => slots.tidy(),
  }
}

/** GitHub Copilot CLI: `events.jsonl` of a session. */
export const copilotCli: Importer = {
  name: 'copilot-cli',
  label: 'Copilot CLI session (JSONL)',
  detect: (head) => head.objects.some(isEvent),
  split: () => ({ by: 'records' }),
  read,
}
