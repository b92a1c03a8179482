import { z } from 'zod'
import { textOf, type SessionEvent, type TextReader } from './schema/event.ts'
import { EventKind } from './schema/event-kind.ts'
import type { Immutable } from './schema/immutable.ts'
import type { Session } from './schema/session.ts'

/** [I10] Version of the native format that this program writes, and the newest that it reads. */
export const SCHEMA_VERSION = 1

const time = z.union([z.number(), z.iso.datetime({ offset: true })]).nullable()

/** First line of a session in a native file; a file may hold several sessions, each with its header. */
export const SessionHeader = z.looseObject({
  type: z.literal('session'),
  schemaVersion: z.int().min(1),
  id: z.string().optional(),
  title: z.string().optional(),
  /** `main` when absent. */
  thread: z.string().optional(),
  parent: z.string().nullable().optional(),
  /** [I102] `callId` of the tool call in the parent that started it. */
  startedBy: z.string().optional(),
  /** [I211] Id of the session that it was forked from. */
  forkedFrom: z.string().optional(),
  startedAt: time.optional(),
  cwd: z.string().nullable().optional(),
  /** [U161] Written by hand right now: the session is there before its first event is. */
  scratch: z.boolean().optional(),
})
export type SessionHeader = Immutable<z.infer<typeof SessionHeader>>

/** One event a line. Absent fields are null, `isError` false. Unknown fields are kept and written back. */
export const EventLine = z.looseObject({
  kind: EventKind,
  text: z.string(),
  at: time.optional(),
  name: z.string().nullable().optional(),
  callId: z.string().nullable().optional(),
  isError: z.boolean().optional(),
  model: z.string().nullable().optional(),
})
export type EventLine = Immutable<z.infer<typeof EventLine>>

const SESSION_FIELDS = new Set([...Object.keys(SessionHeader.shape), 'events', 'extras'])
/** `type` is the header's mark: an event that carried one would not read back as an event. */
const EVENT_FIELDS = new Set([...Object.keys(EventLine.shape), 'seq', 'source', 'extras', 'type'])

/** First line of a session, as a value. */
export function headerOf(session: Session): Record<string, unknown> {
  const { id, title, thread, parent, startedBy, forkedFrom, startedAt, cwd } = session
  const header = { type: 'session', schemaVersion: SCHEMA_VERSION, id, title, thread, parent }
  const call = startedBy === undefined ? {} : { startedBy }
  const fork = forkedFrom === undefined ? {} : { forkedFrom }
  return { ...header, ...call, ...fork, startedAt, cwd, ...session.extras }
}

/** The line of an event, as a value. */
export function lineOf(event: SessionEvent, texts: TextReader): Record<string, unknown> {
  const { kind, at, name, callId, isError, model } = event
  return {
    kind,
    ...(at === null ? {} : { at }),
    ...(name === null ? {} : { name }),
    ...(callId === null ? {} : { callId }),
    ...(isError ? { isError } : {}),
    ...(model === null ? {} : { model }),
    ...(event.from === undefined ? {} : { from: event.from }),
    ...(event.call === undefined ? {} : { call: event.call }),
    text: textOf(event, texts),
    ...event.extras,
  }
}

/** Fields that this version does not know, as they were read; undefined when there are none. */
export function extrasOf(
  value: object,
  known: ReadonlySet<string>,
): Readonly<Record<string, unknown>> | undefined {
  const extras = Object.entries(value).filter(([key]) => !known.has(key))
  // Not by assignment: that would take a field called `__proto__` for the prototype.
  return extras.length === 0 ? undefined : Object.fromEntries(extras)
}

export { EVENT_FIELDS, SESSION_FIELDS }
