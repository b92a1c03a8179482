import { composePrompt, type ComposeInput } from './prompt/compose.ts'
import type { AddedSegment } from './prompt/select.ts'
import { classifyQuery } from './query/classify.ts'
import type {
  ClaimCheck,
  Placement,
  PromptTrace,
  QueryTrace,
  SelfSignalTrace,
} from './schema/answer-trace.ts'
import type { PlainEvent } from './schema/event.ts'
import type { SegmentReport } from './schema/prompt.ts'
import type { QueryOptions, QueryType } from './schema/query.ts'
import type { SelfSignal, SelfSignalOptions, SelfSignalState } from './schema/self-signal.ts'
import { isTerminal } from './self-signal/fields.ts'
import { readResponse } from './self-signal/response.ts'
import { advance, heuristicFallback, isStuckLoop, needsFallback } from './self-signal/state.ts'

/** One response of an agent, as the pipeline hands it over. */
export interface AgentResponse extends Pick<PlainEvent, 'seq' | 'text' | 'at'> {
  /** Tool calls from the user's last message up to this response. */
  readonly toolCallsBefore: number
  /** Tool calls from this response up to the next message of the user. */
  readonly toolCallsAfter: number
}

/** Reads one response and folds it into the state (issue: Signals tab). Pure. */
export function traceResponse(
  response: AgentResponse,
  before: SelfSignalState,
  options: SelfSignalOptions,
): SelfSignalTrace {
  const { signal, stripped, diagnostics } = readResponse(response.text, options, {
    at: response.at,
  })
  const after = advance(before, signal)
  const facts = { toolCalls: response.toolCallsAfter, text: stripped }
  return {
    seq: response.seq,
    signal,
    terminal: signal === null ? null : isTerminal(signal.type),
    stripped,
    diagnostics,
    before,
    after,
    stuck: isStuckLoop(after, options.stuckAfter),
    silent: needsFallback(after, options.fallbackAfter),
    quiet: after.emitted === 0,
    fallback: options.heuristicFallback ? heuristicFallback(after, signal, options, facts) : null,
    claims: signal === null ? [] : checkClaims(signal, response),
  }
}

function calls(count: number): string {
  if (count === 0) return 'no tool call'
  return count === 1 ? '1 tool call' : `${count} tool calls`
}

/** Compares the claims of the self-signal with the facts recorded in the session. */
function checkClaims(signal: SelfSignal, response: AgentResponse): readonly ClaimCheck[] {
  const after = response.toolCallsAfter
  const then = `${calls(after)} before the next message`
  const claims: ClaimCheck[] = []
  if (isTerminal(signal.type))
    claims.push({ claim: `${signal.type}: done`, observed: then, agrees: after === 0 })
  if (signal.type === 'need_turn')
    claims.push({ claim: 'need_turn: goes on', observed: then, agrees: after > 0 })
  const sources = signal.fields['sources_found']
  if (typeof sources === 'number')
    claims.push({
      claim: `sources_found: ${sources}`,
      observed: `${calls(response.toolCallsBefore)} so far`,
      agrees: sources === 0 || response.toolCallsBefore > 0,
    })
  const attempted = signal.fields['attempted']
  if (Array.isArray(attempted))
    claims.push({
      claim: `attempted: ${attempted.length}`,
      observed: `${calls(response.toolCallsBefore)} so far`,
      agrees: response.toolCallsBefore >= attempted.length,
    })
  return claims
}

/** Classifies one user message. @param previous the message before it, or null. */
export function traceQuery(
  message: { readonly seq: number; readonly text: string; readonly previous: string | null },
  options: QueryOptions,
): QueryTrace {
  const { seq, text, previous } = message
  return {
    seq,
    text,
    classification: classifyQuery(text, previous, options),
    hasContext: previous !== null && previous !== '',
  }
}

/** Text that the other stages add to the prompt. Null or empty adds nothing. */
interface PromptAdditions {
  readonly enrichment: string | null
  readonly probeContext: string | null
}

/**
 * Added after the segments of the type (priority 10): first the probe's findings, then the guidance on how to behave.
 */
const PLACES = [
  { what: 'probe_context', from: 'probeContext', segment: 'probe-context', priority: 20 },
  { what: 'enrichment', from: 'enrichment', segment: 'enrichment', priority: 30 },
] as const

function placement(
  what: Placement['what'],
  added: AddedSegment,
  segments: readonly SegmentReport[],
): Placement {
  const report = segments.find(({ id, origin }) => origin === 'added' && id === added.id)
  return {
    what,
    segment: added.id,
    chars: added.text.length,
    placed: report?.span !== null && report !== undefined,
    why: report?.why ?? 'the prompt could not be composed',
  }
}

/** Composes the prompt of a message and says where enrichment and probe context went. */
export function tracePrompt(
  message: { readonly seq: number; readonly queryType: QueryType },
  additions: PromptAdditions,
  input: Omit<ComposeInput, 'queryType' | 'added'>,
): PromptTrace {
  const added = PLACES.flatMap(({ what, from, segment, priority }) => {
    const text = additions[from] ?? ''
    return text === '' ? [] : [{ what, id: segment, text, priority }]
  })
  const composed = composePrompt({ ...input, queryType: message.queryType, added })
  const segments = composed.ok ? composed.value.segments : []
  return {
    seq: message.seq,
    prompt: composed.ok ? composed.value : null,
    error: composed.ok ? null : composed.error,
    placements: added.map((addition) => placement(addition.what, addition, segments)),
  }
}
