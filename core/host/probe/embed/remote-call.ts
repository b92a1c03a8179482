import type { AbortSignalLike } from '../../../engine/probe/ports.ts'
import { type Problem, type Result, err, ok } from '../../../engine/result.ts'
import { type FailureKind, failureOf } from '../../platform/net/call-failures.ts'
import { guardedFetch, newExchange } from '../../platform/net/guarded-fetch.ts'
import type { Permit } from '../../platform/trust/gate.ts'
import {
  askWithRetries,
  createRateLimit,
  type Answered,
  type Chronometer,
} from '../../platform/net/retry.ts'

/** A request to an embedding server. */
interface Call {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Null = a question without a body (GET). */
  readonly body: unknown
}

/** Clock and limits for requests to servers. They are injected, so that tests need neither hours nor gigabytes. */
export interface Asking {
  readonly time: Chronometer
  readonly timeoutMs: number
  /** Bytes of an answer at most. */
  readonly maxAnswer: number
}

/** Calls of one server. They wait for each other when it requests a pause. */
interface Server {
  /** [D26] The server's JSON answer, unvalidated. Retries temporary failures. */
  ask(call: Call, signal: AbortSignalLike): Promise<Result<unknown>>
}

const AT_ONCE = 4
const PER_MINUTE = 100_000

/** User-facing remedy. The failure itself states the cause, in the coach's words. */
const DO: Partial<Record<FailureKind, string>> = {
  unauthorized: 'Check the key and what it may do',
  rate_limited: 'Wait, or index fewer documents at a time',
  timeout: 'Try again; a model that is being loaded takes longer the first time',
  unreachable: 'Check that the server runs, and its address',
  too_large: 'Choose a model with smaller vectors',
  malformed: 'Check that the address is that of an embedding server',
}
const WHAT: Partial<Record<FailureKind, string>> = {
  malformed: 'the server answered something that is no embedding',
}

/** A server that may be called (V35). */
export function createServer(permit: Permit, where: string, asking: Asking): Server {
  const limit = createRateLimit(asking.time, AT_ONCE)
  return {
    ask: async (call, signal) => {
      const live = signal instanceof AbortSignal ? signal : new AbortController().signal
      const answered = await askWithRetries(() => once(permit, call, live, asking), {
        time: asking.time,
        limit,
        perMinute: PER_MINUTE,
        signal: live,
      })
      return answered.ok ? ok(answered.value) : err(problemOf(answered.error, where))
    },
  }
}

/** An answer that is JSON, but not the one that belongs to the question. */
export function malformed(where: string, detail: string): Problem {
  return problemOf(failureOf('malformed', detail), where)
}

function problemOf(failure: ReturnType<typeof failureOf>, where: string): Problem {
  const { kind, what, do: advice } = failure
  const detail = /\(.*\)$/.exec(what)?.[0] ?? ''
  const own = WHAT[kind]
  return {
    what: own === undefined ? what : `${own} ${detail}`.trim(),
    where,
    do: DO[kind] ?? advice,
  }
}

async function once(
  permit: Permit,
  call: Call,
  signal: AbortSignal,
  asking: Asking,
): Promise<Answered<unknown>> {
  const exchange = newExchange()
  const timeout = AbortSignal.timeout(asking.timeoutMs)
  const send = guardedFetch(permit, exchange, () => Date.now(), asking.maxAnswer)
  const failed = (kind: FailureKind, detail: string | null = null): Answered<never> => ({
    ok: false,
    error: exchange.failure ?? failureOf(kind, detail),
    retryAfterMs: exchange.retryAfterMs,
  })
  try {
    await send(call.url, {
      method: call.body === null ? 'GET' : 'POST',
      headers: { accept: 'application/json', ...call.headers },
      signal: AbortSignal.any([signal, timeout]),
      ...(call.body === null ? {} : { body: JSON.stringify(call.body) }),
    })
  } catch {
    if (signal.aborted) return failed('cancelled')
    return timeout.aborted ? failed('timeout') : failed('unreachable')
  }
  if (exchange.status >= 300) return failed('malformed', `status ${exchange.status}`)
  try {
    // The caller validates it.
    const value: unknown = JSON.parse(exchange.body)
    return { ok: true, value }
  } catch {
    return failed('malformed', 'no JSON')
  }
}
