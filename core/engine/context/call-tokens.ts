import { contextTokens } from '../schema/context.ts'
import type { SessionEvent } from '../schema/event.ts'
import { isOfAnswer } from './fold.ts'

type Recorded = Pick<SessionEvent, 'kind' | 'call'>

/**
 * [X17] Recorded context tokens of the call that made each event, or of the next one. NaN if no such call is recorded.
 */
export function callTokens(events: readonly Recorded[]): Float64Array {
  const tokens = new Float64Array(events.length).fill(NaN)
  let made = NaN
  for (const [at, { kind, call }] of events.entries()) {
    if (call !== undefined) made = contextTokens(call)
    else if (!isOfAnswer(kind)) made = NaN
    tokens[at] = made
  }
  let next = NaN
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const own = tokens[at] ?? NaN
    if (Number.isNaN(own)) tokens[at] = next
    else next = own
  }
  return tokens
}
