import type { ContextSource } from '../../schema/context.ts'
import type { EventKind } from '../../schema/event-kind.ts'
import { draft, freshText, type EventDraft, type Origin } from '../shared/drafts.ts'
import type { ImportLog } from '../shared/import-log.ts'

/** [X4] Instructions that only the facts about a turn hold. */
export interface Preamble {
  /** Takes instructions that the model gets with this turn. */
  readonly take: (text: string, name: string, from: ContextSource, origin: Origin) => void
  /** Returns the instructions to insert before this event: those that no message before the conversation repeats. */
  readonly before: (event: EventDraft) => readonly EventDraft[]
}

/** Kinds of events that precede the text typed by the user. */
const BEFORE: ReadonlySet<EventKind> = new Set(['injected', 'system', 'meta'])
/** Texts of messages, and known instructions, that are compared. */
const MOST = 12

interface Waiting {
  readonly text: string
  readonly name: string
  readonly event: () => EventDraft
}

/**
 * Codex writes instructions into each `turn_context`, and mostly as a message too. The message counts; without
 * one the instructions are an event, once for each text.
 */
export function createPreamble(log: ImportLog): Preamble {
  let waiting: Waiting[] = []
  const messages: string[] = []
  const keep = (text: string): void => {
    messages.push(text)
    if (messages.length > MOST) messages.shift()
  }
  return {
    take(text, name, from, origin) {
      const isKnown = messages.some((message) => message.includes(text))
      // The record is counted as a `turn_context` already.
      if (isKnown || waiting.some((other) => other.text === text)) return
      log.used()
      waiting.push({ text, name, event: () => draft('injected', text, origin, { name, from }) })
      if (waiting.length > MOST) waiting.shift()
    },
    before(event) {
      if (BEFORE.has(event.kind)) {
        const text = freshText(event)
        keep(text)
        waiting = waiting.filter((one) => !text.includes(one.text))
        return []
      }
      if (waiting.length === 0) return []
      const events = waiting.map((one) => one.event())
      for (const { text } of waiting) keep(text)
      waiting = []
      return events
    },
  }
}
