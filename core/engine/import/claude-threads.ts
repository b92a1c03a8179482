import { sessionDraft } from './drafts.ts'
import type { EventDraft, SessionDraft } from './drafts.ts'
import { epoch, own, text } from './guards.ts'
import type { JsonObject } from './guards.ts'

/** Where a record belongs. */
export interface Place {
  readonly session: SessionDraft
  readonly sidechain: boolean
}

/** A record of the chain that was read: its thread, and its events to recognise a repetition. */
interface Known {
  readonly session: SessionDraft
  /** Root of its sidechain; null on the main thread. */
  readonly root: string | null
  readonly events: readonly EventDraft[]
}

/**
 * [I4] Threads of a file. The main thread is a session for each session id; a sidechain is a session
 * of its own, named by its `agentId` or, before those existed, by the uuid of its first record.
 * Linking uses all records (`progress` too), because parents may be any of them.
 */
export interface Threads {
  place(record: JsonObject): Place
  remember(record: JsonObject): void
  append(record: JsonObject, events: readonly EventDraft[]): 'added' | 'duplicate'
  /** In order of their first record. */
  readonly sessions: () => Iterable<SessionDraft>
  /** Gives titles to the sessions whose records they name. */
  readonly name: (titles: ReadonlyMap<string, string>) => void
}

export function createThreads(): Threads {
  const sessions = new Map<string, SessionDraft>()
  const known = new Map<string, Known>()
  let lastMain: string | null = null

  const rootOf = (record: JsonObject): string => {
    const parent = known.get(text(own(record, 'parentUuid')) ?? '')
    return parent?.root ?? text(own(record, 'uuid')) ?? 'sidechain'
  }

  const openThread = (record: JsonObject, thread: string | null): SessionDraft => {
    // A resumed conversation goes on under a new session id: it stays where its parent is.
    const parent = thread === null ? known.get(text(own(record, 'parentUuid')) ?? '') : undefined
    if (parent?.root === null) return parent.session
    const given = text(own(record, 'sessionId'))
    const main = given ?? lastMain ?? 'session-1'
    if (thread === null) lastMain = main
    const key = thread === null ? main : `${main}/${thread}`
    const there = sessions.get(key)
    if (there !== undefined) return there
    const made = thread === null ? sessionDraft(main) : sessionDraft(key, thread, main)
    sessions.set(key, made)
    return made
  }

  const place = (record: JsonObject): Place & { readonly root: string | null } => {
    const sidechain = own(record, 'isSidechain') === true
    const root = sidechain ? (text(own(record, 'agentId')) ?? rootOf(record)) : null
    const session = openThread(record, root)
    session.startedAt ??= epoch(own(record, 'timestamp'))
    session.cwd ??= text(own(record, 'cwd'))
    return { session, sidechain, root }
  }

  const note = (record: JsonObject, at: Known): void => {
    const uuid = text(own(record, 'uuid'))
    if (uuid !== null) known.set(uuid, at)
  }

  return {
    place,
    remember(record) {
      const { session, root } = place(record)
      note(record, { session, root, events: [] })
    },
    append(record, events) {
      const { session, root } = place(record)
      const before = known.get(text(own(record, 'uuid')) ?? '')
      if (before !== undefined && events.length > 0 && same(before.events, events))
        return 'duplicate'
      // Not push(...events): one record can have more blocks than a call can have arguments.
      for (const event of events) session.events.push(event)
      note(record, { session, root, events })
      return 'added'
    },
    sessions: () => sessions.values(),
    name(titles) {
      for (const [leaf, title] of titles) {
        const session = known.get(leaf)?.session
        if (session?.thread === 'main') session.title ??= title
      }
    },
  }
}

/** [I4] A resumed file may repeat records; the same id with another text is another record. */
function same(a: readonly EventDraft[], b: readonly EventDraft[]): boolean {
  return (
    a.length === b.length &&
    a.every((event, at) => event.text === b[at]?.text && event.kind === b[at].kind)
  )
}
