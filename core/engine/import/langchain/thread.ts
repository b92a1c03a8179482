import { draft, setEvents, type EventDraft } from '../shared/drafts.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import type { SessionWriter } from '../shared/session-writer.ts'

/** The events of one message, and the message that follows it. */
interface Block {
  events: EventDraft[]
  at: number | null
  next: Block | null
}

/** A session that is told state by state: each state repeats the messages of the one before. */
export interface Thread {
  readonly writer: SessionWriter
  /** Stands before the first message. */
  readonly start: Block
  last: Block
  readonly known: Map<string, Block>
  /** States so far: times of states are those of messages only where there are several. */
  states: number
  dirty: boolean
}

export function createThread(writer: SessionWriter): Thread {
  const start: Block = { events: [], at: null, next: null }
  return { writer, start, last: start, known: new Map(), states: 0, dirty: false }
}

/** Where the next message of a state belongs. */
export interface Cursor {
  readonly thread: Thread
  readonly at: number | null
  behind: Block
  /** How often each message stood in this state so far. */
  readonly seen: Map<string, number>
}

export function beginState(thread: Thread, at: number | null, adds: boolean): Cursor {
  thread.states += 1
  // From the second state on messages have times, also those that were said before.
  if (thread.states === 2) thread.dirty = true
  return { thread, at, behind: adds ? thread.last : thread.start, seen: new Map() }
}

/**
 * [I131] Says a message unless an earlier state of the thread did. A new one stands behind the message
 * that it follows in its state, in whichever order the states come. `say` pushes its events.
 */
export function tell(cursor: Cursor, key: string, say: () => void): 'new' | 'known' {
  const { thread, at } = cursor
  const known = thread.known.get(key)
  if (known !== undefined) {
    cursor.behind = known
    if (at !== null && (known.at === null || at < known.at)) {
      known.at = at
      thread.dirty = true
    }
    return 'known'
  }
  const { events } = thread.writer.session
  const before = events.length
  say()
  const block: Block = { events: events.slice(before), at, next: cursor.behind.next }
  if (cursor.behind === thread.last) thread.last = block
  else thread.dirty = true
  cursor.behind.next = block
  cursor.behind = block
  thread.known.set(key, block)
  thread.dirty ||= at !== null
  return 'new'
}

/** What a message is known by: what makes it the same one, and how often that stood in its state before. */
export function keyOf(cursor: Cursor, identity: string): string {
  const said = fingerprint(identity)
  const times = cursor.seen.get(said) ?? 0
  cursor.seen.set(said, times + 1)
  return `${said} ${times}`
}

/** Puts the events in the order of their messages, and gives them the time of the first state that has them. */
export function tidyThread(thread: Thread): void {
  if (!thread.dirty) return
  thread.dirty = false
  const ordered: EventDraft[] = []
  for (let block = thread.start.next; block !== null; block = block.next) {
    const { at } = block
    if (thread.states > 1 && at !== null)
      block.events = block.events.map((event) =>
        event.at === at ? event : draft(event.kind, event, { ...event, at }, event),
      )
    for (const event of block.events) ordered.push(event)
  }
  setEvents(thread.writer.session, ordered)
}
