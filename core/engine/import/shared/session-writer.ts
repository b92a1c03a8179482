import { textOf, type SourceRef, type TextReader } from '../../schema/event.ts'
import type { Importer, RawRecord } from '../source.ts'
import { draft, sessionDraft, type EventDraft, type SessionDraft } from './drafts.ts'
import { takeEnvelope } from './envelope.ts'
import { compact, type JsonObject } from './guards.ts'
import type { ImportLog } from './import-log.ts'
import { createNames } from './names.ts'
import type { ToolNames } from './tool-calls.ts'

/** Fills one session, record by record. */
export interface SessionWriter {
  readonly session: SessionDraft
  /** Stores the texts of its events. */
  readonly texts: TextReader
  readonly calls: ToolNames
  /** Counts a record or part that does not become an event. */
  readonly skip: (type: string) => void
  readonly push: (event: EventDraft) => void
  /** Number of events, without the closing events, which are removed and added again. */
  readonly count: () => number
  /**
   * [I28] Sets the function that returns the closing events (a reward, an exit status). It is called
   * again after more records came, so it must have no side effects.
   */
  readonly closeWith: (closing: Closing) => void
  /** Removes the closing events, because a record came that may change them. */
  readonly reopen: () => void
}

type Closing = () => readonly EventDraft[]

/** The sessions of a file whose records come one after the other. */
export interface SessionWriters {
  /** Opens a session. Without an id it gets a number; a repeated id is made unique. */
  readonly open: (id: string | null, thread?: string, parent?: string | null) => SessionWriter
  /** Ends all open sessions: their closing events are final. */
  readonly finish: () => void
  readonly drafts: () => readonly SessionDraft[]
  readonly tidy: () => void
}

interface Pending {
  readonly events: EventDraft[]
  readonly closing: Closing
  shown: number
}

export function createSessionWriters(log: ImportLog, texts: TextReader): SessionWriters {
  const sessions: SessionDraft[] = []
  const unique = createNames()
  const pending = new Set<Pending>()

  function tidy(): void {
    for (const item of pending) {
      if (item.shown > 0) continue
      const closing = item.closing()
      item.events.push(...closing)
      item.shown = closing.length
    }
  }

  function open(id: string | null, thread = 'main', parent: string | null = null): SessionWriter {
    const session = sessionDraft(unique(id ?? `session-${sessions.length + 1}`), thread, parent)
    sessions.push(session)
    const { events } = session
    let own: Pending | null = null
    const reopen = (): void => {
      if (own === null || own.shown === 0) return
      events.length -= own.shown
      own.shown = 0
    }
    return {
      session,
      texts,
      calls: new Map(),
      skip: log.skip,
      push(event) {
        reopen()
        events.push(event)
      },
      count: () => events.length - (own?.shown ?? 0),
      closeWith(closing) {
        reopen()
        if (own !== null) pending.delete(own)
        own = { events, closing, shown: 0 }
        pending.add(own)
      },
      reopen,
    }
  }

  return {
    open,
    finish() {
      tidy()
      for (const item of pending) item.shown = 0
      pending.clear()
    },
    drafts: () => sessions,
    tidy,
  }
}

/** Facts about a whole run as `meta` events, without empty facts and without a text that the last event already has. */
export function runResult(
  { session, texts }: SessionWriter,
  source: SourceRef,
  facts: JsonObject,
): readonly EventDraft[] {
  const last = session.events.at(-1)
  return Object.entries(facts)
    .map(([name, fact]) => [name, compact(fact)] as const)
    .filter(([, fact]) => fact.trim() !== '')
    .filter(([, fact]) => last?.chars !== fact.length || textOf(last, texts) !== fact)
    .map(([name, fact]) => draft('meta', fact, { at: null, model: null, source }, { name }))
}

/** The error that ended a run, as an event; empty if there was none. */
export function crashed(error: unknown, source: SourceRef): readonly EventDraft[] {
  const text = compact(error)
  const origin = { at: null, model: null, source }
  return text === '' ? [] : [draft('system', text, origin, { isError: true })]
}

export interface SessionsReading {
  readonly log: ImportLog
  readonly writers: SessionWriters
}

/** Reads a file into session writers. `start` creates the format's additional state. */
export function readSessions<State>(
  start: () => State,
  take: (record: RawRecord, reading: SessionsReading & State) => void,
): Importer['read'] {
  return (log, texts) => {
    const writers = createSessionWriters(log, texts)
    const reading = { ...start(), log, writers }
    return {
      take: (record) => take(record, reading),
      drafts: writers.drafts,
      tidy: writers.tidy,
    }
  }
}

/** A reading of a format in which an object around a list of records is one run. */
export interface RunsReading<Run> extends SessionsReading {
  run: Run | null
}

interface RunParts<Run> {
  /** Called with the object around the list, without the list. */
  readonly header: (value: JsonObject, record: RawRecord, reading: RunsReading<Run>) => unknown
  readonly item: (record: RawRecord, reading: RunsReading<Run>) => void
}

/** Reads a file of runs, whose records are under one of these keys. */
export function readRuns<Run>(
  keys: readonly string[],
  { header, item }: RunParts<Run>,
): Importer['read'] {
  return readSessions<{ run: Run | null }>(
    () => ({ run: null }),
    (record, reading) =>
      takeEnvelope(record, keys, {
        header: (value, around) => header(value, around, reading),
        item: (one) => item(one, reading),
      }),
  )
}
