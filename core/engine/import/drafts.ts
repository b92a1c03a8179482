import type { EventKind, SessionEvent, SourceRef } from '../schema/event.ts'
import { firstLine, type JsonObject } from './guards.ts'
import type { Transcript } from '../schema/session.ts'

/** Where texts are kept so that an open session does not hold them all in memory. The host implements it. */
export interface TextStore {
  /** Keeps a text; the number gets it back. */
  put(text: string): number
  /** The text, unit for unit as it was put. */
  get(handle: number): string
}

/**
 * An event while its session is read, and afterwards. Its text may live in a `TextStore`: it is a
 * getter, so never spread an event (`{ ...event }` loses it): use `withText`, or `plainEvent`.
 */
// eslint-disable-next-line no-restricted-syntax -- a million events: a getter on the prototype costs no memory
export class EventDraft implements SessionEvent {
  /** Place in the session; given by `finishSessions`. */
  seq = 0
  readonly kind: EventKind
  readonly at: number | null
  readonly name: string | null
  readonly callId: string | null
  readonly isError: boolean
  readonly model: string | null
  readonly source: SourceRef
  /** UTF-16 units of the text. */
  readonly chars: number
  /** Nothing but white space. */
  readonly blank: boolean
  readonly extras?: JsonObject
  #text: string | TextStore
  #handle = 0

  /** With an event as text: that event's text, which stays where it is. */
  constructor(kind: EventKind, text: string | EventDraft, origin: Origin, parts: EventParts) {
    this.kind = kind
    this.at = origin.at
    this.name = shared(parts.name ?? null)
    this.callId = parts.callId ?? null
    this.isError = parts.isError ?? false
    this.model = shared(origin.model)
    this.source = origin.source
    if (parts.extras !== undefined) this.extras = parts.extras
    const isText = typeof text === 'string'
    this.chars = isText ? text.length : text.chars
    this.blank = isText ? !SAYS.test(text) : text.blank
    this.#text = isText ? text : text.#text
    if (!isText) this.#handle = text.#handle
  }

  get text(): string {
    return typeof this.#text === 'string' ? this.#text : this.#text.get(this.#handle)
  }

  /** Moves the text into a store. */
  keepIn(texts: TextStore): void {
    if (typeof this.#text !== 'string') return
    this.#handle = texts.put(this.#text)
    this.#text = texts
  }
}

const SAYS = /\S/

/** Names of tools and models: each record of a file brings its own copy of the few that there are. */
const names = new Map<string, string>()
const MAX_NAMES = 500
const LONGEST_NAME = 100

/** The same text, of which only one copy is kept. */
function shared(name: string | null): string | null {
  if (name === null || name.length > LONGEST_NAME) return name
  const known = names.get(name)
  if (known !== undefined) return known
  // A file may have a name of its own for each record.
  if (names.size >= MAX_NAMES) names.clear()
  names.set(name, name)
  return name
}

/** UTF-16 units of an event's text, without fetching it. */
export function charsOf(event: SessionEvent): number {
  return event instanceof EventDraft ? event.chars : event.text.length
}

/** Whether an event's text is nothing but white space, without fetching it. */
export function isBlank(event: SessionEvent): boolean {
  return event instanceof EventDraft ? event.blank : !SAYS.test(event.text)
}

/** What the record says about all of its events. */
export interface Origin {
  readonly at: number | null
  readonly model: string | null
  readonly source: SourceRef
}

export interface EventParts {
  readonly name?: string | null | undefined
  readonly callId?: string | null | undefined
  readonly isError?: boolean | undefined
  /** Fields of the native format that this version does not know. */
  readonly extras?: JsonObject | undefined
}

/** An event of a record. Its text may be that of another event. */
export function draft(
  kind: EventKind,
  text: string | EventDraft,
  origin: Origin,
  parts: EventParts = {},
): EventDraft {
  return new EventDraft(kind, text, origin, parts)
}

/** The same event with another text. */
export function withText(event: EventDraft, text: string): EventDraft {
  return new EventDraft(event.kind, text, event, event)
}

/** An event as plain data, its text with it. */
export function plainEvent(event: SessionEvent): SessionEvent {
  const { seq, kind, text, at, name, callId, isError, model, source, extras } = event
  const plain = { seq, kind, text, at, name, callId, isError, model, source }
  return extras === undefined ? plain : { ...plain, extras }
}

/** A session that is being filled, in file order. */
export interface SessionDraft {
  readonly id: string
  /** `main`; the id of a sub-agent; `branch-N` for a branch that was left (I4). */
  readonly thread: string
  readonly parent: string | null
  /** A title that the file gives; else one is made of the first message. */
  title: string | null
  startedAt: number | null
  cwd: string | null
  readonly events: EventDraft[]
  readonly extras?: JsonObject
  /** The file says when the session started, or that it does not know: no event is asked. */
  readonly timed?: boolean
  /** So many of the events were moved into a store; the reading's own book. */
  settled?: number
}

export function sessionDraft(
  id: string,
  thread = 'main',
  parent: string | null = null,
): SessionDraft {
  return { id, thread, parent, title: null, startedAt: null, cwd: null, events: [], settled: 0 }
}

const SPEAKS: readonly EventKind[] = ['user', 'subagent_prompt', 'command', 'agent']

/** [I4] Sessions that have events, in order of their first record; events are numbered. */
export function finishSessions(drafts: Iterable<SessionDraft>): Transcript['sessions'] {
  const sessions: Array<Transcript['sessions'][number]> = []
  for (const item of drafts) {
    if (item.events.length === 0) continue
    const { id, thread, parent, cwd, events } = item
    for (let seq = 0; seq < events.length; seq += 1) {
      const event = events[seq]
      if (event !== undefined) event.seq = seq
    }
    const first = item.timed === true ? null : events.find((event) => event.at !== null)
    const startedAt = item.startedAt ?? first?.at ?? null
    const title = item.title ?? titleOf(item) ?? id
    const session = { id, title, thread, parent, startedAt, cwd, events: events.slice() }
    sessions.push(item.extras === undefined ? session : { ...session, extras: item.extras })
  }
  return sessions
}

/** Titles found before, with the event that gives each: looking again would fetch its text. */
const titles = new WeakMap<SessionDraft, { readonly event: EventDraft; readonly title: string }>()

function titleOf(item: SessionDraft): string | null {
  const { events } = item
  const known = titles.get(item)
  // An earlier event may have become the person's since, so all are looked at, but no text twice.
  for (const kind of SPEAKS) {
    for (const event of events) {
      if (event.kind !== kind) continue
      const title = known?.event === event ? known.title : firstLine(event.text)
      if (title === '') continue
      titles.set(item, { event, title })
      return title
    }
  }
  return null
}
