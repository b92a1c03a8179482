import type { TextReader } from '../../schema/event.ts'
import { sayTheSame, sessionDraft, type EventDraft, type SessionDraft } from '../shared/drafts.ts'
import { epoch, own, textAt, type JsonObject } from '../shared/guards.ts'
import type { SaidOf } from './agent-files.ts'
import { createBranches, type Link } from './branches.ts'
import { createCallers } from './callers.ts'

/** The session that a record belongs to. */
export interface Place {
  readonly session: SessionDraft
}

/** A record of the chain that was read: its thread, and its events to recognise a repetition. */
interface Known extends Omit<Link, 'root' | 'boundary'> {
  /** Root of its sidechain; null on the main thread. */
  readonly root: string | null
  /** Its place in the chain of the main thread; -1 in a sidechain. */
  link: number
}

/** Bookkeeping records that are linked between messages. */
const BETWEEN: ReadonlySet<unknown> = new Set(['progress', 'attachment', 'system'])

/**
 * [I4] Threads of a file. The main thread gives one session for each session id. A sidechain is a separate session,
 * named by its `agentId` or, in older files, by the uuid of its first record. Linking uses all records (also
 * `progress`), because any record may be a parent.
 */
export interface Threads {
  place(record: JsonObject): Place
  remember(record: JsonObject): void
  append(record: JsonObject, events: readonly EventDraft[]): 'added' | 'duplicate'
  /** In order of their first record. */
  readonly sessions: () => Iterable<SessionDraft>
  /** [I189] The client says that the live conversation ends with this record. */
  readonly live: (uuid: string) => void
  /** Gives titles to the sessions whose records they name. */
  readonly name: (titles: ReadonlyMap<string, string>) => void
  /** Parts the branches that were left from their sessions, and hangs sub-agents under their calls. */
  readonly part: () => void
  /** [I101] References to sessions and sub-agents in the records so far. */
  readonly said: SaidOf
  /** [I101] Maps a session id that no record of the main thread carries to the file's first session. */
  readonly adopt: (sessionId: string) => void
}

export function createThreads(texts: TextReader): Threads {
  const sessions = new Map<string, SessionDraft>()
  const known = createKnown()
  const branches = createBranches()
  const callers = createCallers()
  const ids = createIds()
  const place = createPlaces(sessions, known, ids)
  let left: readonly SessionDraft[] = []

  const note = (record: JsonObject, { session, root }: Placed, events: Known['events']): void => {
    const uuid = textAt(record, 'uuid')
    if (uuid === null) return
    const parent = known.parentOf(record)?.link ?? -1
    const type = own(record, 'type')
    const prompt = type === 'user' && events.some((event) => event.kind === 'user')
    // An array that grew by pushes has room for 17; there are hundreds of thousands of these.
    const kept = events.length === 0 ? NONE : events.slice()
    const between = BETWEEN.has(type)
    const noted: Known = { parent, prompt, between, session, events: kept, root, link: -1 }
    const isRoot = own(record, 'parentUuid') === null
    const boundary = own(record, 'subtype') === 'compact_boundary'
    if (root === null)
      noted.link = branches.add({
        parent,
        prompt,
        between,
        session,
        events: kept,
        boundary,
        root: isRoot,
      })
    known.set(uuid, noted)
  }

  return {
    place,
    remember(record) {
      const placed = place(record)
      callers.note(record, placed.session)
      note(record, placed, NONE)
    },
    append(record, events) {
      const placed = place(record)
      const before = known.get(textAt(record, 'uuid') ?? '')
      // [I4] A resumed file may repeat records; the same id with another text is another record.
      if (before !== undefined && events.length > 0 && sayTheSame(before.events, events, texts))
        return 'duplicate'
      addAll(placed.session, events)
      callers.note(record, placed.session)
      note(record, placed, events)
      return 'added'
    },
    live(uuid) {
      const link = known.get(uuid)?.link ?? -1
      if (link >= 0) branches.live(link)
    },
    sessions: () => (left.length === 0 ? sessions.values() : [...sessions.values(), ...left]),
    part() {
      left = branches.part()
      callers.settle(sessions.values(), left)
    },
    said: { session: ids.has, agent: callers.names },
    adopt: ids.adopt,
    name(titles) {
      for (const [leaf, title] of titles) giveTitle(known.get(leaf)?.session, title)
    },
  }
}

const NONE: readonly EventDraft[] = []

/** The records that were read, by uuid. */
interface KnownRecords {
  readonly get: (uuid: string) => Known | undefined
  readonly set: (uuid: string, known: Known) => void
  readonly parentOf: (record: JsonObject) => Known | undefined
}

/**
 * Caches the last record, because each record looks up its parent several times, and the parent is usually the previous
 * record.
 */
function createKnown(): KnownRecords {
  const all = new Map<string, Known>()
  let last: { readonly uuid: string; readonly known: Known } | null = null
  let asked: { readonly uuid: string; readonly parent: Known | undefined } | null = null
  return {
    get: (uuid) => all.get(uuid),
    set(uuid, known) {
      all.set(uuid, known)
      last = { uuid, known }
      asked = null
    },
    parentOf(record) {
      const uuid = textAt(record, 'parentUuid')
      if (uuid === null) return undefined
      if (asked?.uuid === uuid) return asked.parent
      const parent = last?.uuid === uuid ? last.known : all.get(uuid)
      asked = { uuid, parent }
      return parent
    },
  }
}

/** Not push(...events): one record can have more blocks than a call can have arguments. */
function addAll(session: SessionDraft, events: readonly EventDraft[]): void {
  for (const event of events) session.events.push(event)
}

function giveTitle(session: SessionDraft | undefined, title: string): void {
  if (session?.thread === 'main') session.title ??= title
}

type Placed = Place & { readonly root: string | null }

/** The session ids of the main thread, and the session that each refers to. */
interface Ids {
  readonly has: (id: string) => boolean
  readonly note: (id: string | null, session: string) => void
  /** The session that a sub-agent with this session id belongs to. */
  readonly sessionOf: (id: string) => string
  readonly adopt: (id: string) => void
}

function createIds(): Ids {
  const all = new Map<string, string>()
  let first: string | null = null
  return {
    has: (id) => all.has(id),
    note(id, session) {
      first ??= session
      if (id !== null && !all.has(id)) all.set(id, session)
    },
    sessionOf: (id) => all.get(id) ?? id,
    adopt(id) {
      if (first !== null && !all.has(id)) all.set(id, first)
    },
  }
}

/** Returns the session of a record, and opens it on first use. */
function createPlaces(
  sessions: Map<string, SessionDraft>,
  known: KnownRecords,
  ids: Ids,
): (record: JsonObject) => Placed {
  let lastMain: string | null = null

  const rootOf = (record: JsonObject): string => {
    return known.parentOf(record)?.root ?? textAt(record, 'uuid') ?? 'sidechain'
  }

  const openThread = (record: JsonObject, thread: string | null): SessionDraft => {
    // A resumed conversation has a new session id, but it stays in the session of its parent record.
    const parent = thread === null ? known.parentOf(record) : undefined
    const given = textAt(record, 'sessionId')
    if (parent?.root === null) {
      ids.note(given, parent.session.id)
      return parent.session
    }
    const named = given === null || thread === null ? given : ids.sessionOf(given)
    const main = named ?? lastMain ?? 'session-1'
    if (thread === null) {
      lastMain = main
      ids.note(given, main)
    }
    const key = thread === null ? main : `${main}/${thread}`
    const there = sessions.get(key)
    if (there !== undefined) return there
    const made = thread === null ? sessionDraft(main) : sessionDraft(key, thread, main)
    sessions.set(key, made)
    return made
  }

  return (record) => {
    const isSide = own(record, 'isSidechain') === true
    const root = isSide ? (textAt(record, 'agentId') ?? rootOf(record)) : null
    const session = openThread(record, root)
    session.startedAt ??= epoch(own(record, 'timestamp'))
    session.cwd ??= textAt(record, 'cwd')
    // [I211] Each copied record of a fork names its original.
    if (root === null)
      session.forkedFrom ??= textAt(own(record, 'forkedFrom'), 'sessionId') ?? undefined
    return { session, root }
  }
}
