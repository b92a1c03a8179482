import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { EmbedderConfig, ProbeSettings } from '../../../engine/schema/probe-settings.ts'
import { REAL_TIME } from '../../platform/net/retry.ts'
import type { Embedders, OpenEmbedder } from '../ports.ts'
import { createEmbedders } from './embedders.ts'
import { checked } from './engine.ts'
import {
  type Asked,
  type TestServer,
  inputOf,
  ollamaAnswer,
  openAiAnswer,
  sendJson,
  startServer,
  vectorFor,
} from '../../../../fixtures/probe/embed-servers.ts'
import { openedGate } from '../../../../fixtures/trust.ts'

const LIVE = { aborted: false }
const slept: number[] = []
let ahead = 0
/** Waits take no time, but the clock knows of them. */
const TIME = {
  ...REAL_TIME,
  now: () => performance.now() + ahead,
  sleep: (ms: number) => {
    slept.push(ms)
    ahead += ms
    return Promise.resolve()
  },
}
const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  slept.length = 0
})

async function serverOf(answer: Parameters<typeof startServer>[0]): Promise<TestServer> {
  const server = await startServer(answer)
  closing.push(() => server.close())
  return server
}

function settingsFor(config: EmbedderConfig): ProbeSettings {
  return { embedder: 'served', auto: false, embedders: { served: config }, measured: {} }
}

function embeddersWith(env: Record<string, string> = {}, timeoutMs = 5000): Embedders {
  const asking = { time: TIME, timeoutMs, maxAnswer: 100_000 }
  const places = { shipped: '/nowhere', modelsDir: '/nowhere' }
  const embedders = createEmbedders({ ...places, env, asking, trust: openedGate() })
  closing.push(() => embedders.close())
  return embedders
}

const ollama = (url: string, model = 'nomic-embed-text'): EmbedderConfig => ({
  kind: 'ollama',
  title: 'Ollama',
  url,
  model,
})
const openai = (url: string, keyEnv: string | null = 'TEST_KEY'): EmbedderConfig => ({
  kind: 'openai',
  title: 'Served',
  url,
  model: 'text-embedding-3-small',
  keyEnv,
})

async function openServed(config: EmbedderConfig, timeoutMs?: number): Promise<OpenEmbedder> {
  const url = config.kind === 'openai' ? config.url : ''
  const env = { TEST_KEY: 'sk-secret', TURNSCOPE_ALLOW_ENV: `TEST_KEY@${url}` }
  const embedders = embeddersWith(env, timeoutMs)
  const opened = await embedders.open('served', settingsFor(config))
  if (!opened.ok) throw new Error(`${opened.error.what}. ${opened.error.do}`)
  return opened.value
}

const PROTOCOLS = [
  { name: 'ollama', config: ollama, good: ollamaAnswer, path: '/api/embed' },
  {
    name: 'openai',
    config: (url: string) => openai(url),
    good: openAiAnswer,
    path: '/v1/embeddings',
  },
] as const

describe.each(PROTOCOLS)('an embedder behind $name', ({ config, good, path }) => {
  /** The list of models is always answered; `fail` decides over the calls for vectors, from 1. */
  const failing = (fail: (asked: Asked, response: ServerResponse, count: number) => void) => {
    let count = 0
    return serverOf((asked, response) => {
      if (asked.path !== path) good(asked, response)
      else fail(asked, response, ++count)
    })
  }
  const fails = async (
    answer: (asked: Asked, response: ServerResponse, count: number) => void,
    texts: readonly string[] = ['Tower Faction'],
  ) => {
    const server = await failing(answer)
    const result = await (await openServed(config(server.url))).embed(texts, LIVE)
    return { server, error: result.ok ? null : result.error }
  }

  it('[D26] gives unit vectors in the order of the texts, and knows their size then', async () => {
    const server = await serverOf(good)
    const embedder = await openServed(config(server.url))
    expect(embedder).toMatchObject({ dimensions: null, threshold: null, remote: false })
    const texts = ['one', 'three', 'a longer one']
    const embedded = await embedder.embed(texts, LIVE)
    const wanted = checked(
      texts.map((text) => vectorFor(text)),
      { count: 3, dimensions: null, where: '' },
    )
    expect(embedded).toEqual(wanted)
    expect(embedder.dimensions).toBe(8)
    expect(server.asked.at(-1)).toMatchObject({ method: 'POST', path })
  })

  it('[D23] [D26] many texts go in calls of at most 32, and come back in order', async () => {
    const server = await serverOf(good)
    const texts = Array.from({ length: 70 }, (_, index) => 'x'.repeat(index + 1))
    const embedded = await (await openServed(config(server.url))).embed(texts, LIVE)
    expect(embedded.ok && embedded.value.length).toBe(70)
    const calls = server.asked
      .filter((asked) => asked.path === path)
      .map((asked) => inputOf(asked).length)
    expect(calls).toEqual([32, 32, 6])
    const last = checked([vectorFor('x'.repeat(70))], { count: 1, dimensions: 8, where: '' })
    expect(embedded.ok && last.ok && embedded.value[69]).toEqual(last.ok && last.value[0])
  })

  it('[D26] waits as long as the server asks and tries again', async () => {
    const { error, server } = await fails((asked, response, count) => {
      if (count > 2) good(asked, response)
      else if (count === 1) response.writeHead(429, { 'retry-after': '7' }).end()
      else response.writeHead(503).end()
    })
    expect(error).toBeNull()
    expect(slept).toContain(7000)
    expect(server.asked.filter((asked) => asked.path === path)).toHaveLength(3)
  })

  it('[D26] gives up on a server that keeps failing', async () => {
    const { error, server } = await fails((_, response) => response.writeHead(500).end())
    expect(error).toMatchObject({ what: expect.stringContaining('500') as string })
    expect(server.asked.filter((asked) => asked.path === path)).toHaveLength(4)
  })

  it.each([
    ['a page', '<!doctype html><title>Sign in</title>', 'no JSON'],
    ['an empty answer', '', 'no JSON'],
    ['half of an answer', '{"embeddings":[[0.1', 'no JSON'],
    ['another answer', '{"ok":true}', 'no embeddings'],
    [
      'words for numbers',
      '{"embeddings":[["a"]],"data":[{"index":0,"embedding":["a"]}]}',
      'no embeddings',
    ],
    [
      'too many vectors',
      '{"embeddings":[[1],[1]],"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]}]}',
      '2 vectors',
    ],
    [
      'a vector of zeros',
      '{"embeddings":[[0,0]],"data":[{"index":0,"embedding":[0,0]}]}',
      'no direction',
    ],
    ['endless numbers', '{"embeddings":[[1e999]],"data":[{"index":0,"embedding":[1e999]}]}', 'n'],
    ['a huge answer', ' '.repeat(100_001), '100000 bytes'],
  ])('[D22] [D26] %s is refused', async (_, body, said) => {
    const { error } = await fails((__, response) => response.end(body))
    expect(error?.what).toContain(said)
    expect(error?.do).not.toBe('')
  })

  it('[D22] a server that changes the size of its vectors is refused', async () => {
    const server = await failing((asked, response, count) => {
      if (count === 1) good(asked, response)
      else {
        const vector = vectorFor('other', 5)
        sendJson(response, { embeddings: [vector], data: [{ index: 0, embedding: vector }] })
      }
    })
    const embedder = await openServed(config(server.url))
    expect((await embedder.embed(['one'], LIVE)).ok).toBe(true)
    const second = await embedder.embed(['two'], LIVE)
    expect(second).toMatchObject({
      error: { what: expect.stringContaining('5 numbers where 8') as string },
    })
  })

  it('[D26] a cut connection is a failure with words', async () => {
    const { error } = await fails((_, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('{"embe')
      setTimeout(() => response.destroy(), 5)
    })
    expect(error?.what).toMatch(/ended too early/)
  })

  it('[D26] a server that hangs is a timeout', async () => {
    const server = await failing(() => undefined)
    const embedder = await openServed(config(server.url), 150)
    const result = await embedder.embed(['one'], LIVE)
    expect(result).toMatchObject({ error: { what: expect.stringContaining('in time') as string } })
  })

  it('[D26] a cancelled call ends at once', async () => {
    const server = await failing(() => undefined)
    const embedder = await openServed(config(server.url))
    const stop = new AbortController()
    const running = embedder.embed(['one'], stop.signal)
    setTimeout(() => stop.abort(), 30)
    expect(await running).toMatchObject({ error: { what: 'cancelled' } })
  })
})

describe('what belongs to one protocol', () => {
  it('[D26] Ollama: the digest of the model is part of the id; a model that is not there is named', async () => {
    const server = await serverOf(ollamaAnswer)
    expect((await openServed(ollama(server.url))).id).toBe('ollama:nomic-embed-text:0a109f422b47')
    await expect(openServed(ollama(server.url, 'mxbai-embed-large'))).rejects.toThrow(
      'Run: ollama pull mxbai-embed-large',
    )
  })

  it('[D26] Ollama: no server at the address', async () => {
    const server = await startServer(ollamaAnswer)
    await server.close()
    await expect(openServed(ollama(server.url))).rejects.toThrow('Check that the server runs')
  })

  it('[D26] OpenAI: the key goes to the address and nowhere else', async () => {
    const thief = await serverOf(openAiAnswer)
    const server = await serverOf((_, response) =>
      response.writeHead(307, { location: `${thief.url}/v1/embeddings` }).end(),
    )
    const embedder = await openServed(openai(server.url))
    const result = await embedder.embed(['one'], LIVE)
    expect(result).toMatchObject({ ok: false })
    expect(server.asked[0]?.headers.authorization).toBe('Bearer sk-secret')
    expect(thief.asked).toEqual([])
    expect(JSON.stringify(result)).not.toContain('sk-secret')
  })

  it('[D26] OpenAI: a path of the address is kept; no key is sent where none is wanted', async () => {
    const server = await serverOf(openAiAnswer)
    const embedder = await openServed(openai(`${server.url}/api/v3/`, null))
    expect((await embedder.embed(['one'], LIVE)).ok).toBe(true)
    expect(server.asked[0]).toMatchObject({ path: '/api/v3/embeddings' })
    expect(server.asked[0]?.headers.authorization).toBeUndefined()
    expect(embedder.id).toBe(`openai:${new URL(server.url).host}:text-embedding-3-small`)
  })

  it('[D26] OpenAI: a variable without a key is said before anything is sent', async () => {
    const server = await serverOf(openAiAnswer)
    const embedders = embeddersWith({ TURNSCOPE_ALLOW_ENV: `TEST_KEY@${server.url}` })
    const opened = await embedders.open('served', settingsFor(openai(server.url)))
    expect(opened).toMatchObject({ error: { what: expect.stringContaining('TEST_KEY') as string } })
    expect(server.asked).toEqual([])
  })

  it('[D26] a server elsewhere is said to be remote, one on this machine is not', async () => {
    const list = (url: string) => embeddersWith().list(settingsFor(openai(url)))
    expect((await list('https://api.example.com/v1'))[1]).toMatchObject({ remote: true, id: null })
    expect((await list('http://localhost:11434'))[1]).toMatchObject({ remote: false })
  })
})
