import type { Result } from '../../../engine/result.ts'
import type { CoachCost, CoachFailure, CoachSettings } from '../../../engine/schema/coach-wire.ts'
import { itemOfCoach } from '../../../engine/trust/items.ts'
import { createSharedWork } from '../../platform/threads/shared-work.ts'
import { endpointOf } from './endpoint.ts'
import { failureOf } from '../../platform/net/call-failures.ts'
import type { TrustGate } from '../../platform/trust/gate.ts'
import type { CoachKeys } from './keys.ts'
import type { Model, ModelAnswer, ModelClient } from './model-client.ts'
import {
  type Answered,
  type Chronometer,
  type RateLimit,
  askWithRetries,
  createRateLimit,
} from '../../platform/net/retry.ts'
import type { AnswerKey, StoredAnswer, VerdictStore } from './verdict-store.ts'

/** [V20] Maximum calls in flight. */
export const AT_ONCE = 4

/** A question to the model: the request text, and the key of its answer. */
interface Question {
  readonly content: string
  readonly promptHash: string
  readonly system: string
  readonly user: string
}

/** The key of an answer, under the settings in force. */
export type AskedPlace = Pick<Question, 'content' | 'promptHash'>

export type Asked = Result<
  { readonly answer: StoredAnswer; readonly cached: boolean },
  CoachFailure
>

/** The half of the coach that calls models and remembers their answers. */
export interface Asker {
  /** The model that may be called, or why none may; sends nothing. */
  model(): Promise<Result<Model, CoachFailure>>
  /** [V65] The stored answer for each place, without a call. Settings are read once for all. */
  known(places: readonly AskedPlace[]): Promise<ReadonlyArray<StoredAnswer | null>>
  /** `model` for an answer to a call of this process, `cache` for one kept from before. */
  sourceOf(answer: StoredAnswer): 'model' | 'cache'
  /** [V65] Failure of the last call for each place; null if it did not fail. */
  failures(places: readonly AskedPlace[]): Promise<ReadonlyArray<CoachFailure | null>>
  /** Answers from the cache, or by a call. Two concurrent requests for the same question share one call. */
  ask(question: Question, signal: AbortSignal): Promise<Asked>
  /** One short call that carries no transcript and is not kept. */
  test(signal: AbortSignal): Promise<CoachFailure | null>
}

interface Asking {
  readonly settings: () => Promise<CoachSettings>
  readonly keys: CoachKeys
  readonly trust: TrustGate
  readonly client: ModelClient
  readonly store: VerdictStore
  readonly time: Chronometer
  /** Epoch milliseconds. */
  readonly clock: () => number
}

const MOST_FAILURES = 10_000

export function createAsker(asking: Asking): Asker {
  const { client, store, time, clock } = asking
  const limitOf = createLimits(time)
  const running = createSharedWork<Asked>(0)
  const failures = createFailures()
  const fresh = new WeakSet<StoredAnswer>()

  const { model, keyOf, keysOf } = modelsOf(asking)

  function send(ready: Model, question: Pick<Question, 'system' | 'user'>, signal: AbortSignal) {
    return askWithRetries(
      () => client.once(ready, { system: question.system, user: question.user, signal }),
      {
        time,
        signal,
        limit: limitOf(ready.endpoint.origin),
        perMinute: ready.settings.rateLimit,
      },
    )
  }

  async function call(ready: Model, key: AnswerKey, question: Question, signal: AbortSignal) {
    const answered: Answered<ModelAnswer> = await send(ready, question, signal)
    if (!answered.ok) {
      failures.add(key, answered.error)
      return { ok: false as const, error: answered.error }
    }
    failures.forget(key)
    const dollars = dollarsOf(ready.settings, answered.value)
    const answer = await store.add({ ...key, at: clock(), ...answered.value, dollars })
    fresh.add(answer)
    return { ok: true as const, value: { answer, cached: false } }
  }

  return {
    model,
    known: async (places) => {
      const keys = await keysOf(places)
      return Promise.all(keys.map((key) => store.find(key)))
    },
    sourceOf: (answer) => (fresh.has(answer) ? 'model' : 'cache'),
    failures: async (places) => (await keysOf(places)).map(failures.of),
    ask: async (question, signal) => {
      const { content, promptHash } = question
      const ready = await model()
      if (!ready.ok) return ready
      const key = await keyOf({ content, promptHash })
      const known = await store.find(key)
      if (known) return { ok: true, value: { answer: known, cached: true } }
      try {
        return await running.get(JSON.stringify(key), {
          signal,
          start: (stop) => call(ready.value, key, question, stop),
        })
      } catch {
        // Only the wait can throw here. The result of a call is a value.
        return { ok: false, error: failureOf('cancelled') }
      }
    },
    test: async (signal) => {
      const ready = await model()
      if (!ready.ok) return ready.error
      const answered = await send(ready.value, TEST_QUESTION, signal)
      return answered.ok ? null : answered.error
    },
  }
}

/** The failures that calls of this process ended with, the newest of each question. */
function createFailures() {
  const failures = new Map<string, CoachFailure>()
  return {
    of: (key: AnswerKey) => failures.get(JSON.stringify(key)) ?? null,
    forget: (key: AnswerKey) => failures.delete(JSON.stringify(key)),
    add: (key: AnswerKey, failure: CoachFailure) => {
      if (failures.size >= MOST_FAILURES) failures.clear()
      if (failure.kind !== 'cancelled') failures.set(JSON.stringify(key), failure)
    },
  }
}

/** [V41] A rate limit for each address, so that an address that requests a pause does not delay others. */
function createLimits(time: Chronometer): (origin: string) => RateLimit {
  const limits = new Map<string, RateLimit>()
  return (origin) => {
    const limit = limits.get(origin) ?? createRateLimit(time, AT_ONCE)
    limits.set(origin, limit)
    return limit
  }
}

/** The model in force, and the keys of its answers. */
function modelsOf({ settings: current, keys, trust }: Pick<Asking, 'settings' | 'keys' | 'trust'>) {
  async function model(): Promise<Result<Model, CoachFailure>> {
    const settings = await current()
    if (settings.mode !== 'model') return { ok: false, error: failureOf('off') }
    if (settings.model.trim() === '')
      return { ok: false, error: failureOf('off', 'no model is named') }
    const endpoint = endpointOf(settings)
    if (!endpoint.ok) return endpoint
    const permit = trust.may(itemOfCoach(settings), 'the coach')
    if (!permit.ok) {
      const { what, do: advice } = permit.error
      return { ok: false, error: { ...failureOf('restricted'), what, do: advice } }
    }
    const key = await keys.keyFor(settings)
    if (key === null && !endpoint.value.local) return { ok: false, error: failureOf('no_key') }
    return { ok: true, value: { settings, endpoint: endpoint.value, key, permit: permit.value } }
  }

  /** Cached verdicts are keyed by the settings they were made with, whether the model is on or off. */
  async function underSettings(): Promise<(place: AskedPlace) => AnswerKey> {
    const { model: name, provider, ...settings } = await current()
    const endpoint = endpointOf({ ...settings, model: name, provider })
    const baseUrl = endpoint.ok ? endpoint.value.baseUrl : ''
    return ({ content, promptHash }) => ({ content, promptHash, model: name, provider, baseUrl })
  }

  const keyOf = async (place: AskedPlace) => (await underSettings())(place)

  /** [V65] Settings are a file that anybody may change: they are read again, but once for a list. */
  const keysOf = async (places: readonly AskedPlace[]) => places.map(await underSettings())

  return { model, keyOf, keysOf }
}

const TEST_QUESTION = {
  system: 'You check a connection. Answer with the JSON object you are asked for and nothing else.',
  user: '{"type": "status", "confidence": 1, "reason": "test", "coaching_message": null}',
} as const

/** [V20] Cost of one call in US dollars; null if prices or tokens are unknown. */
export function dollarsOf(
  { inputPrice, outputPrice }: Pick<CoachSettings, 'inputPrice' | 'outputPrice'>,
  { inputTokens, outputTokens }: Pick<CoachCost, 'inputTokens' | 'outputTokens'>,
): number | null {
  if (inputPrice === null || outputPrice === null) return null
  if (inputTokens === null || outputTokens === null) return null
  return (inputTokens * inputPrice + outputTokens * outputPrice) / 1_000_000
}
