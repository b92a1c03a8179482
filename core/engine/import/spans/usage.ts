import { own } from '../shared/guards.ts'
import { fromTotal, tokensAt, type Recorded } from '../shared/model-calls.ts'
import type { Attributes } from './attributes.ts'

/** [X2] Attributes with the counts of a model call, in the order in which they are looked at. */
const NAMES = {
  input: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.promptTokens',
    'ai.usage.inputTokens',
    'llm.usage.prompt_tokens',
  ],
  cached: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.input_tokens.cached',
    'gen_ai.usage.details.cache_read_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.cachedInputTokens',
  ],
  written: [
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.details.cache_write_tokens',
    'llm.token_count.prompt_details.cache_write',
  ],
  output: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.completionTokens',
    'ai.usage.outputTokens',
    'llm.usage.completion_tokens',
  ],
  reasoning: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'ai.usage.reasoningTokens',
    'llm.token_count.completion_details.reasoning',
  ],
} as const

/** [X2] The counts that a span records; the conventions count cached tokens as a part of the input. */
export function spanUsage(attributes: Attributes): Recorded | null {
  const at = (keys: readonly string[]): number | null => {
    for (const key of keys) {
      const found = tokensAt({ found: attributes.get(key) }, 'found')
      if (found !== null) return found
    }
    return null
  }
  return fromTotal({
    input: at(NAMES.input),
    cached: at(NAMES.cached),
    written: at(NAMES.written),
    output: at(NAMES.output),
    reasoning: at(NAMES.reasoning),
  })
}

/** [X2] Counts of a Langfuse observation: details by kind, where kinds of input do not overlap, or the older `usage`. */
export function langfuseUsage(observation: unknown): Recorded | null {
  const details = own(observation, 'usageDetails')
  const input = tokensAt(details, 'input')
  if (input !== null)
    return {
      input,
      cacheRead:
        tokensAt(details, 'input_cached_tokens', 'cache_read_input_tokens', 'input_cache_read') ??
        0,
      cacheWrite: tokensAt(details, 'cache_creation_input_tokens', 'input_cache_creation') ?? 0,
      output: tokensAt(details, 'output') ?? 0,
      reasoning: tokensAt(details, 'output_reasoning_tokens', 'output_reasoning'),
      window: null,
    }
  const usage = own(observation, 'usage')
  return fromTotal({
    input: tokensAt(usage, 'input', 'promptTokens') ?? tokensAt(observation, 'promptTokens'),
    cached: null,
    output:
      tokensAt(usage, 'output', 'completionTokens') ?? tokensAt(observation, 'completionTokens'),
    reasoning: null,
  })
}
