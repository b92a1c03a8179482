import type { PlainEvent, SessionEvent } from './schema/event.ts'
import type { EventKind } from './schema/event-kind.ts'
import type { ClassifyKinds } from './schema/preset.ts'

/** An event that is classified and counts for momentum, with its text. */
export type Turn = Pick<PlainEvent, 'seq' | 'kind' | 'text'>

/** The data of a turn that a replay needs. The text may be stored elsewhere. */
export type ReplayTurn = Pick<SessionEvent, 'seq' | 'text' | 'extras'>

/** Events that show whether the agent continued unprompted. Injected texts and notes do not. */
const ACTS = new Set<EventKind>(['user', 'agent', 'tool_call', 'tool_result'])

/**
 * [L8] Is the event a turn? A user message and a tool result are, if their kind is classified. An agent's output is one
 * if `classify.agent` is on, it is not blank, and the agent acted again before the next user message (`nextAct`). It
 * was then the input of an autonomous step. The last output before a user message is not a turn, because that message
 * is the next input.
 */
function isTurn(event: SessionEvent, classify: ClassifyKinds, nextAct: EventKind | null): boolean {
  if (event.kind === 'user') return classify.user
  if (event.kind === 'tool_result')
    return classify.tool && (classify.notices !== false || !isSilent(event))
  if (event.kind !== 'agent' || !classify.agent) return false
  return nextAct !== null && nextAct !== 'user' && !event.blank
}

/** [B27] A tool result without words, or with nothing but notices of its client. */
const isSilent = ({ blank, notice }: SessionEvent): boolean => blank || notice === true

/** [B27] Are there results that are turns only under `classify.notices`? */
export function hasNotices(events: readonly SessionEvent[]): boolean {
  return events.some((event) => event.kind === 'tool_result' && isSilent(event))
}

/** The turns among the events of one session, in order; all, or those from event `from` up to event `to`. */
export function turnsOf(
  events: readonly SessionEvent[],
  classify: ClassifyKinds,
  from = 0,
  to = events.length,
): readonly SessionEvent[] {
  const turns: SessionEvent[] = []
  let nextAct = actFrom(events, to)
  for (let seq = Math.min(to, events.length) - 1; seq >= from; seq -= 1) {
    const event = events[seq]
    if (event === undefined) continue
    if (isTurn(event, classify, nextAct)) turns.push(event)
    if (ACTS.has(event.kind)) nextAct = event.kind
  }
  return turns.reverse()
}

/** The kind of the next act, from an event on. */
function actFrom(events: readonly SessionEvent[], from: number): EventKind | null {
  for (let seq = from; seq < events.length; seq += 1) {
    const kind = events[seq]?.kind
    if (kind !== undefined && ACTS.has(kind)) return kind
  }
  return null
}
