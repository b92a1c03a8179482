import type { EventKind } from '../../schema/event-kind.ts'
import type { EventDraft } from './drafts.ts'
import type { ModelCall } from '../../schema/context.ts'
import { isObject, own, textAt } from './guards.ts'
import { fromTotal, tokensAt, type Recorded } from './model-calls.ts'

/** A way to count the tokens of a call. Names may be paths with dots. */
interface Counting {
  /** One of these must hold a count. */
  readonly input: readonly string[]
  /** With one of these the row applies; none: it applies to every input. */
  readonly when?: readonly string[]
  readonly read: readonly string[]
  readonly written: readonly string[]
  readonly output: readonly string[]
  readonly reasoning: readonly string[]
  readonly total: readonly string[]
  /** Whether cached tokens are a part of the input, unless a recorded total says otherwise. */
  readonly isPart: boolean
  /** Reasoning is not a part of the output. */
  readonly isReasoningApart?: true
}

/** [X19] Ways to count, in the order in which they are tried. */
const COUNTINGS: readonly Counting[] = [
  // OpenAI's chat, and gateways that add the names of Anthropic to it: all cached tokens are a part.
  {
    input: ['prompt_tokens'],
    read: ['prompt_tokens_details.cached_tokens', 'cached_tokens', 'cache_read_input_tokens'],
    written: ['cache_creation_input_tokens', 'prompt_tokens_details.cache_write_tokens'],
    output: ['completion_tokens'],
    reasoning: ['completion_tokens_details.reasoning_tokens'],
    total: ['total_tokens'],
    isPart: true,
  },
  // Anthropic and programs that keep its names.
  {
    input: ['input_tokens'],
    when: [
      'cache_read_input_tokens',
      'cache_creation_input_tokens',
      'cache_creation_tokens',
      'input_tokens_cache_read',
      'input_tokens_cache_write',
    ],
    read: ['cache_read_input_tokens', 'cache_read_tokens', 'input_tokens_cache_read'],
    written: ['cache_creation_input_tokens', 'cache_creation_tokens', 'input_tokens_cache_write'],
    output: ['output_tokens'],
    reasoning: ['reasoning_tokens'],
    total: ['total_tokens'],
    isPart: false,
  },
  // The Responses API, LangChain, and Pydantic AI.
  {
    input: ['input_tokens', 'request_tokens'],
    read: [
      'input_tokens_details.cached_tokens',
      'input_token_details.cache_read',
      'cached_input_tokens',
      'cache_read_tokens',
    ],
    written: ['input_token_details.cache_creation', 'cache_write_tokens'],
    output: ['output_tokens', 'response_tokens'],
    reasoning: [
      'output_tokens_details.reasoning_tokens',
      'output_token_details.reasoning',
      'details.reasoning_tokens',
      'reasoning_tokens',
    ],
    total: ['total_tokens'],
    isPart: true,
  },
  // Google: thoughts are not a part of the answer.
  {
    input: ['promptTokenCount', 'prompt_token_count'],
    read: ['cachedContentTokenCount', 'cached_content_token_count'],
    written: [],
    output: ['candidatesTokenCount', 'candidates_token_count'],
    reasoning: ['thoughtsTokenCount', 'thoughts_token_count'],
    total: ['totalTokenCount', 'total_token_count'],
    isPart: true,
    isReasoningApart: true,
  },
  // The AI SDK, by its versions.
  {
    input: ['inputTokens'],
    when: [
      'cachedInputTokens',
      'inputTokenDetails.cacheReadTokens',
      'inputTokenDetails.noCacheTokens',
    ],
    read: ['inputTokenDetails.cacheReadTokens', 'cachedInputTokens'],
    written: ['inputTokenDetails.cacheWriteTokens'],
    output: ['outputTokens'],
    reasoning: ['outputTokenDetails.reasoningTokens', 'reasoningTokens'],
    total: ['totalTokens'],
    isPart: true,
  },
  {
    input: ['inputTokens.total'],
    read: ['inputTokens.cacheRead'],
    written: ['inputTokens.cacheWrite'],
    output: ['outputTokens.total'],
    reasoning: ['outputTokens.reasoning'],
    total: [],
    isPart: true,
  },
  // Amazon Bedrock, and agents that count as it does.
  {
    input: ['inputTokens'],
    read: ['cacheReadInputTokens', 'cacheReadTokens'],
    written: ['cacheWriteInputTokens', 'cacheCreationInputTokens', 'cacheWriteTokens'],
    output: ['outputTokens'],
    reasoning: ['reasoningTokens'],
    total: ['totalTokens'],
    isPart: false,
  },
  {
    input: ['promptTokens'],
    read: ['cachedPromptTokens'],
    written: [],
    output: ['completionTokens'],
    reasoning: ['reasoningTokens'],
    total: ['totalTokens'],
    isPart: true,
  },
  // Kimi CLI.
  {
    input: ['inputOther', 'input_other'],
    read: ['inputCacheRead', 'input_cache_read'],
    written: ['inputCacheCreation', 'input_cache_creation'],
    output: ['output'],
    reasoning: [],
    total: [],
    isPart: false,
  },
  // Cline and Roo Code, in the records of their interface.
  {
    input: ['tokensIn'],
    read: ['cacheReads'],
    written: ['cacheWrites'],
    output: ['tokensOut'],
    reasoning: [],
    total: [],
    isPart: false,
  },
]

function at(value: unknown, paths: readonly string[]): number | null {
  for (const path of paths) {
    const keys = path.split('.')
    const last = keys.pop() ?? ''
    const inner = keys.reduce<unknown>((from, key) => own(from, key), value)
    const found = tokensAt(inner, last)
    if (found !== null) return found
  }
  return null
}

/**
 * [X19] The numbers of a call as any of the known interfaces writes them. Whether cached tokens are a part of the input
 * follows from a recorded total if only one of the readings adds up to it. Null if no input is recorded.
 */
export function usageOf(usage: unknown): Recorded | null {
  if (!isObject(usage)) return null
  const counting = COUNTINGS.find(
    ({ input, when }) =>
      at(usage, input) !== null && (when === undefined || at(usage, when) !== null),
  )
  const input = counting === undefined ? null : at(usage, counting.input)
  if (counting === undefined || input === null) return null
  const cached = at(usage, counting.read) ?? 0
  const written = at(usage, counting.written) ?? 0
  const reasoning = at(usage, counting.reasoning)
  const said = at(usage, counting.output) ?? 0
  const output = counting.isReasoningApart === true ? said + (reasoning ?? 0) : said
  const total = at(usage, counting.total)
  if (isPartOf(counting, { input, cached, written, output, total }))
    return fromTotal({ input, cached, written, output, reasoning })
  return { input, cacheRead: cached, cacheWrite: written, output, reasoning, window: null }
}

interface Counts {
  readonly input: number
  readonly cached: number
  readonly written: number
  readonly output: number
  readonly total: number | null
}

function isPartOf(
  { isPart }: Counting,
  { input, cached, written, output, total }: Counts,
): boolean {
  const cache = cached + written
  if (total === null || cache === 0) return isPart
  if (input + output === total) return true
  return input + cache + output === total ? false : isPart
}

/** [X19] Members of a message or step that hold the numbers of its call, in the order in which they are tried. */
const PLACES: readonly string[] = [
  'usage',
  'usage_metadata',
  'usageMetadata',
  'token_usage',
  'tokenUsage',
  'models_usage',
  'metrics',
  'metadata.usage',
  'response_metadata.token_usage',
  'response_metadata.usage',
  'extra.response.usage',
  'response.usage',
  'response.body.usage',
  'tool_call_metadata.model_response.usage',
  'message.usage',
]

/** [X19] The call that made a message; null if no numbers of it are recorded, or only zeros. */
export function usageBeside(message: unknown): ModelCall | null {
  for (const place of PLACES) {
    const keys = place.split('.')
    const last = keys.pop() ?? ''
    const around = keys.reduce<unknown>((from, key) => own(from, key), message)
    const found = usageOf(own(around, last))
    if (found === null || found.input + found.cacheRead + found.cacheWrite === 0) continue
    return { id: textAt(around, 'id') ?? textAt(message, 'id'), ...found }
  }
  return null
}

const OUTPUT: ReadonlySet<EventKind> = new Set(['agent', 'reasoning', 'tool_call'])

/** The session of a writer that counts its events. */
interface Written {
  readonly session: { readonly events: readonly EventDraft[] }
}

/**
 * [X19] Attaches the recorded numbers beside a message to its first output. Nothing if the message has none.
 * @param before number of events before those of the message
 * @returns whether numbers were attached
 */
export function noteUsage({ session }: Written, before: number, message: unknown): boolean {
  const call = usageBeside(message)
  if (call === null) return false
  // Harnesses write one answer as several records, each with the whole answer.
  const last = session.events.slice(Math.max(0, before - NEAR), before)
  const isRepeated = call.id !== null && last.some((event) => event.call?.id === call.id)
  return isRepeated || attachUsage(session.events.slice(before), call)
}

/** Events before a message in which the records of one answer are looked for. */
const NEAR = 50

/** [X19] The same for the events of a message. */
export function attachUsage(events: readonly EventDraft[], call: ModelCall | null): boolean {
  const first = events.find(({ kind }) => OUTPUT.has(kind))
  if (call === null || first === undefined || first.call !== undefined) return false
  first.call = call
  return true
}

/**
 * [X19] Attaches numbers that are recorded behind an answer: to the first event of the last outputs in a row.
 * @returns whether numbers were attached
 */
export function noteLastAnswer({ session: { events } }: Written, call: ModelCall | null): boolean {
  const end = events.findLastIndex(({ kind }) => OUTPUT.has(kind))
  let first = end
  while (first > 0 && OUTPUT.has(events[first - 1]?.kind ?? 'user')) first -= 1
  return first >= 0 && attachUsage(events.slice(first, end + 1), call)
}
