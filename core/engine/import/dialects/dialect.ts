import { setEvents, type EventDraft, type SessionDraft } from '../shared/drafts.ts'
import { takeEnvelope } from '../shared/envelope.ts'
import { isList, isObject } from '../shared/guards.ts'
import { readAnyPart } from '../shared/said-parts.ts'
import {
  speak,
  takeParts,
  words,
  type PartReader,
  type Place,
  type Said,
  type Voice,
} from '../shared/said.ts'
import { createSessionWriters, type SessionWriter } from '../shared/session-writer.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import type { SourceRef, TextReader } from '../../schema/event.ts'
import { noteUsage } from '../shared/usage.ts'

/** One message of a record. */
export interface Turn {
  readonly voice: Voice
  /** A list of parts, or one text. */
  readonly content: unknown
  readonly read?: PartReader
  /** Epoch milliseconds. */
  readonly at?: number | null
  readonly model?: string | null
  /** Place of the record that began the message, if it is not the current one. */
  readonly source?: SourceRef | undefined
}

/** An error of the model or of the network. */
export function errorTurn(text: string, at: number | null): Turn {
  return { voice: ERROR, content: text, at }
}

const ERROR: Voice = { kind: 'system', name: 'error' }

const READY: PartReader = (part) => [part as Said]

/** A message whose parts the dialect has read already. `at` in epoch milliseconds. */
export function ready(
  voice: Voice,
  said: readonly Said[],
  at: number | null = null,
  more: Pick<Turn, 'model' | 'source'> = {},
): Turn {
  return { voice, content: said, read: READY, at, ...more }
}

/** The result for a record without a message. `used`: a later record completes the message. */
export type Silent =
  { readonly as: 'skip' | 'unknown' | 'unusable'; readonly why: string } | { readonly as: 'used' }

export type Outcome = readonly Turn[] | Silent

export const skipped = (why: string): Silent => ({ as: 'skip', why })
export const unknown = (why: string): Silent => ({ as: 'unknown', why })
export const unusable = (why: string): Silent => ({ as: 'unusable', why })
export const USED: Silent = { as: 'used' }

/** Properties of a session. */
export interface Facts {
  readonly id?: string | null
  readonly title?: string | null
  readonly cwd?: string | null
  /** Epoch milliseconds. */
  readonly startedAt?: number | null
  /** Model of answers that name none. */
  readonly model?: string | null
  /** Messages before the first record. */
  readonly before?: readonly Turn[]
}

/** A session inside a larger record. */
export interface HeldSession {
  readonly facts: Facts
  readonly records: readonly unknown[]
}

/** [I190] A row of the table of dialects. `State` lives as long as one session. */
export interface Dialect<State = null> {
  readonly name: string
  readonly label: string
  /** Whether a value is a record or a session of this format. Other formats must not match. */
  readonly knows: (value: unknown) => boolean
  /** Keys of the lists of records in the object of a session. */
  readonly lists: readonly string[]
  /** Properties of a session, from the object around its records. */
  readonly facts: (value: unknown) => Facts
  readonly start: () => State
  readonly turns: (value: unknown, state: State, ref: SourceRef) => Outcome
  /** Messages that are not complete yet. Must have no side effects. */
  readonly pending?: (state: State) => readonly Turn[]
  /** Sessions that one record holds; empty if the value is not such a record. */
  readonly sessionsIn?: (value: unknown) => readonly HeldSession[]
  /** Id of the session that a record without an object around it belongs to. */
  readonly sessionOf?: (value: unknown) => string | null
  /** Properties of the session that are in one of its records. */
  readonly learn?: (value: unknown) => Facts
  /** Services list the newest message first. If all times fall, the session is reversed. */
  readonly newestFirst?: true
}

interface Open<State> {
  readonly writer: SessionWriter
  readonly state: State
  model: string | null
}

interface Reading<State> {
  readonly dialect: Dialect<State>
  readonly log: ImportLog
  readonly open: (facts: Facts, record: RawRecord) => Open<State>
  readonly byId: Map<string, Open<State>>
  /** The session of the last record. */
  current: Open<State> | null
  /** The session whose object is around the next records. */
  around: Open<State> | null
}

/** [I190] A dialect as a row of the table of formats. */
export function dialectImporter<State>(dialect: Dialect<State>): Importer {
  const { name, label, lists, knows } = dialect
  return {
    name,
    label,
    detect: ({ values }) => values.some(knows),
    split: () => ({ by: 'records', lists, header: lists.length > 0, arrays: true }),
    read: (log, texts) => readDialect(dialect, log, texts),
  }
}

function readDialect<State>(dialect: Dialect<State>, log: ImportLog, texts: TextReader): Reader {
  const writers = createSessionWriters(log, texts)
  const open = (facts: Facts, { ref }: RawRecord): Open<State> => {
    const writer = writers.open(facts.id ?? null)
    const made = { writer, state: dialect.start(), model: null }
    take(made, facts)
    const place = { origin: { at: facts.startedAt ?? null, model: null, source: ref }, writer, log }
    for (const turn of facts.before ?? []) say(turn, place)
    return made
  }
  const reading: Reading<State> = {
    dialect,
    log,
    open,
    byId: new Map(),
    current: null,
    around: null,
  }
  return {
    take: (record) => takeRecord(record, reading),
    drafts: writers.drafts,
    tidy: () => {
      if (dialect.newestFirst === true) for (const one of writers.drafts()) oldestFirst(one)
      writers.tidy()
    },
  }
}

function take<State>(open: Open<State>, facts: Facts): void {
  const { session } = open.writer
  session.title ??= facts.title ?? null
  session.cwd ??= facts.cwd ?? null
  session.startedAt ??= facts.startedAt ?? null
  open.model = facts.model ?? open.model
}

function takeRecord<State>(record: RawRecord, reading: Reading<State>): void {
  const { value, ref } = record
  if (isList(value)) {
    startOver(reading)
    for (const item of value) takeOne({ value: item, ref }, reading)
    startOver(reading)
    return
  }
  takeOne(record, reading)
}

function startOver<State>(reading: Reading<State>): void {
  reading.current = null
  reading.around = null
}

function takeOne<State>(record: RawRecord, reading: Reading<State>): void {
  const { dialect, log } = reading
  const held = dialect.sessionsIn?.(record.value) ?? []
  if (held.length > 0) {
    for (const { facts, records } of held) {
      reading.around = reading.open(facts, record)
      for (const value of records) takeMessage({ value, ref: record.ref }, reading)
    }
    startOver(reading)
    log.used()
    return
  }
  takeEnvelope(record, dialect.lists, {
    header: (value, around) => {
      reading.around = reading.open(dialect.facts(value), around)
      log.skip('session')
    },
    item: (one) => takeMessage(one, reading),
  })
}

function openFor<State>(record: RawRecord, reading: Reading<State>): Open<State> {
  const { dialect, byId } = reading
  if (reading.around !== null) return reading.around
  const id = dialect.sessionOf?.(record.value) ?? null
  const known = id === null ? reading.current : (byId.get(id) ?? null)
  const open = known ?? reading.open({ id }, record)
  if (id !== null) byId.set(id, open)
  reading.current = open
  return open
}

function takeMessage<State>(record: RawRecord, reading: Reading<State>): void {
  const { value, ref } = record
  const { dialect, log } = reading
  if (!isObject(value) && !isList(value)) {
    log.unusable(record, `not a record of ${dialect.label}`)
    return
  }
  const open = openFor(record, reading)
  if (dialect.learn !== undefined) take(open, dialect.learn(value))
  const { writer, state } = open
  const outcome = dialect.turns(value, state, ref)
  if ('as' in outcome) silent(outcome, record, log)
  else {
    const before = writer.count()
    for (const turn of outcome) {
      const answers = turn.voice.kind === 'agent'
      const model = turn.model ?? (answers ? open.model : null)
      say(turn, { origin: { at: turn.at ?? null, model, source: turn.source ?? ref }, writer, log })
    }
    noteUsage(writer, before, value)
    if (writer.count() === before) log.skip('message without content')
  }
  if (dialect.pending !== undefined) closeWithPending(open, record, reading)
}

function silent(outcome: Silent, record: RawRecord, log: ImportLog): void {
  if (outcome.as === 'used') log.used()
  else if (outcome.as === 'skip') log.skip(outcome.why)
  else if (outcome.as === 'unknown') log.unknown(outcome.why)
  else log.unusable(record, outcome.why)
}

/** Shows messages that are not complete, until a later record completes them. */
function closeWithPending<State>(
  { writer, state }: Open<State>,
  { ref }: RawRecord,
  { dialect, log }: Reading<State>,
): void {
  writer.closeWith(() => {
    // Joining the pieces here, not at every record, keeps a long message linear.
    const turns = dialect.pending?.(state) ?? []
    const events: EventDraft[] = []
    const apart = { ...writer, push: (event: EventDraft) => events.push(event) }
    for (const turn of turns) {
      const origin = { at: turn.at ?? null, model: turn.model ?? null, source: turn.source ?? ref }
      say(turn, { origin, writer: apart, log })
    }
    return events
  })
}

/** A user with a name is a member of a chat: no harness wraps the text. */
function say({ voice, content, read = readAnyPart }: Turn, to: Place): void {
  const place = { ...to, writer: withFailures(to.writer) }
  const parts = (isList(content) ? content : [content]).filter(
    (part) => part !== '' && part !== null,
  )
  const isMember = voice.kind === 'user' && typeof voice.name === 'string'
  if (!isMember && !isList(content) && typeof content === 'string') speak(content, voice, place)
  else if (!isMember) takeParts(parts, read, voice, place)
  else
    takeParts(parts, memberOf(read), { kind: 'meta' }, { ...place, writer: asMember(voice, place) })
}

/** Errors are failures, whichever part of a message has them. */
function withFailures(writer: SessionWriter): SessionWriter {
  const push: SessionWriter['push'] = (event) =>
    writer.push(
      event.kind === 'system' && event.name === 'error' ? { ...event, isError: true } : event,
    )
  return { ...writer, push }
}

const memberOf =
  (read: PartReader): PartReader =>
  (part) =>
    typeof part === 'string' ? [words(part)] : read(part)

function asMember({ name }: Voice, { writer }: Place): SessionWriter {
  const push: SessionWriter['push'] = (event) =>
    writer.push(
      event.kind === 'meta' && event.name === null
        ? { ...event, kind: 'user', name: name ?? null }
        : event,
    )
  return { ...writer, push }
}

/** [I190] Reverses a session whose times all fall. Events of one record keep their order. */
function oldestFirst(session: SessionDraft): void {
  const { events } = session
  const times = events.flatMap(({ at }) => (at === null ? [] : [at]))
  const first = times[0] ?? 0
  const last = times.at(-1) ?? 0
  if (first <= last || times.some((at, index) => index > 0 && at > (times[index - 1] ?? at))) return
  const groups: Array<typeof events> = []
  for (const event of events) {
    const group = groups.at(-1)
    if (group?.[0]?.source === event.source) group.push(event)
    else groups.push([event])
  }
  setEvents(session, groups.toReversed().flat())
}
