import type { TextReader } from '../../schema/event.ts'
import { sessionDraft } from '../shared/drafts.ts'
import { epoch, has, isObject, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { createNames } from '../shared/names.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { createContext, eventsOf, isTaken, type EventContext } from './events.ts'
import { createThreads, type Threads } from './threads.ts'

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

/** What a record says of its session. */
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

/** GitHub Copilot CLI: `events.jsonl` of a session. */
export const copilotCli: Importer = {
  name: 'copilot-cli',
  label: 'Copilot CLI session (JSONL)',
  detect: (head) => head.objects.some(isEvent),
  split: () => ({ by: 'records' }),
  read,
}
