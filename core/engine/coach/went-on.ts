import type { SessionEvent } from '../schema/event.ts'
import type { EventKind } from '../schema/event-kind.ts'

/**
 * Whether an event shows that the agent's turn continues (true) or ended (false). Events of other kinds show neither.
 */
const SAYS: Readonly<Partial<Record<EventKind, boolean>>> = {
  agent: true,
  reasoning: true,
  tool_call: true,
  user: false,
  command: false,
  interruption: false,
  subagent_prompt: false,
  step: false,
}

/**
 * [V23] Outputs after which the agent continued unprompted: its next message or call comes before any user message. A
 * live run would not have stopped there for the user. A recorded verdict behind an output says that the run stopped
 * there and asked the coach.
 */
export function outputsThatWentOn(
  events: ReadonlyArray<Pick<SessionEvent, 'kind' | 'seq' | 'name'>>,
): ReadonlySet<number> {
  const found = new Set<number>()
  let goesOn = false
  for (const { kind, seq, name } of events.toReversed()) {
    if (kind === 'agent' && goesOn) found.add(seq)
    goesOn = kind === 'meta' && name === 'verdict' ? false : (SAYS[kind] ?? goesOn)
  }
  return found
}
