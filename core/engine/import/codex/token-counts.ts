import type { EventKind } from '../../schema/event-kind.ts'
import type { EventDraft } from '../shared/drafts.ts'
import { compact, own } from '../shared/guards.ts'
import { openaiUsage, tokensAt } from '../shared/model-calls.ts'

/** [X2] Token counts of a rollout: each follows the output of the call that it is about. */
export interface TokenCounts {
  /** Notes an event; the first output since the last count is that of the next one. */
  readonly output: (event: EventDraft) => void
  /** Takes the payload of a `token_count` event. A count that repeats the one before is no other call. */
  readonly count: (payload: unknown) => void
}

const OUTPUT: ReadonlySet<EventKind> = new Set(['agent', 'reasoning', 'tool_call'])

export function createTokenCounts(): TokenCounts {
  let first: EventDraft | null = null
  let before = ''
  return {
    output(event) {
      if (OUTPUT.has(event.kind)) first ??= event
    },
    count(payload) {
      const info = own(payload, 'info')
      const last = own(info, 'last_token_usage')
      const usage = openaiUsage(last)
      const print = compact([own(info, 'total_token_usage') ?? null, usage])
      if (usage === null || first === null || print === before) return
      before = print
      const window = tokensAt(info, 'model_context_window')
      first.call = { id: null, ...usage, window }
      first = null
    },
  }
}
