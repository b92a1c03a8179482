import { textOf, type TextReader } from '../../schema/event.ts'
import type { Importer, RawRecord } from '../source.ts'
import { draft, sessionDraft, type EventDraft, type Origin, type SessionDraft } from './drafts.ts'
import { compact } from './guards.ts'
import type { ImportLog } from './import-log.ts'
import { createNames } from './names.ts'
import type { ToolNames } from './tool-calls.ts'

/** A session on its way in, with what its records call each other by. */
export interface SessionWriter {
  readonly session: SessionDraft
  /** Where the texts of its events are kept. */
  readonly texts: TextReader
  readonly calls: ToolNames
  /** Counts what is no event. */
  readonly skip: (type: string) => void
  readonly push: (event: EventDraft) => void
  /** Events of its records; those that close it are not counted, because they come and go. */
  readonly count: () => number
  /**
   * [I28] What stands after the last record whenever someone looks: a reward, an exit status. It is asked
   * again after more records came, and must not change anything.
   */
  readonly closeWith: (closing: Closing) => void
  /** Takes the closing events back: a record came that changes them. */
  readonly reopen: () => void
}

type Closing = () => readonly EventDraft[]

/** The sessions of a file whose records come one after the other. */
export interface SessionWriters {
  /** A new session. Without an id it is numbered; an id that was there gets a number too. */
  readonly open: (id: string | null, thread?: string, parent?: string | null) => SessionWriter
  /** No more records of the sessions so far: their closing events stay. */
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

/** Facts about a whole run as `meta` events; empty ones and what the last event says already are left out. */
export function runResult(
  facts: Readonly<Record<string, unknown>>,
  { session, texts }: SessionWriter,
  origin: Origin,
): readonly EventDraft[] {
  const last = session.events.at(-1)
  return Object.entries(facts)
    .map(([name, fact]) => [name, compact(fact)] as const)
    .filter(([, fact]) => fact.trim() !== '')
    .filter(([, fact]) => last?.chars !== fact.length || textOf(last, texts) !== fact)
    .map(([name, fact]) => draft('meta', fact, origin, { name }))
}

/** Where the reading of a file stands. */
export interface SessionsReading {
  readonly log: ImportLog
  readonly writers: SessionWriters
}

/** Reads a file into session writers; `start` is what a format knows beside them. */
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
