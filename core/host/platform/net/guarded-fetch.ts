import type { CoachFailure } from '../../../engine/schema/coach-wire.ts'
import { type FailureKind, failureOf } from './call-failures.ts'
import type { Permit } from '../trust/gate.ts'

/** No verdict is that long. Bytes. */
const MAX_ANSWER = 1_000_000
const MAX_WAIT_MS = 120_000

/** Result of one exchange with the server, as seen on the wire. */
export interface Exchange {
  /** Why it failed, or null. */
  failure: CoachFailure | null
  status: number
  /** Milliseconds that the server asked to wait, or null. */
  retryAfterMs: number | null
  /** The whole body of a good answer. */
  body: string
}

export function newExchange(): Exchange {
  return { failure: null, status: 0, retryAfterMs: null, body: '' }
}

/** Thrown into the client library to end its work; the exchange says what happened. */
class ExchangeFailed extends Error {}

const BY_STATUS: Readonly<Record<number, FailureKind>> = {
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'unreachable',
  408: 'timeout',
  413: 'too_large',
  429: 'rate_limited',
}
const TOO_LONG =
  /too\s+long|too\s+large|context.?(?:length|window)|maximum\s+context|too\s+many\s+tokens/i

/**
 * [V18] A `fetch` that says what happened: it follows no redirect (a key would go along), reads the
 * answer as a whole up to a limit, and notes the failure before a client library rewords it. Nothing
 * of the server's own words is kept on a failure: they may repeat a key or the output.
 * @param permit [V35] for the address: a call to another one is refused
 * @param maxAnswer bytes beyond which an answer is not read
 */
export function guardedFetch(
  permit: Permit,
  exchange: Exchange,
  now: () => number,
  maxAnswer = MAX_ANSWER,
): typeof fetch {
  const fail = (kind: FailureKind, detail: string | null): never => {
    exchange.failure = failureOf(kind, detail)
    throw new ExchangeFailed(kind)
  }
  const permitted = URL.parse(permit.item.address)?.origin
  return async (input, init) => {
    const asked = URL.parse(input instanceof Request ? input.url : String(input))?.origin
    if (asked === undefined || asked !== permitted) return fail('restricted', null)
    let response: Response
    try {
      response = await fetch(input, { ...init, redirect: 'manual' })
    } catch (error) {
      if (init?.signal?.aborted === true) throw error
      return fail('unreachable', codeOf(error))
    }
    exchange.status = response.status
    exchange.retryAfterMs = retryAfter(response.headers, now())
    const body = await readBody(response, maxAnswer, fail).catch((error: unknown) => {
      if (init?.signal?.aborted === true || error instanceof ExchangeFailed) throw error
      return fail('cut_off', 'the connection was cut')
    })
    const { status } = response
    if (status >= 300) {
      const kind = kindOf(status, body)
      if (kind !== null) return fail(kind, `status ${status}`)
    }
    exchange.body = body
    const { headers } = response
    return new Response(status === 204 ? null : body, { status, headers: plain(headers) })
  }
}

/** Null for a 400 or 422, which may only mean that the server knows no structured answers. */
function kindOf(status: number, body: string): FailureKind | null {
  if (status < 400) return 'unreachable'
  if (status >= 500) return 'server_error'
  const known = BY_STATUS[status]
  if (known !== undefined) return known
  if (TOO_LONG.test(body.slice(0, 4000))) return 'too_large'
  return status === 400 || status === 422 ? null : 'malformed'
}

async function readBody(
  response: Response,
  maxAnswer: number,
  fail: (kind: FailureKind, detail: string) => never,
): Promise<string> {
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    // Leaving the loop ends the connection: the rest is never read.
    if (bytes > maxAnswer) fail('too_large', `the answer has more than ${maxAnswer} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The body is decoded already. */
function plain(headers: Headers): Headers {
  const kept = new Headers(headers)
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(name)
  return kept
}

/** `retry-after` in seconds or as a date, `retry-after-ms`; at most two minutes. */
export function retryAfter(headers: Headers, now: number): number | null {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(ms) && ms >= 0) return Math.min(ms, MAX_WAIT_MS)
  const text = headers.get('retry-after')
  if (text === null) return null
  const seconds = Number(text)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), MAX_WAIT_MS) : null
}

/** `ECONNREFUSED` and the like. */
function codeOf(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : null
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return null
  return typeof cause.code === 'string' ? cause.code : null
}
