import type { ModelCall } from '../../schema/context.ts'
import type { EventDraft } from './drafts.ts'
import { own } from './guards.ts'

/** Recorded numbers of a record that describes a call. */
export type Recorded = Omit<ModelCall, 'id'>

/** [X2] The calls of a file. Each call is attached to its first event, even if several records describe it. */
export interface ModelCalls {
  /** Notes a record of a call with its events. Without an id each record is its own call. */
  readonly note: (
    id: string | null,
    recorded: Recorded | null,
    events: readonly EventDraft[],
  ) => void
}

interface Open {
  event: EventDraft | null
  call: ModelCall
}

export function createModelCalls(): ModelCalls {
  const byId = new Map<string, Open>()
  return {
    note(id, recorded, events) {
      if (recorded === null) return
      const known = id === null ? undefined : byId.get(id)
      const call = merged(known?.call ?? { id, ...NOTHING }, recorded)
      const open = known ?? { event: null, call }
      open.call = call
      open.event ??= events[0] ?? null
      if (open.event !== null) open.event.call = call
      if (known === undefined && id !== null) byId.set(id, open)
    },
  }
}

const NOTHING: Recorded = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: null,
  window: null,
}

/** Records of one call are written while it runs: its numbers only grow. */
function merged(a: ModelCall, b: Recorded): ModelCall {
  return {
    id: a.id,
    input: Math.max(a.input, b.input),
    cacheRead: Math.max(a.cacheRead, b.cacheRead),
    cacheWrite: Math.max(a.cacheWrite, b.cacheWrite),
    output: Math.max(a.output, b.output),
    reasoning: a.reasoning === null ? b.reasoning : Math.max(a.reasoning, b.reasoning ?? 0),
    window: b.window ?? a.window,
  }
}

/** A count of tokens under the first of these names that holds one; null if none does. */
export function tokensAt(value: unknown, ...keys: readonly string[]): number | null {
  for (const key of keys) {
    const found = own(value, key)
    const count = typeof found === 'string' && /^\d{1,15}$/u.test(found) ? Number(found) : found
    if (typeof count === 'number' && Number.isFinite(count) && count >= 0)
      return Math.min(Math.round(count), Number.MAX_SAFE_INTEGER)
  }
  return null
}

/** [X2] Anthropic's `usage`: what came from the cache is not in `input_tokens`. Null if it has no counts. */
export function anthropicUsage(usage: unknown): Recorded | null {
  const input = tokensAt(usage, 'input_tokens')
  const output = tokensAt(usage, 'output_tokens')
  const cacheRead = tokensAt(usage, 'cache_read_input_tokens')
  const cacheWrite = tokensAt(usage, 'cache_creation_input_tokens')
  if (input === null && cacheRead === null && cacheWrite === null) return null
  return {
    input: input ?? 0,
    cacheRead: cacheRead ?? 0,
    cacheWrite: cacheWrite ?? 0,
    output: output ?? 0,
    reasoning: null,
    window: null,
  }
}

/** Counts of a provider that counts cached tokens as a part of the input. */
export interface TotalUsage {
  readonly input: number | null
  readonly cached: number | null
  readonly written?: number | null
  readonly output: number | null
  readonly reasoning: number | null
  readonly window?: number | null
}

/** [X2] The share that came from the cache is taken out of the input. Null if no input is recorded. */
export function fromTotal({
  input,
  cached,
  written,
  output,
  reasoning,
  window,
}: TotalUsage): Recorded | null {
  if (input === null) return null
  const cacheRead = Math.min(cached ?? 0, input)
  const cacheWrite = Math.min(written ?? 0, input - cacheRead)
  return {
    input: input - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite,
    output: output ?? 0,
    reasoning,
    window: window ?? null,
  }
}

/** [X2] `usage` of OpenAI's chat and Responses APIs, and of programs that write it the same way. */
export function openaiUsage(usage: unknown): Recorded | null {
  const input = tokensAt(usage, 'input_tokens', 'prompt_tokens')
  const inDetails = own(usage, 'input_tokens_details') ?? own(usage, 'prompt_tokens_details')
  const outDetails = own(usage, 'output_tokens_details') ?? own(usage, 'completion_tokens_details')
  return fromTotal({
    input,
    cached: tokensAt(usage, 'cached_input_tokens') ?? tokensAt(inDetails, 'cached_tokens'),
    output: tokensAt(usage, 'output_tokens', 'completion_tokens'),
    reasoning:
      tokensAt(usage, 'reasoning_output_tokens') ?? tokensAt(outDetails, 'reasoning_tokens'),
  })
}
