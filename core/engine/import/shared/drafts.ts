import { isNotice } from '../../notices.ts'
import {
  NO_TEXTS,
  textOf,
  type EventText,
  type SessionEvent,
  type TextReader,
} from '../../schema/event.ts'
import type { ContextSource, ModelCall } from '../../schema/context.ts'
import type { EventKind } from '../../schema/event-kind.ts'
import type { Session } from '../../schema/session.ts'
import { sourceInText } from './context-source.ts'
import { firstLine, type JsonObject } from './guards.ts'

/** Stores texts outside of memory. The host implements it. */
export interface TextStore extends TextReader {
  /** Stores a text and returns its place, with which `get` returns it. */
  put(text: string): number
}

/** An event while its session is read: its place is not known yet, and its text may be moved into a store. */
export interface EventDraft extends SessionEvent {
  /** Given by `finishSessions`. */
  seq: number
  text: EventText
  /** [X2] The recorded numbers of a call may still grow while its records are read. */
  call?: ModelCall
}

/** Moves the text of an event into a store. */
export function keepText(event: EventDraft, texts: TextStore): void {
  if (typeof event.text === 'string') event.text = texts.put(event.text)
}

/** The text of an event that was just made: it was not moved into a store yet. */
export function freshText(event: EventDraft): string {
  return textOf(event, NO_TEXTS)
}

/** Whether two events say the same. Texts are fetched only where kind and length agree. */
export function sayTheSame(
  a: readonly EventDraft[],
  b: readonly EventDraft[],
  texts: TextReader,
): boolean {
  if (a.length !== b.length) return false
  return a.every((event, at) => {
    const other = b[at]
    if (event.kind !== other?.kind || event.chars !== other.chars) return false
    return textOf(event, texts) === textOf(other, texts)
  })
}

const SAYS = /\S/

/** Names of tools and models. There are few, but parsing creates a new string for each record. */
const names = new Map<string, string>()
const MAX_NAMES = 500
const LONGEST_NAME = 100

/** Returns one shared copy of equal names. */
function shared(name: string | null): string | null {
  if (name === null || name.length > LONGEST_NAME) return name
  const known = names.get(name)
  if (known !== undefined) return known
  // A file may use a different name in each record.
  if (names.size >= MAX_NAMES) names.clear()
  names.set(name, name)
  return name
}

/** Facts that the record states for all of its events. */
export type Origin = Pick<SessionEvent, 'at' | 'model' | 'source'>

export interface EventParts {
  readonly name?: string | null | undefined
  readonly callId?: string | null | undefined
  readonly isError?: boolean | undefined
  /** Fields of the native format that this version does not know. */
  readonly extras?: JsonObject | undefined
  /** [X1] Source of an injected text. */
  readonly from?: ContextSource | undefined
  readonly call?: ModelCall | undefined
}

let made = 0

/**
 * [I108] Number of events made so far, without facts about whole sessions. Only differences between two calls are
 * meaningful.
 */
export function draftsMade(): number {
  return made
}

/** An event of a record. With an event as `text`, it reuses that event's stored text. */
export function draft(
  kind: EventKind,
  text: string | EventDraft,
  origin: Origin,
  parts: EventParts = {},
): EventDraft {
  const isText = typeof text === 'string'
  made += 1
  // One literal with all fields in one order: a million events share one hidden class.
  const event: EventDraft = {
    seq: 0,
    kind,
    text: isText ? text : text.text,
    chars: isText ? text.length : text.chars,
    blank: isText ? !SAYS.test(text) : text.blank,
    at: origin.at,
    name: shared(parts.name ?? null),
    callId: parts.callId ?? null,
    isError: parts.isError ?? false,
    model: shared(origin.model),
    source: origin.source,
  }
  const isUntold = parts.from === undefined && kind === 'injected' && isText
  const from = isUntold ? sourceInText(event.name, text) : parts.from
  return withFacts(withNotice(event, text), parts, from)
}

/** [B27] Marks a tool result that says nothing. */
function withNotice(event: EventDraft, text: string | EventDraft): EventDraft {
  if (event.kind !== 'tool_result' || event.blank) return event
  const isSilent = typeof text === 'string' ? isNotice(text) : text.notice === true
  return isSilent ? { ...event, notice: true } : event
}

/** Optional facts are members of the few events that have them, so that all others stay small. */
function withFacts(
  event: EventDraft,
  { extras, call }: EventParts,
  from: EventParts['from'],
): EventDraft {
  if (extras === undefined && from === undefined && call === undefined) return event
  return {
    ...event,
    ...(extras === undefined ? {} : { extras }),
    ...(from === undefined ? {} : { from }),
    ...(call === undefined ? {} : { call }),
  }
}

/** The same event with another text. */
export function withText(event: EventDraft, text: string): EventDraft {
  return draft(event.kind, text, event, event)
}

/** A session that is being filled, in file order. */
export interface SessionDraft {
  readonly id: string
  /** `main`; the id of a sub-agent; `branch-N` for a branch that was left (I4). */
  readonly thread: string
  parent: string | null
  /** [I102] `callId` of the tool call in `parent` that started it. */
  startedBy?: string | undefined
  /** [I211] Id of the session that it was forked from. */
  forkedFrom?: string | undefined
  /** A title that the file gives; else one is made of the first message. */
  title: string | null
  startedAt: number | null
  cwd: string | null
  readonly events: EventDraft[]
  readonly extras?: JsonObject
  /** A session even before it has an event. */
  readonly stays?: boolean
  /** The file states the start time, possibly as unknown: it is not taken from the first event. */
  readonly timed?: boolean
  /** Number of events whose texts were already moved into the store. */
  settled?: number
}

export function sessionDraft(
  id: string,
  thread = 'main',
  parent: string | null = null,
): SessionDraft {
  return { id, thread, parent, title: null, startedAt: null, cwd: null, events: [], settled: 0 }
}

/** The session of a branch that was left: it belongs to the session that it comes from. */
export function branchDraft(main: SessionDraft, number: number): SessionDraft {
  const thread = `branch-${number}`
  return { ...sessionDraft(`${main.id}/${thread}`, thread, main.id), cwd: main.cwd }
}

/** Puts these events in place of those that a session has. The list stays the same one. */
export function setEvents({ events }: SessionDraft, to: readonly EventDraft[]): void {
  events.length = 0
  for (const event of to) events.push(event)
}

const SPEAKS: readonly EventKind[] = ['user', 'subagent_prompt', 'command', 'agent']

/** [I4] Sessions that have events, in order of their first record; events are numbered. */
export function finishSessions(
  drafts: Iterable<SessionDraft>,
  texts: TextReader,
): readonly Session[] {
  const sessions: Session[] = []
  for (const item of drafts) {
    if (item.events.length === 0 && item.stays !== true) continue
    const { id, thread, parent, cwd, events } = item
    for (let seq = 0; seq < events.length; seq += 1) {
      const event = events[seq]
      if (event !== undefined) event.seq = seq
    }
    const first = item.timed === true ? null : events.find((event) => event.at !== null)
    const startedAt = item.startedAt ?? first?.at ?? null
    const title = item.title ?? titleOf(item, texts) ?? id
    const session = { id, title, thread, parent, startedAt, cwd, events: events.slice(), texts }
    sessions.push({
      ...session,
      ...linksOf(item),
      ...(item.extras === undefined ? {} : { extras: item.extras }),
    })
  }
  return sessions
}

/** Links to other sessions, where there are any. */
function linksOf({
  startedBy,
  forkedFrom,
}: SessionDraft): Pick<Session, 'startedBy' | 'forkedFrom'> {
  return {
    ...(startedBy === undefined ? {} : { startedBy }),
    ...(forkedFrom === undefined ? {} : { forkedFrom }),
  }
}

/** Titles found before, with the event that gives each: looking again would fetch its text. */
const titles = new WeakMap<SessionDraft, { readonly event: EventDraft; readonly title: string }>()

function titleOf(item: SessionDraft, texts: TextReader): string | null {
  const { events } = item
  const known = titles.get(item)
  // An earlier event may have changed its kind since the last call, so all events are checked again, but no text is fetched twice.
  for (const kind of SPEAKS) {
    for (const event of events) {
      if (event.kind !== kind) continue
      const title = known?.event === event ? known.title : firstLine(textOf(event, texts))
      if (title === '') continue
      titles.set(item, { event, title })
      return title
    }
  }
  return null
}
