import type { TextReader } from '../../schema/event.ts'
import { sessionDraft, type EventDraft, type SessionDraft } from './drafts.ts'

/** A session on its way in, with what its records call each other by. */
export interface SessionWriter {
  readonly session: SessionDraft
  /** Where the texts of its events are kept. */
  readonly texts: TextReader
  /** Tool names by call id: results often carry the id only. */
  readonly calls: Map<string, string>
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

export function createSessionWriters(texts: TextReader): SessionWriters {
  const sessions: SessionDraft[] = []
  const unique = createUniqueIds()
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

/** Ids as they are given; one that came before gets `-2`, `-3`, … */
function createUniqueIds(): (id: string) => string {
  const seen = new Map<string, number>()
  return (id) => {
    let next = seen.get(id)
    if (next === undefined) {
      seen.set(id, 2)
      return id
    }
    while (seen.has(`${id}-${next}`)) next += 1
    seen.set(id, next + 1)
    seen.set(`${id}-${next}`, 2)
    return `${id}-${next}`
  }
}
