import type { EventKind, SessionEvent } from './schema/event.ts'
import type { ClassifyKinds } from './schema/preset.ts'

/** An event that is classified and counts for momentum. */
export interface Turn {
  readonly seq: number
  readonly kind: EventKind
  readonly text: string
}

/** From one message of a person to the next. `from` and `to` are `seq` numbers, `to` exclusive. */
export interface Exchange {
  readonly from: number
  readonly to: number
  /** `seq` of the person's message; null for what comes before the first. */
  readonly user: number | null
}

/** Events that tell whether the agent went on by itself. Injected texts and notes say nothing. */
const ACTS = new Set<EventKind>(['user', 'agent', 'tool_call', 'tool_result'])

/**
 * [L8] Is the event a turn? A person's message and a tool result are, if their kind is classified.
 * An agent's output is one when `classify.agent` is on, it says something, and the agent then acted
 * again before the person spoke (`nextAct`): it was the input of an autonomous step. The last
 * output before a person's message is not: the message itself is the next input.
 */
export function isTurn(
  event: Pick<SessionEvent, 'kind' | 'text'>,
  classify: ClassifyKinds,
  nextAct: EventKind | null,
): boolean {
  if (event.kind === 'user') return classify.user
  if (event.kind === 'tool_result') return classify.tool
  if (event.kind !== 'agent' || !classify.agent) return false
  return event.text.trim() !== '' && nextAct !== null && nextAct !== 'user'
}

/** The turns among the events of one session, in order. */
export function turnsOf(events: readonly SessionEvent[], classify: ClassifyKinds): readonly Turn[] {
  const turns: Turn[] = []
  let nextAct: EventKind | null = null
  for (const event of events.toReversed()) {
    const { seq, kind, text } = event
    if (isTurn(event, classify, nextAct)) turns.push({ seq, kind, text })
    if (ACTS.has(kind)) nextAct = kind
  }
  return turns.reverse()
}

/** Groups the events of one session by the person's messages. Every event is in one exchange. */
export function exchangesOf(
  events: ReadonlyArray<Pick<SessionEvent, 'seq' | 'kind'>>,
): readonly Exchange[] {
  const exchanges: Exchange[] = []
  let open: { from: number; user: number | null } | null = null
  for (const { seq, kind } of events) {
    const starts = kind === 'user'
    if (open !== null && starts) exchanges.push({ ...open, to: seq })
    if (open === null || starts) open = { from: seq, user: starts ? seq : null }
  }
  const last = events.at(-1)
  if (open !== null && last !== undefined) exchanges.push({ ...open, to: last.seq + 1 })
  return exchanges
}
