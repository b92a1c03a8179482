import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { endpointOf } from './endpoint.ts'
import { createModelClient } from './model-client.ts'
import {
  type Api,
  type ModelServer,
  type Reply,
  settingsFor,
  startModelServer,
  verdictText,
} from '../../../../fixtures/model-servers.ts'
import { itemOfCoach } from '../../../engine/trust/items.ts'
import { permitFor } from '../../../../fixtures/trust.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const KEY = 'sk-test-0123456789abcdefghij'
const APIS: readonly Api[] = ['anthropic', 'openai-compatible']

async function askOnce(
  api: Api,
  reply: (n: number) => Reply,
  more: { timeoutSeconds?: number; signal?: AbortSignal; times?: number } = {},
) {
  const server = await startModelServer(api, reply)
  servers.push(server)
  const { signal = new AbortController().signal, times = 1, ...settings } = more
  const named = settingsFor(api, server.url, settings)
  const endpoint = endpointOf(named)
  if (!endpoint.ok) throw new Error('no endpoint')
  const client = createModelClient(() => performance.now())
  const permit = permitFor(itemOfCoach(named))
  const model = { settings: named, endpoint: endpoint.value, key: KEY, permit }
  let answered = await client.once(model, { system: 'SYSTEM', user: 'USER', signal })
  for (let n = 1; n < times; n += 1) {
    answered = await client.once(model, { system: 'SYSTEM', user: 'USER', signal })
  }
  return { answered, server }
}

describe.each(APIS)('model client, %s', (api) => {
  it('[V18] sends system, output and key to the given address, and returns text and tokens', async () => {
    const { answered, server } = await askOnce(api, () => ({ say: verdictText() }))
    expect(answered).toMatchObject({
      ok: true,
      value: { raw: verdictText(), inputTokens: 1000, outputTokens: 50 },
    })
    const [call] = server.received
    expect(server.received).toHaveLength(1)
    expect(call?.path).toBe(api === 'anthropic' ? '/v1/messages' : '/v1/chat/completions')
    const { headers = {}, body } = call ?? {}
    const sent: unknown = api === 'anthropic' ? headers['x-api-key'] : headers.authorization
    expect(sent).toContain(KEY)
    expect(JSON.stringify(body)).toContain('SYSTEM')
    expect(JSON.stringify(body)).toContain('USER')
    expect(JSON.stringify(body)).toContain('json_schema')
    expect(JSON.stringify(body)).not.toContain(KEY)
  })

  it('[V18] a server that refuses structured output is asked in plain words, from then on at once', async () => {
    const { answered, server } = await askOnce(
      api,
      (n) => (n === 0 ? { status: 400 } : { say: verdictText() }),
      { times: 2 },
    )
    expect(answered.ok).toBe(true)
    const schemas = server.received.map((call) => JSON.stringify(call.body).includes('json_schema'))
    expect(schemas).toEqual([true, false, false])
  })

  it('[V18] prose and fences around the answer reach the reader', async () => {
    const say = 'Here is my verdict:\n```json\n' + verdictText() + '\n```\nI hope it helps.'
    const { answered } = await askOnce(api, () => ({ say }))
    expect(answered).toMatchObject({ ok: true, value: { raw: say } })
  })

  const failures: ReadonlyArray<readonly [string, Reply, string]> = [
    ['401', { status: 401 }, 'unauthorized'],
    ['403', { status: 403 }, 'unauthorized'],
    ['404', { status: 404 }, 'unreachable'],
    ['429', { status: 429 }, 'rate_limited'],
    ['500', { status: 500 }, 'server_error'],
    ['529', { status: 529 }, 'server_error'],
    ['413', { status: 413 }, 'too_large'],
    ['400, prompt too long', { status: 400, body: '{"error":"prompt is too long"}' }, 'too_large'],
    ['400 twice', { status: 400 }, 'malformed'],
    ['a redirect', { status: 307, headers: { location: 'http://example.com/' } }, 'unreachable'],
    ['a cut connection', { cut: true }, 'cut_off'],
    ['no JSON', { status: 200, body: '<html>hello</html>' }, 'malformed'],
    ['a stream that nobody asked for', { stream: '{"x":1}' }, 'malformed'],
    ['an empty answer', { say: '' }, 'malformed'],
    ['an answer of 3 MB', { bytes: 3_000_000 }, 'too_large'],
    ['an answer that ends at the limit', { say: 'Let me think', stop: 'LENGTH' }, 'cut_off'],
    ['a refusal', { say: 'no', stop: 'REFUSAL' }, 'refused'],
  ]
  it.each(failures)('[V18] %s is a clear failure', async (_, given, kind) => {
    const { answered } = await askOnce(api, () => spoken(api, given))
    expect(answered).toMatchObject({ ok: false, error: { kind } })
    expect(JSON.stringify(answered)).not.toContain(KEY)
  })

  it('[V18] retry-after is read as seconds, milliseconds and date', async () => {
    const at = async (headers: Record<string, string>) => {
      const { answered } = await askOnce(api, () => ({ status: 429, headers }))
      return answered.ok ? null : answered.retryAfterMs
    }
    expect(await at({ 'retry-after': '7' })).toBe(7000)
    expect(await at({ 'retry-after-ms': '250' })).toBe(250)
    expect(await at({ 'retry-after': '86400' })).toBe(120_000)
    const soon = new Date(Date.now() + 60_000).toUTCString()
    expect(await at({ 'retry-after': soon })).toBeGreaterThan(50_000)
    expect(await at({})).toBeNull()
  })

  it('[V18] a slow server is a timeout, a stopped call is cancelled and its connection ends', async () => {
    const slow = await askOnce(api, () => ({ hang: true }), { timeoutSeconds: 1 })
    expect(slow.answered).toMatchObject({ ok: false, error: { kind: 'timeout' } })
    const stop = new AbortController()
    const asked = askOnce(
      api,
      () => {
        stop.abort()
        return { hang: true }
      },
      { signal: stop.signal },
    )
    expect((await asked).answered).toMatchObject({ ok: false, error: { kind: 'cancelled' } })
    await expect.poll(() => servers.at(-1)?.dropped()).toBe(1)
  })
})

it('[V18] no other address is called: no gateway, no telemetry', async () => {
  const ports = new Set<number | undefined>()
  const watch = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket }
    socket.once('lookup', (_, address) => {
      if (!address.startsWith('127.')) ports.add(-1)
    })
    socket.once('connect', () => {
      ports.add(socket.remotePort)
    })
  }
  subscribe('net.client.socket', watch)
  try {
    const { answered, server } = await askOnce('anthropic', () => ({ say: verdictText() }))
    expect(answered.ok).toBe(true)
    expect([...ports]).toEqual([Number(new URL(server.url).port)])
  } finally {
    unsubscribe('net.client.socket', watch)
  }
})

it('[V18] an OpenAI refusal field is a refusal', async () => {
  const { answered } = await askOnce('openai-compatible', () => ({ say: '', refusal: 'I cannot' }))
  expect(answered).toMatchObject({ ok: false, error: { kind: 'refused' } })
})

it('[V18] no server at all is unreachable', async () => {
  const server = await startModelServer('anthropic', () => ({ hang: true }))
  await server.close()
  const settings = settingsFor('anthropic', server.url)
  const endpoint = endpointOf(settings)
  if (!endpoint.ok) throw new Error('no endpoint')
  const client = createModelClient(() => 0)
  const { signal } = new AbortController()
  const call = { system: 's', user: 'u', signal }
  const permit = permitFor(itemOfCoach(settings))
  const model = { settings, endpoint: endpoint.value, key: KEY, permit }
  const answered = await client.once(model, call)
  expect(answered).toMatchObject({ ok: false, error: { kind: 'unreachable' } })
  expect(JSON.stringify(answered)).toContain('ECONNREFUSED')
})

/** The word of each API for the same end. */
function spoken(api: Api, reply: Reply): Reply {
  if (!('stop' in reply)) return reply
  const words = {
    LENGTH: api === 'anthropic' ? 'max_tokens' : 'length',
    REFUSAL: api === 'anthropic' ? 'refusal' : 'content_filter',
  }
  return { ...reply, stop: reply.stop === 'LENGTH' ? words.LENGTH : words.REFUSAL }
}
