import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CoachSettings } from '../../engine/schema/coach-wire.ts'

// For tests only: real servers on the loopback that speak the two APIs.

export interface Received {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
}

interface Said {
  readonly say: string
  readonly stop?: string
  readonly refusal?: string
}

/** What the server does with the n-th call. */
export type Reply =
  | Said
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | { readonly cut: true }
  | { readonly hang: true }
  | { readonly stream: string }
  | { readonly bytes: number }

export interface ModelServer {
  readonly url: string
  readonly received: Received[]
  /** Calls that were being answered when their client went away. */
  readonly dropped: () => number
  /** Calls open at once, at most. */
  readonly most: () => number
  readonly close: () => Promise<void>
}

export type Api = CoachSettings['provider']

/** A server on 127.0.0.1. `reply` gets the place of the call, from 0, and what was sent. */
export async function startModelServer(
  api: Api,
  reply: (n: number, received: Received) => Reply | Promise<Reply>,
): Promise<ModelServer> {
  const received: Received[] = []
  const counts = { dropped: 0, open: 0, most: 0 }
  const server = createServer((request, response) => {
    counts.open += 1
    counts.most = Math.max(counts.most, counts.open)
    let ended = false
    response.once('finish', () => {
      ended = true
    })
    response.once('close', () => {
      counts.open -= 1
      if (!ended) counts.dropped += 1
    })
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString('utf8')
      const body = JSON.parse(text === '' ? '{}' : text) as Record<string, unknown>
      const call = { path: request.url ?? '', headers: request.headers, body }
      received.push(call)
      answer(api, await reply(received.length - 1, call), response)
    })()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    received,
    dropped: () => counts.dropped,
    most: () => counts.most,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => {
          resolve()
        })
      }),
  }
}

function answer(api: Api, reply: Reply, response: ServerResponse): void {
  if ('hang' in reply) return
  if ('cut' in reply) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
    response.write('{"id":"x","content":[{"type":"text","te', () => {
      response.socket?.destroy()
    })
    return
  }
  if ('bytes' in reply) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(message(api, { say: 'x'.repeat(reply.bytes) }))
    return
  }
  if ('stream' in reply) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`data: ${reply.stream}\n\ndata: [DONE]\n\n`)
    return
  }
  const status = 'status' in reply ? reply.status : 200
  const headers = 'status' in reply ? reply.headers : {}
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(
    'status' in reply ? (reply.body ?? '{"error":{"message":"no"}}') : message(api, reply),
  )
}

function message(api: Api, { say, stop, refusal }: Said): string {
  if (api === 'anthropic') {
    return JSON.stringify({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'test-model',
      content: say === '' ? [] : [{ type: 'text', text: say }],
      stop_reason: stop ?? 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1000, output_tokens: 50 },
    })
  }
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'test-model',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: say, ...(refusal === undefined ? {} : { refusal }) },
        finish_reason: stop ?? 'stop',
      },
    ],
    usage: { prompt_tokens: 1000, completion_tokens: 50, total_tokens: 1050 },
  })
}

/** A verdict as a model writes it. */
export function verdictText(values: Readonly<Record<string, unknown>> = {}): string {
  const plain = { type: 'completion', confidence: 0.95, reason: 'shown', coaching_message: null }
  return JSON.stringify({ ...plain, ...values })
}

/** Settings that point at a server. */
export function settingsFor(
  provider: Api,
  url: string,
  more: Partial<CoachSettings> = {},
): CoachSettings {
  return {
    ...{ mode: 'model', provider, baseUrl: url, model: 'test-model' },
    ...{ inputPrice: 1, outputPrice: 5, timeoutSeconds: 5, rateLimit: 6000 },
    ...more,
  }
}
