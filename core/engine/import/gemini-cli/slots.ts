import type { TextReader } from '../../schema/event.ts'
import {
  branchDraft,
  sayTheSame,
  setEvents,
  type EventDraft,
  type SessionDraft,
} from '../shared/drafts.ts'

/** A message of a chat with its events. */
interface Slot {
  readonly id: string | null
  events: readonly EventDraft[]
}

/**
 * [I15] The messages of one chat. A message that is written again replaces the first one. Messages dropped by a rewind
 * or a new list become an abandoned branch.
 */
export interface Slots {
  put(id: string | null, events: readonly EventDraft[]): 'added' | 'again'
  /** A message without id that still grows; called with another event, that one takes its place. */
  grow(event: EventDraft): (event: EventDraft) => void
  /** Drops this message and all after it; false when there is no such message. */
  rewind(id: string): boolean
  /** Drops the messages that are not among these. */
  keep(ids: ReadonlySet<string>): void
  /** Puts the events in their order. */
  tidy(): void
  readonly branches: () => readonly SessionDraft[]
}

export function createSlots(main: SessionDraft, texts: TextReader): Slots {
  let slots: Slot[] = []
  const known = new Map<string, Slot>()
  const branches: SessionDraft[] = []
  let changed = false

  const leave = (gone: readonly Slot[]): void => {
    const events = gone.flatMap((slot) => slot.events)
    for (const slot of gone) if (slot.id !== null) known.delete(slot.id)
    changed = true
    if (events.length === 0) return
    const branch = branchDraft(main, branches.length + 1)
    setEvents(branch, events)
    branches.push(branch)
  }

  return {
    put(id, events) {
      const there = id === null ? undefined : known.get(id)
      if (there !== undefined && sayTheSame(there.events, events, texts)) return 'again'
      // New events first go to the end, where the host finds events not stored yet.
      for (const event of events) main.events.push(event)
      if (there !== undefined) {
        there.events = events
        changed = true
        return 'again'
      }
      const slot = { id, events }
      slots.push(slot)
      if (id !== null) known.set(id, slot)
      return 'added'
    },
    grow(event) {
      main.events.push(event)
      const slot: Slot = { id: null, events: [event] }
      slots.push(slot)
      return (grown) => {
        slot.events = [grown]
        changed = true
      }
    },
    rewind(id) {
      const there = known.get(id)
      if (there === undefined) return false
      leave(slots.splice(slots.lastIndexOf(there)))
      return true
    },
    keep(ids) {
      const stays = ({ id }: Slot): boolean => id === null || ids.has(id)
      const gone = slots.filter((slot) => !stays(slot))
      if (gone.length === 0) return
      slots = slots.filter(stays)
      leave(gone)
    },
    tidy() {
      if (!changed) return
      changed = false
      const ordered = slots.flatMap((slot) => slot.events)
      setEvents(main, ordered)
    },
    branches: () => branches,
  }
}
