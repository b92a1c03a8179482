import type { TextReader } from '../../schema/event.ts'
import {
  draft,
  freshText,
  setEvents,
  type EventDraft,
  type Origin,
  type SessionDraft,
} from '../shared/drafts.ts'
import {
  compact,
  entryOf,
  epoch,
  isList,
  isObject,
  own,
  textAt,
  type JsonObject,
} from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { anthropicUsage, createModelCalls, type ModelCalls } from '../shared/model-calls.ts'
import { partsOfUserText, typedAs } from '../shared/user-text.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { belongs, companionFolders, companions, tag } from './agent-files.ts'
import {
  SYNTHETIC,
  assistantEvents,
  attachmentEvents,
  systemEvents,
  userEvents,
} from './records.ts'
import { createProgressed, type Progressed } from './progress.ts'
import { createRounds, type Rounds } from './rounds.ts'
import { createThreads, type Threads } from './threads.ts'

/** Types whose record carries the link fields of Claude Code (`uuid`, `sessionId`, …). */
const LINKED = new Set(['user', 'assistant', 'system', 'progress', 'attachment'])
/** Types that carry a session id but no place in the chain, and types without any id. */
const SIDE = new Set([
  'queue-operation',
  'permission-mode',
  'last-prompt',
  'ai-title',
  'custom-title',
])

function isEntry(value: unknown): boolean {
  const type = own(value, 'type')
  // The stream of `claude -p` looks alike but is another format.
  if (typeof type !== 'string' || isStream(value)) return false
  if (type === 'summary') return textAt(value, 'leafUuid') !== null
  if (type === 'file-history-snapshot') return own(value, 'snapshot') !== undefined
  if (SIDE.has(type)) return textAt(value, 'sessionId') !== null
  if (!LINKED.has(type)) return false
  const ids = ['sessionId', 'uuid', 'parentUuid', 'isSidechain']
  if (ids.some((key) => own(value, key) !== undefined)) return true
  // Cloud sessions may have no ids at all.
  return own(own(value, 'message'), 'role') === type
}

function isStream(value: unknown): boolean {
  return own(value, 'session_id') !== undefined && own(value, 'sessionId') === undefined
}

/** All that a file's records share while they are read. */
interface Reading {
  readonly log: ImportLog
  readonly threads: Threads
  readonly queue: Queue
  readonly progressed: Progressed
  /** Tool names by call id: results carry the id only. */
  readonly calls: Map<string, string>
  /** Titles by the record they name; most belong to other files. */
  readonly titles: Map<string, string>
  readonly modelCalls: ModelCalls
  readonly rounds: Rounds
}

function read(log: ImportLog, texts: TextReader): Reader {
  const threads = createThreads(texts)
  const reading: Reading = {
    log,
    threads,
    queue: createQueue(log),
    progressed: createProgressed(log.skip),
    calls: new Map(),
    titles: new Map(),
    modelCalls: createModelCalls(),
    rounds: createRounds(),
  }
  return {
    take: (record) => takeRecord(record, reading),
    drafts() {
      const sessions = [...threads.sessions()]
      return [...sessions, ...reading.progressed.missingIn(sessions)]
    },
    tidy() {
      reading.queue.settle()
      threads.part()
      threads.name(reading.titles)
    },
    claims(companion) {
      const isOurs = belongs(companion, threads.said)
      if (isOurs && companion.session !== null) threads.adopt(companion.session)
      return isOurs
    },
  }
}

type Handler = (value: JsonObject, record: RawRecord, reading: Reading) => void

/** [I108] Types that only the program reads: its state, and its undo data. */
const BOOKKEEPING = new Set([
  'file-history-snapshot',
  'permission-mode',
  'agent-name',
  'agent-color',
  'agent-setting',
  'tag',
  'pr-link',
  'mode',
  'worktree-state',
  'content-replacement',
  'attribution-snapshot',
  'speculation-accept',
  'context-collapse-commit',
])

/** [I6] Handlers of records, by type. Records of other types are counted, as bookkeeping or as unknown. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  user: (value, record, reading) => {
    const events = userEvents(value, originOf(value, record), {
      calls: reading.calls,
      sidechain: own(value, 'isSidechain') === true,
      skip: reading.log.skip,
    })
    if (events === null) reading.log.unusable(record, 'a user record without a message')
    else add(value, events, reading, 'user')
  },
  assistant: (value, record, reading) => {
    const events = assistantEvents(value, originOf(value, record), reading)
    if (events === null) reading.log.unusable(record, 'an assistant record without a message')
    else {
      reading.rounds.note(value, reading.threads.place(value).session)
      if (add(value, events, reading, 'assistant')) noteCall(value, events, reading)
    }
  },
  system: (value, record, reading) =>
    add(value, systemEvents(value, originOf(value, record)), reading, `system/${sub(value)}`),
  attachment: (value, record, reading) => {
    const attachment = own(value, 'attachment')
    const type = textAt(attachment, 'type') ?? 'untyped'
    const { session } = reading.threads.place(value)
    const events = attachmentEvents(attachment, originOf(value, record), {
      isCall: (id) => reading.calls.has(id),
      causeOf: (rule) => reading.rounds.causeOf(rule, session),
    })
    if (events === null) {
      reading.threads.remember(value)
      reading.log.unknown(`attachment/${type}`)
    } else add(value, events, reading, `attachment/${type}`)
  },
  progress: (value, record, reading) => {
    reading.threads.remember(value)
    const main = reading.threads.place(value).session
    if (reading.progressed.take(value, originOf(value, record), main)) return
    reading.log.skip(`progress/${textAt(own(value, 'data'), 'type') ?? 'untyped'}`)
  },
  'queue-operation': (value, record, reading) => {
    const draft = reading.threads.place(value).session
    reading.queue.operation(value, originOf(value, record), draft)
  },
  summary: (value, _record, reading) => {
    const leaf = textAt(value, 'leafUuid')
    const title = textAt(value, 'summary')
    if (leaf !== null && title !== null) reading.titles.set(leaf, title)
    reading.log.skip('summary')
  },
  'last-prompt': (value, _record, reading) => {
    const leaf = textAt(value, 'leafUuid')
    if (leaf !== null) reading.threads.live(leaf)
    reading.log.skip('last-prompt')
  },
  'custom-title': titleRecord,
  'ai-title': titleRecord,
}

function titleRecord(value: JsonObject, _record: RawRecord, reading: Reading): void {
  const title = textAt(value, 'customTitle', 'aiTitle', 'title')
  if (title !== null) reading.threads.place(value).session.title = title
  reading.log.skip(sub(value))
}

function sub(value: JsonObject): string {
  return textAt(value, 'subtype', 'type') ?? 'untyped'
}

function takeRecord(record: RawRecord, reading: Reading): void {
  const { value } = record
  if (!isObject(value)) {
    const place = { ...record.ref, text: compact(value).slice(0, 400) }
    reading.log.problem('not_an_object', place, 'a record must be an object')
    return
  }
  const type = own(value, 'type')
  if (typeof type !== 'string') {
    reading.log.unusable(record, 'a record without a type')
    return
  }
  const handler = entryOf(HANDLERS, type)
  if (handler !== undefined) handler(value, record, reading)
  else if (BOOKKEEPING.has(type)) reading.log.skip(type)
  else reading.log.unknown(type)
}

function originOf(value: JsonObject, record: RawRecord): Origin {
  const model = textAt(own(value, 'message'), 'model')
  return { at: epoch(own(value, 'timestamp')), model, source: record.ref }
}

/** [X2] The recorded numbers of an answer. Its records carry the same ids. */
function noteCall(value: JsonObject, events: readonly EventDraft[], { modelCalls }: Reading): void {
  const message = own(value, 'message')
  const id = textAt(message, 'id')
  const request = textAt(value, 'requestId')
  const key = id === null || request === null ? (id ?? request) : `${id}/${request}`
  if (textAt(message, 'model') !== SYNTHETIC)
    modelCalls.note(key, anthropicUsage(own(message, 'usage')), events)
}

/** Appends the events of a record to its thread. Returns false if the record is a repetition. */
function add(
  value: JsonObject,
  events: readonly EventDraft[],
  reading: Reading,
  type: string,
): boolean {
  const { threads, log, queue } = reading
  const outcome = threads.append(value, events)
  if (outcome === 'duplicate') log.skip('duplicate')
  else if (events.length === 0) log.skip(type.includes('/') ? type : `${type} without content`)
  else queue.seen(events)
  return outcome !== 'duplicate'
}

/** Texts that wait at most; an older one is settled. Keeps a hostile file from costing square time. */
const MAX_WAITING = 50

/** Possible kinds of a queued text after it is sent. */
const SENT: ReadonlySet<string> = new Set(['user', 'command', 'notification', 'injected'])

interface Waiting {
  readonly content: string
  readonly session: SessionDraft
  /** Its events. They are removed from the session if the text is found elsewhere. */
  readonly events: readonly EventDraft[]
}

/**
 * [I6] Text that the user typed while the agent worked is recorded as an `enqueue` operation, and normally again when
 * it is sent. The queued copy is kept only if the text appears nowhere else and was not taken back into the prompt
 * (`popAll`).
 */
interface Queue {
  operation(record: JsonObject, origin: Origin, session: SessionDraft): void
  seen(events: readonly EventDraft[]): void
  settle(): void
}

function createQueue(log: ImportLog): Queue {
  let waiting: Waiting[] = []
  const removed = new Set<EventDraft>()
  const touched = new Set<SessionDraft>()

  const drop = (item: Waiting): void => {
    for (const event of item.events) removed.add(event)
    touched.add(item.session)
    log.skip('queue-operation/enqueue')
  }
  const dropWhere = (isIt: (item: Waiting) => boolean): void => {
    const gone = waiting.filter(isIt)
    if (gone.length === 0) return
    waiting = waiting.filter((item) => !gone.includes(item))
    gone.forEach(drop)
  }

  return {
    operation(record, origin, session) {
      const operation = textAt(record, 'operation') ?? 'unknown'
      const content = textAt(record, 'content')?.trim() ?? ''
      if (operation !== 'enqueue' || content === '') {
        log.skip(`queue-operation/${operation}`)
        if (operation === 'popAll') dropWhere((item) => item.content === content)
        return
      }
      const parts = partsOfUserText(content, typedAs('user'))
      const events = parts.map((part) =>
        draft(part.kind, part.text, origin, { name: part.rule ?? 'queued' }),
      )
      session.events.push(...events)
      waiting.push({ content, session, events })
      if (waiting.length > MAX_WAITING) waiting.shift()
    },
    seen(events) {
      if (waiting.length === 0) return
      const texts = events.filter((event) => SENT.has(event.kind)).map(freshText)
      dropWhere((item) => texts.some((text) => text.includes(item.content)))
    },
    settle() {
      for (const session of touched)
        setEvents(
          session,
          session.events.filter((event) => !removed.has(event)),
        )
    },
  }
}

/** Claude Code sessions: `~/.claude/projects/**.jsonl`, and cloud sessions (`{loglines: […]}`). */
export const claudeCode: Importer = {
  name: 'claude-code',
  label: 'Claude Code JSONL',
  detect: (head) =>
    head.objects.some((value) => {
      if (isEntry(value)) return true
      const loglines = own(value, 'loglines')
      return isList(loglines) && loglines.slice(0, 50).some(isEntry)
    }),
  split: () => ({ by: 'records', lists: ['loglines'] }),
  read,
  companions,
  companionFolders,
  tag,
}
