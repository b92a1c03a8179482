import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// For tests only: real servers on the loopback.

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** Parsed JSON, or null. */
  readonly body: Readonly<Record<string, unknown>> | null
}

export interface TestServer {
  readonly url: string
  readonly asked: Asked[]
  close(): Promise<void>
}

/** `answer` gets each call as it came; what it does not answer hangs. */
export async function startServer(
  answer: (asked: Asked, response: ServerResponse, count: number) => void,
): Promise<TestServer> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const { method = '', url: path = '', headers } = request
      const body = text === '' ? null : (JSON.parse(text) as Record<string, unknown>)
      asked.push({ method, path, headers, body })
      answer({ method, path, headers, body }, response, asked.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

/** A direction of its own for each text, not of length 1. */
export function vectorFor(text: string, size = 8): number[] {
  return Array.from({ length: size }, (_, index) => 3 * Math.sin((index + 1) * (text.length + 1)))
}

/** Texts of a call, in either protocol. */
export function inputOf({ body }: Asked): readonly string[] {
  return (body?.['input'] ?? []) as string[]
}

export const DIGEST = '0a109f422b47e3a30ba2b10eca18548e944e8a23073ee3f3e947efcf3c45e59f'

/** What an Ollama server with one model says. */
export function ollamaAnswer(asked: Asked, response: ServerResponse): void {
  if (asked.path === '/api/tags') {
    sendJson(response, { models: [{ name: 'nomic-embed-text:latest', digest: DIGEST, size: 1 }] })
  } else if (asked.path === '/api/embed') {
    const embeddings = inputOf(asked).map((text) => vectorFor(text))
    sendJson(response, { model: asked.body?.['model'], embeddings, total_duration: 1 })
  } else sendJson(response, { error: 'not found' }, 404)
}

/** What a server with OpenAI's API says; in another order than it was asked. */
export function openAiAnswer(asked: Asked, response: ServerResponse): void {
  const data = inputOf(asked).map((text, index) => ({
    object: 'embedding',
    index,
    embedding: vectorFor(text),
  }))
  sendJson(response, { object: 'list', data: data.reverse(), model: asked.body?.['model'] })
}
