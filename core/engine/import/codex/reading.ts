import { createCopies, type Copies, type Moment } from '../shared/copies.ts'
import {
  draft,
  sessionDraft,
  type EventDraft,
  type Origin,
  type SessionDraft,
} from '../shared/drafts.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { createPreamble, type Preamble } from './preamble.ts'
import { createTokenCounts, type TokenCounts } from './token-counts.ts'

/** A text of the user's role that no event has named as typed so far. */
interface Unnamed {
  /** Place among the session's events. */
  readonly index: number
  typed: boolean
}

/** All that the records of one rollout share while they are read. */
export interface CodexReading {
  readonly log: ImportLog
  session: SessionDraft | null
  /** Time, model and place of the current record. */
  origin: Origin
  model: string | null
  /** Tool names by call id, and ids of calls that an event reported as failed. */
  readonly calls: Map<string, string>
  readonly failed: Set<string>
  readonly typed: Copies<Unnamed | null>
  /** [I174] The two kinds of events for one typed text. */
  readonly told: Copies<true>
  readonly spoken: Copies<true>
  readonly thought: Copies<true>
  readonly unnamed: Unnamed[]
  /** Whether the file has events for typed texts at all; files from before 2025-09 have none. */
  names: boolean
  readonly usage: TokenCounts
  readonly preamble: Preamble
}

export function createCodexReading(log: ImportLog): CodexReading {
  return {
    log,
    session: null,
    origin: { at: null, model: null, source: { offset: 0, length: 0, line: 1 } },
    model: null,
    calls: new Map(),
    failed: new Set(),
    typed: createCopies(),
    told: createCopies(),
    spoken: createCopies(),
    thought: createCopies(),
    unnamed: [],
    names: false,
    usage: createTokenCounts(),
    preamble: createPreamble(log),
  }
}

/** The session of the file; one without a header gets a number. */
export function sessionOf(reading: CodexReading): SessionDraft {
  reading.session ??= sessionDraft('session-1')
  return reading.session
}

/** Adds an event; its place among the session's events. */
export function push(reading: CodexReading, event: EventDraft): number {
  const { events } = sessionOf(reading)
  for (const instructions of reading.preamble.before(event)) events.push(instructions)
  reading.usage.output(event)
  return events.push(event) - 1
}

export function pushText(
  reading: CodexReading,
  kind: EventDraft['kind'],
  text: string,
  name: string | null = null,
): number {
  return push(reading, draft(kind, text, reading.origin, { name }))
}

/** [I110] The time of the current record, and the number of events before it. */
export function momentOf(reading: CodexReading): Moment {
  return { at: reading.origin.at, events: sessionOf(reading).events.length }
}

/** Event kind for text that the user may have typed in this thread. */
export function spokenKind(reading: CodexReading): 'user' | 'subagent_prompt' {
  return sessionOf(reading).thread === 'main' ? 'user' : 'subagent_prompt'
}

/**
 * [I11] If a file has events for typed texts, a text under the user's role without such an event is the
 * harness's. The name may come later in a growing file, so this is settled again each time.
 */
export function settleNames(reading: CodexReading): void {
  if (!reading.names) return
  const { events } = sessionOf(reading)
  for (const { index, typed } of reading.unnamed) {
    const event = events[index]
    if (event === undefined) continue
    const kind = typed ? spokenKind(reading) : 'injected'
    if (event.kind !== kind) {
      events[index] = draft(kind, event, event, { name: typed ? null : 'not-typed' })
    }
  }
}
