import type { TextReader } from '../../schema/event.ts'
import { draft, setEvents, type EventDraft } from '../shared/drafts.ts'
import { listAt, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { event, speak, takeSpoken, takeSaid, timeAt, type Place } from '../shared/said.ts'
import {
  createSessionWriters,
  type SessionWriter,
  type SessionWriters,
} from '../shared/session-writer.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { callsOf, errorOf, holdsThread, objectsIn, readContent } from './objects.ts'

/** The events of one object of a thread. */
interface Item {
  readonly at: number
  /** Place among the objects of its thread as they came. */
  readonly order: number
  readonly run: string | null
  events: readonly EventDraft[]
  /** Instructions of its run, unless an earlier run had the same ones. */
  instructions: EventDraft | null
}

interface Thread {
  readonly writer: SessionWriter
  /** By id: an object that comes again, as streams write it, is the newer form of itself. */
  readonly items: Map<string, Item>
  /** Instructions, and the earliest run that had them. */
  readonly told: Map<string, Item>
}

interface Reading {
  readonly log: ImportLog
  readonly writers: SessionWriters
  readonly threads: Map<string, Thread>
  /** Models by run. */
  readonly models: Map<string, string>
}

function read(log: ImportLog, texts: TextReader): Reader {
  const writers = createSessionWriters(log, texts)
  const reading: Reading = { log, writers, threads: new Map(), models: new Map() }
  return {
    take: (record) => take(record, reading),
    drafts: writers.drafts,
    tidy: () => {
      for (const thread of reading.threads.values()) tidyThread(thread, reading)
      writers.tidy()
    },
  }
}

function take(record: RawRecord, reading: Reading): void {
  if (record.header === true) {
    reading.log.skip('list')
    return
  }
  let found = 0
  for (const value of objectsIn(record.value)) {
    found += 1
    takeObject({ value, ref: record.ref }, reading)
  }
  if (found === 0) reading.log.unusable(record, 'it holds no object of a thread')
}

function threadOf(id: string | null, reading: Reading): Thread {
  const name = id ?? ''
  const known = reading.threads.get(name)
  if (known !== undefined) return known
  const thread = {
    writer: reading.writers.open(id),
    items: new Map(),
    told: new Map<string, Item>(),
  }
  reading.threads.set(name, thread)
  return thread
}

type Take = (value: unknown, place: Place) => void

const OBJECTS: Readonly<Record<string, Take>> = {
  'thread.message': (value, place) => {
    const isUser = own(value, 'role') === 'user'
    const content = own(value, 'content')
    const voice = { kind: isUser ? 'user' : 'agent' } as const
    takeSpoken(content, readContent, voice, place)
    for (const file of listAt(value, 'attachments'))
      takeSaid(event('injected', `[file ${textAt(file, 'file_id') ?? '?'}]`, 'attachment'), place)
  },
  'thread.run': (value, place) => {
    speak(textAt(value, 'instructions') ?? '', { kind: 'system' }, place)
    for (const said of errorOf(value)) if (said.as !== 'words') takeSaid(said, place)
  },
  'thread.run.step': (value, place) => {
    for (const said of callsOf(value)) takeSaid(said, place)
    for (const said of errorOf(value)) if (said.as !== 'words') takeSaid(said, place)
  },
}

function takeObject({ value, ref }: RawRecord, reading: Reading): void {
  const { log } = reading
  const kind = textAt(value, 'object') ?? ''
  const id = textAt(value, 'id')
  const known = Object.hasOwn(OBJECTS, kind) ? OBJECTS[kind] : undefined
  if (known === undefined) {
    log.skip(kind)
    return
  }
  const thread = threadOf(textAt(value, 'thread_id'), reading)
  const run = kind === 'thread.run' ? id : textAt(value, 'run_id')
  const model = textAt(value, 'model')
  if (run !== null && model !== null) reading.models.set(run, model)
  const at = timeAt(value, 'created_at')
  const { writer, items } = thread
  const before = writer.session.events.length
  known(value, { origin: { at, model: null, source: ref }, writer, log })
  const events = writer.session.events.slice(before)
  if (events.length === 0) log.skip(`${kind} without content`)
  const order = items.size
  const key = id ?? `unnamed ${order}`
  const older = items.get(key)
  const item: Item = { at: at ?? 0, order: older?.order ?? order, run, events, instructions: null }
  if (kind === 'thread.run') tell(item, textAt(value, 'instructions'), older, thread)
  items.set(key, item)
}

/** Runs of a thread mostly have the same instructions: the earliest of them says them. */
function tell(item: Item, text: string | null, older: Item | undefined, { told }: Thread): void {
  const [first, ...rest] = item.events
  if (text === null || first?.kind !== 'system' || first.chars !== text.length) return
  item.events = rest
  const shown = told.get(text)
  if (shown !== undefined && shown !== older && shown.at <= item.at) return
  if (shown !== undefined) shown.instructions = null
  item.instructions = first
  told.set(text, item)
}

/** [I136] The API lists the newest first, so objects are sorted by time. */
function tidyThread({ writer, items }: Thread, { models }: Reading): void {
  const list = [...items.values()]
  const newestFirst = (list[0]?.at ?? 0) > (list.at(-1)?.at ?? 0)
  const ordered = list.toSorted(
    (a, b) => a.at - b.at || (newestFirst ? b.order - a.order : a.order - b.order),
  )
  for (const item of ordered) item.events = item.events.map((one) => named(one, item.run, models))
  setEvents(writer.session, ordered.flatMap(eventsOf))
}

function eventsOf({ instructions, events }: Item): readonly EventDraft[] {
  return instructions === null ? events : [instructions, ...events]
}

/** An agent's messages and calls get the model of their run, whose record may be anywhere in the file. */
function named(
  one: EventDraft,
  run: string | null,
  models: ReadonlyMap<string, string>,
): EventDraft {
  const model = run === null ? null : (models.get(run) ?? null)
  const isModels = one.kind === 'agent' || one.kind === 'tool_call'
  return !isModels || model === null || one.model === model
    ? one
    : draft(one.kind, one, { ...one, model }, one)
}

/** [I136] OpenAI Assistants: lists and dumps of messages, runs and steps of threads. */
export const assistants: Importer = {
  name: 'assistants',
  label: 'OpenAI Assistants threads (JSON, JSONL)',
  detect: (head) => head.values.some(holdsThread),
  split: () => ({ by: 'records', lists: ['data'], header: true, arrays: true }),
  read,
}
