import { z } from 'zod'
import type { LanguageModel } from 'ai'
import type { CoachFailure, CoachSettings } from '../../../engine/schema/coach-wire.ts'
import { OutputType } from '../../../engine/schema/coach.ts'
import type { Endpoint } from './endpoint.ts'
import { failureOf } from '../../platform/net/call-failures.ts'
import { type Exchange, guardedFetch, newExchange } from '../../platform/net/guarded-fetch.ts'
import { jsonAs } from '../../platform/json.ts'
import type { Permit } from '../../platform/trust/gate.ts'
import type { Answered } from '../../platform/net/retry.ts'

/** A model's answer as it came. */
export interface ModelAnswer {
  readonly raw: string
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly elapsedMs: number
}

interface ModelCall {
  readonly system: string
  readonly user: string
  readonly signal: AbortSignal
}

/** One model at one address. */
export interface Model {
  readonly settings: CoachSettings
  readonly endpoint: Endpoint
  readonly key: string | null
  readonly permit: Permit
}

export interface ModelClient {
  /** One attempt; never throws. */
  once(model: Model, call: ModelCall): Promise<Answered<ModelAnswer>>
}

/** The longest answer that is paid for; a verdict has about 120 tokens. */
export const MAX_OUTPUT_TOKENS = 1024

/** The answer shape requested from a model. `readModelAnswer` reads the actual answer tolerantly. */
const AnswerShape = z.object({
  type: OutputType,
  confidence: z.number(),
  reason: z.string(),
  coaching_message: z.string().nullable(),
})

/** Loaded with the first call: a start without a model does not pay for it. */
const loadLibraries = async () => {
  const [ai, anthropic, compatible] = await Promise.all([
    import('ai'),
    import('@ai-sdk/anthropic'),
    import('@ai-sdk/openai-compatible'),
  ])
  // Its warnings go to the console otherwise.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return { ...ai, ...anthropic, ...compatible }
}

/**
 * [V18] One call to a model through `ai`: structured output first, plain text if the server refuses that (and from then
 * on). Telemetry is off, the caller retries, and no other address is called.
 * @param now monotonic milliseconds
 */
export function createModelClient(now: () => number): ModelClient {
  const plainOnly = new Set<string>()

  async function attempt(model: Model, call: ModelCall, structured: boolean): Promise<Attempt> {
    const { generateText, Output, ...libraries } = await loadLibraries()
    const exchange = newExchange()
    const timeout = AbortSignal.timeout(model.settings.timeoutSeconds * 1000)
    const start = now()
    try {
      const result = await generateText({
        model: languageModel(libraries, model, exchange),
        instructions: call.system,
        prompt: call.user,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        maxRetries: 0,
        abortSignal: AbortSignal.any([call.signal, timeout]),
        telemetry: { isEnabled: false },
        ...(structured ? { output: tolerant(Output.object({ schema: AnswerShape })) } : {}),
        ...(structured ? { temperature: 0, providerOptions: OUTPUT_FORMAT } : {}),
      })
      const { text, usage, finishReason } = result
      const { inputTokens = null, outputTokens = null } = usage
      const raw = text === '' ? textOfBody(exchange.body) : text
      const failure = failureIn(finishReason, raw, exchange.body)
      if (failure !== null) return { exchange, answered: failed(failure, null) }
      const value = { raw, inputTokens, outputTokens, elapsedMs: now() - start }
      return { exchange, answered: { ok: true, value } }
    } catch (error) {
      if (call.signal.aborted) return { exchange, answered: failed(failureOf('cancelled'), null) }
      if (timeout.aborted) return { exchange, answered: failed(timedOut(model), null) }
      const failure = exchange.failure ?? failureOf('malformed', statusOf(exchange, error))
      return { exchange, answered: failed(failure, exchange.retryAfterMs) }
    }
  }

  return {
    once: async (model, call) => {
      const place = `${model.endpoint.baseUrl} ${model.settings.model}`
      if (plainOnly.has(place)) return (await attempt(model, call, false)).answered
      const first = await attempt(model, call, true)
      const refused = first.exchange.status === 400 || first.exchange.status === 422
      if (first.answered.ok || !refused || first.exchange.failure !== null) return first.answered
      const second = await attempt(model, call, false)
      if (second.answered.ok) plainOnly.add(place)
      return second.answered
    },
  }

  function languageModel(
    { createAnthropic, createOpenAICompatible }: Libraries,
    { settings, endpoint, key, permit }: Model,
    exchange: Exchange,
  ): LanguageModel {
    const send = guardedFetch(permit, exchange, () => Date.now())
    const place = { baseURL: endpoint.baseUrl, fetch: send }
    if (settings.provider === 'anthropic') {
      // Always given: without one the library would take its own from the environment.
      return createAnthropic({ ...place, apiKey: key ?? 'none' })(settings.model)
    }
    const named = { name: 'coach', supportsStructuredOutputs: true }
    const keyed = key === null ? {} : { apiKey: key }
    return createOpenAICompatible({ ...place, ...named, ...keyed })(settings.model)
  }
}

type Libraries = Pick<
  Awaited<ReturnType<typeof loadLibraries>>,
  'createAnthropic' | 'createOpenAICompatible'
>

interface Attempt {
  readonly exchange: Exchange
  readonly answered: Answered<ModelAnswer>
}

/** The provider's own format, never a forced tool call: text beside a tool call would be lost. */
const OUTPUT_FORMAT = { anthropic: { structuredOutputMode: 'outputFormat' } } as const

/** The library would throw at text that does not fit the shape; ours is read by `readModelAnswer`. */
function tolerant<T extends { readonly parseCompleteOutput: unknown }>(output: T): T {
  return { ...output, parseCompleteOutput: () => Promise.resolve(null) }
}

function failed(error: CoachFailure, retryAfterMs: number | null): Answered<never> {
  return { ok: false, error, retryAfterMs }
}

function timedOut({ settings }: Model): CoachFailure {
  return failureOf('timeout', `${settings.timeoutSeconds} s`)
}

function statusOf({ status }: Exchange, error: unknown): string {
  if (status !== 0) return `status ${status}`
  return error instanceof Error ? error.name : 'unknown'
}

const WireText = z.object({
  content: z.array(z.looseObject({ text: z.string().optional() })).optional(),
  choices: z
    .array(
      z.looseObject({
        message: z
          .looseObject({ content: z.string().nullish(), refusal: z.string().nullish() })
          .optional(),
      }),
    )
    .optional(),
})

function wireOf(body: string): z.infer<typeof WireText> {
  return jsonAs(WireText, body) ?? {}
}

/** The text of an answer from the wire format, used if the library returned none. */
function textOfBody(body: string): string {
  const { content = [], choices = [] } = wireOf(body)
  return content.map((part) => part.text ?? '').join('') || (choices[0]?.message?.content ?? '')
}

/** Refusals and answers that were cut. A whole verdict in a cut answer is taken by the caller's reader. */
function failureIn(finishReason: string, raw: string, body: string): CoachFailure | null {
  const refusal = wireOf(body).choices?.[0]?.message?.refusal ?? ''
  if (finishReason === 'content-filter' || refusal !== '') return failureOf('refused')
  if (finishReason === 'length' && !raw.includes('}'))
    return failureOf('cut_off', `at ${MAX_OUTPUT_TOKENS} tokens`)
  return raw.trim() === '' ? failureOf('malformed', 'an empty answer') : null
}
