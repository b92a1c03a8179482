import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Embedder } from '../../engine/probe/ports.ts'
import { ok } from '../../engine/result.ts'
import { makeFolder, valueOf } from '../../../fixtures/host.ts'
import {
  ollamaAnswer,
  sendJson,
  startServer,
  type TestServer,
} from '../../../fixtures/probe/embed-servers.ts'
import { trustNow } from '../../../fixtures/trust.ts'
import { indexIfNeeded } from './service.ts'
import { type SessionQuestion, createProbeSessions } from './sessions/sessions.ts'
import {
  BREAD,
  makeService,
  openService,
  QUIET,
  SEALS,
  SETTINGS,
} from '../../../fixtures/probe/service.ts'

// A real server that speaks Ollama's protocol, and can be taken down.
let isDown = false
let server: TestServer
beforeAll(async () => {
  server = await startServer((asked, response) => {
    if (isDown) sendJson(response, { error: 'the model was unloaded' }, 404)
    else ollamaAnswer(asked, response)
  })
})
afterAll(async () => {
  await server.close()
})

const WORK = { ...QUIET, probed: () => undefined }

test('[L28] [L27] an embedder that is down is an error of the turns, nothing is remembered, and all is asked again', async () => {
  const { url } = server
  const config = { kind: 'ollama', title: 'Served', url, model: 'nomic-embed-text' } as const
  const settings = { ...SETTINGS, embedder: 'served', embedders: { served: config } }
  const here = makeService({ 'seals.md': SEALS, 'bread.md': BREAD }, settings)
  await trustNow(here.root, process.env, settings)
  valueOf(await here.index('notes'))
  const sessions = createProbeSessions(here.service)
  const messages = [
    { seq: 0, text: 'Who feeds the grey seals of Farne?' },
    { seq: 3, text: 'And is it cold in Farne today?' },
  ]
  const question: SessionQuestion = {
    key: 'k',
    session: 0,
    preset: 'literal',
    options: { threshold: -1 },
    settings,
    messages,
    samples: true,
  }
  isDown = true
  const failed = valueOf(await sessions.columns(question, WORK)).columns
  expect(failed.errors).toEqual([1, 1])
  expect(failed.hits).toEqual([0, 0])
  const turn = valueOf(await sessions.turn(question, 3, WORK))
  expect(turn?.result.errors[0]).toMatchObject({ collection: null })
  expect(turn?.result.from_cache).toBe(0)
  expect(turn?.cache.size).toBe(0)

  isDown = false
  // Viewing a turn shows the recorded result. Only a repeated request for the session probes again.
  expect(valueOf(await sessions.turn(question, 3, WORK))?.result.errors).toHaveLength(1)
  const again = valueOf(await sessions.columns(question, WORK)).columns
  expect(again.errors).toEqual([0, 0])
  expect(again.hits.every((hits) => hits > 0)).toBe(true)
  expect(again.cached[0]).toBe(0)
  expect(again.cached[1]).toBeGreaterThan(0)
  await here.service.close()
})

test('[D48] texts leave the machine only when somebody says so: nothing is indexed by itself', async () => {
  const texts: string[] = []
  const remote: Embedder = {
    id: 'remote',
    dimensions: 8,
    threshold: null,
    remote: true,
    embed: (asked) => {
      texts.push(...asked)
      return Promise.resolve(ok(asked.map(() => new Float32Array([1, 0, 0, 0, 0, 0, 0, 0]))))
    },
  }
  const service = openService(makeFolder())
  try {
    const sample = valueOf(await service.get('system'))
    const indexing = { ...QUIET, embedder: remote, rebuild: false, clock: () => 0 }
    valueOf(await indexIfNeeded(sample, indexing))
    expect(texts).toEqual([])
    valueOf(await indexIfNeeded(sample, { ...indexing, embedder: { ...remote, remote: false } }))
    expect(texts.length).toBeGreaterThan(60)
  } finally {
    await service.close()
  }
})
