import { describe, expect, it } from 'vitest'
import { draft } from './drafts.ts'
import type { EventKind } from '../../schema/event-kind.ts'
import { attachUsage, noteLastAnswer, noteUsage, usageBeside, usageOf } from './usage.ts'

const numbers = (usage: unknown) => {
  const found = usageOf(usage)
  return found && [found.input, found.cacheRead, found.cacheWrite, found.output, found.reasoning]
}

describe('usage of a call', () => {
  it.each([
    [
      'OpenAI chat',
      {
        prompt_tokens: 100,
        completion_tokens: 7,
        prompt_tokens_details: { cached_tokens: 90 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
      [10, 90, 0, 7, 3],
    ],
    [
      'a gateway with both names',
      {
        prompt_tokens: 100,
        completion_tokens: 7,
        total_tokens: 107,
        cache_read_input_tokens: 60,
        cache_creation_input_tokens: 30,
      },
      [10, 60, 30, 7, null],
    ],
    [
      'OpenAI responses',
      {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 40 },
        output_tokens: 9,
        output_tokens_details: { reasoning_tokens: 4 },
      },
      [60, 40, 0, 9, 4],
    ],
    [
      'Anthropic',
      {
        input_tokens: 5,
        cache_read_input_tokens: 60,
        cache_creation_input_tokens: 20,
        output_tokens: 9,
      },
      [5, 60, 20, 9, null],
    ],
    ['Anthropic without a cache', { input_tokens: 5, output_tokens: 9 }, [5, 0, 0, 9, null]],
    [
      'LangChain',
      {
        input_tokens: 100,
        output_tokens: 9,
        total_tokens: 109,
        input_token_details: { cache_read: 30, cache_creation: 20 },
        output_token_details: { reasoning: 2 },
      },
      [50, 30, 20, 9, 2],
    ],
    [
      'Pydantic AI',
      { input_tokens: 100, cache_read_tokens: 30, cache_write_tokens: 20, output_tokens: 9 },
      [50, 30, 20, 9, null],
    ],
    [
      'Pydantic AI before 1.0',
      { requests: 1, request_tokens: 100, response_tokens: 9, total_tokens: 109 },
      [100, 0, 0, 9, null],
    ],
    [
      'Google',
      {
        promptTokenCount: 100,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 7,
        thoughtsTokenCount: 5,
      },
      [60, 40, 0, 12, 5],
    ],
    ['ADK', { prompt_token_count: 100, candidates_token_count: 7 }, [100, 0, 0, 7, null]],
    [
      'AI SDK 5',
      { inputTokens: 100, cachedInputTokens: 40, outputTokens: 7, reasoningTokens: 2 },
      [60, 40, 0, 7, 2],
    ],
    [
      'AI SDK 6',
      {
        inputTokens: { total: 100, noCache: 50, cacheRead: 40, cacheWrite: 10 },
        outputTokens: { total: 7, reasoning: 2 },
      },
      [50, 40, 10, 7, 2],
    ],
    ['AI SDK 4', { promptTokens: 100, completionTokens: 7 }, [100, 0, 0, 7, null]],
    [
      'Bedrock',
      {
        inputTokens: 10,
        outputTokens: 7,
        cacheReadInputTokens: 80,
        cacheWriteInputTokens: 5,
        totalTokens: 102,
      },
      [10, 80, 5, 7, null],
    ],
    [
      'Inspect, cached tokens apart by the total',
      {
        input_tokens: 10,
        input_tokens_cache_read: 80,
        input_tokens_cache_write: 5,
        output_tokens: 7,
        total_tokens: 102,
      },
      [10, 80, 5, 7, null],
    ],
    [
      'Inspect, cached tokens inside by the total',
      { input_tokens: 95, input_tokens_cache_read: 80, output_tokens: 7, total_tokens: 102 },
      [15, 80, 0, 7, null],
    ],
    [
      'Kimi',
      { inputOther: 10, inputCacheRead: 80, inputCacheCreation: 5, output: 7 },
      [10, 80, 5, 7, null],
    ],
    ['Cline', { tokensIn: 10, tokensOut: 7, cacheReads: 80, cacheWrites: 5 }, [10, 80, 5, 7, null]],
  ])('[X19] %s', (_, usage, expected) => {
    expect(numbers(usage)).toEqual(expected)
  })

  it('[X19] numbers that are none are no usage', () => {
    for (const usage of [
      null,
      7,
      'x',
      {},
      { output_tokens: 5 },
      { input_tokens: -1 },
      { usage: {} },
    ])
      expect(usageOf(usage)).toBeNull()
  })
})

const origin = { at: null, model: null, source: { offset: 0, length: 1, line: 1 } }
const session = (...kinds: readonly EventKind[]) => {
  return { session: { events: kinds.map((kind) => draft(kind, 'x', origin)) } }
}
const inputs = ({ session: { events } }: ReturnType<typeof session>) =>
  events.map(({ call }) => call?.input ?? null)

describe('events of a call', () => {
  const message = { id: 'm', usage: { input_tokens: 3, output_tokens: 1 } }

  it('[X19] the first output of a message gets its numbers, not what it was given', () => {
    const made = session('user', 'injected', 'reasoning', 'agent')
    expect(noteUsage(made, 1, message)).toBe(true)
    expect(inputs(made)).toEqual([null, null, 3, null])
    expect(made.session.events[2]?.call?.id).toBe('m')
  })

  it('[X19] one answer that is written as several records counts once', () => {
    const made = session('agent', 'tool_call', 'tool_call')
    const reply = { tool_call_metadata: { model_response: { id: 'r', usage: message.usage } } }
    for (const before of [0, 1, 2]) expect(noteUsage(made, before, reply)).toBe(true)
    expect(inputs(made)).toEqual([3, null, null])
  })

  it('[X19] numbers behind an answer belong to the last outputs in a row, once', () => {
    const made = session('agent', 'tool_result', 'reasoning', 'tool_call', 'tool_result')
    const call = usageBeside(message)
    expect(noteLastAnswer(made, call)).toBe(true)
    expect(noteLastAnswer(made, call)).toBe(false)
    expect(inputs(made)).toEqual([null, null, 3, null, null])
    expect(noteLastAnswer(session('user'), call)).toBe(false)
    expect(attachUsage([], call)).toBe(false)
  })

  it('[X19] zeros are no recorded numbers', () => {
    expect(usageBeside({ usage: { input_tokens: 0, output_tokens: 0 } })).toBeNull()
  })
})
