import type { EventKind, SessionEvent, SourceRef } from '../schema/event.ts'
import { firstLine } from './guards.ts'
import type { Sessions } from './source.ts'

/** An event before its session is complete: `seq` is given at the end. */
export type EventDraft = Omit<SessionEvent, 'seq'>

/** What the record says about all of its events. */
export interface Origin {
  readonly at: number | null
  readonly model: string | null
  readonly source: SourceRef
}

export interface EventParts {
  readonly name?: string | null | undefined
  readonly callId?: string | null | undefined
  readonly isError?: boolean | undefined
}

/** An event of a record. */
export function draft(
  kind: EventKind,
  text: string,
  origin: Origin,
  parts: EventParts = {},
): EventDraft {
  return {
    kind,
    text,
    at: origin.at,
    name: parts.name ?? null,
    callId: parts.callId ?? null,
    isError: parts.isError ?? false,
    model: origin.model,
    source: origin.source,
  }
}

/** A session that is being filled, in file order. */
export interface SessionDraft {
  readonly id: string
  readonly thread: string
  readonly parent: string | null
  /** A title that the file gives; else one is made of the first message. */
  title: string | null
  startedAt: number | null
  cwd: string | null
  readonly events: EventDraft[]
}

export function sessionDraft(
  id: string,
  thread = 'main',
  parent: string | null = null,
): SessionDraft {
  return { id, thread, parent, title: null, startedAt: null, cwd: null, events: [] }
}

const SPEAKS: readonly EventKind[] = ['user', 'subagent_prompt', 'command', 'agent']

/** [I4] Sessions that have events, in order of their first record; events are numbered. */
export function finishSessions(drafts: Iterable<SessionDraft>): Sessions {
  const sessions: Array<Sessions[number]> = []
  for (const item of drafts) {
    if (item.events.length === 0) continue
    const { id, thread, parent, cwd, events } = item
    const startedAt = item.startedAt ?? events.find((event) => event.at !== null)?.at ?? null
    const title = item.title ?? titleOf(events) ?? id
    const numbered = events.map((event, seq) => ({ seq, ...event }))
    sessions.push({ id, title, thread, parent, startedAt, cwd, events: numbered })
  }
  return sessions
}

function titleOf(events: readonly EventDraft[]): string | null {
  for (const kind of SPEAKS) {
    for (const event of events) {
      const title = event.kind === kind ? firstLine(event.text) : ''
      if (title !== '') return title
    }
  }
  return null
}
