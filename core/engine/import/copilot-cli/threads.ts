import type { TextReader } from '../../schema/event.ts'
import { createSlots, type Slots } from '../gemini-cli/slots.ts'
import { sessionDraft, type EventDraft, type SessionDraft } from '../shared/drafts.ts'
import { own, textAt } from '../shared/guards.ts'

/** A session with its sub-agents. */
export interface Threads {
  readonly main: SessionDraft
  /** Name of the thread that a record belongs to; null for the session itself. */
  readonly threadOf: (record: unknown) => string | null
  /** A sub-agent's thread; it is made when it is first asked for. */
  readonly agent: (thread: string) => SessionDraft
  /** [I122] Notes which call started the agent of a record. */
  readonly started: (record: unknown) => void
  readonly put: (record: unknown, events: readonly EventDraft[]) => void
  /** Puts this event and all after it into a branch; false when there is no such event. */
  readonly rewind: (id: string) => boolean
  readonly drafts: () => readonly SessionDraft[]
  readonly tidy: () => void
}

export function createThreads(main: SessionDraft, texts: TextReader): Threads {
  const slots: Slots = createSlots(main, texts)
  const seen = new Set<string>()
  const agents = new Map<string, SessionDraft>()
  /** The call that started an agent, by the agent's id. */
  const calls = new Map<string, string>()

  const threadOf = (record: unknown): string | null => {
    const id = textAt(record, 'agentId')
    const call = textAt(own(record, 'data'), 'parentToolCallId')
    return call ?? (id === null ? null : (calls.get(id) ?? id))
  }
  const agent = (thread: string): SessionDraft => {
    const there = agents.get(thread)
    if (there !== undefined) return there
    const made = sessionDraft(`${main.id}/${thread}`, thread, main.id)
    made.cwd = main.cwd
    agents.set(thread, made)
    return made
  }
  return {
    main,
    threadOf,
    agent,
    started(record) {
      const [id, data] = [textAt(record, 'agentId'), own(record, 'data')]
      const call = textAt(data, 'toolCallId')
      if (call === null) return
      if (id !== null) calls.set(id, call)
      const made = agent(call)
      made.startedBy ??= call
      made.title ??= textAt(data, 'agentDisplayName', 'agentName')
      // An agent may start agents: then its parent is not the session.
      const parent = textAt(data, 'parentToolCallId')
      if (parent !== null && parent !== call) made.parent = agent(parent).id
    },
    put(record, events) {
      const thread = threadOf(record)
      if (thread === null) {
        const id = textAt(record, 'id')
        slots.put(id !== null && !seen.has(id) ? id : null, events)
        if (id !== null) seen.add(id)
        return
      }
      for (const event of events) agent(thread).events.push(event)
    },
    rewind: (id) => slots.rewind(id),
    drafts: () => [main, ...agents.values(), ...slots.branches()],
    tidy: () => slots.tidy(),
  }
}
