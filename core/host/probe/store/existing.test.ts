import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, REPOSITORY, valueOf } from '../../../../fixtures/host.ts'
import { startPgBridge } from '../../../../fixtures/probe/pg-bridge.ts'
import { startQdrantStandIn } from '../../../../fixtures/probe/qdrant-stand-in.ts'
import { probeWith, openService, QUIET, SETTINGS } from '../../../../fixtures/probe/service.ts'
import { runCli } from '../../../../fixtures/run-cli.ts'
import { openedGate } from '../../../../fixtures/trust.ts'
import type { CollectionEntry } from '../../../engine/schema/probe.ts'
import { createEmbedders } from '../embed/embedders.ts'
import { openStore } from './drivers.ts'

const LANCE = join(REPOSITORY, 'node_modules/.cache/lancedb')
const EXISTING = { text: 'body', dimensions: 2, embedder: 'theirs' }
const ROWS = [
  { id: 'one', body: 'The keeper feeds grey seals', meta: { source: 'farne.md' }, v: [1, 0.1] },
  { id: 'two', body: 'Bread needs eighteen hours', meta: { source: 'bread.md' }, v: [0.1, 1] },
]
const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

type Store = NonNullable<CollectionEntry['store']>

async function open(store: Store, env: Record<string, string> = {}) {
  const entry = { name: 'notes', paths: [], store }
  return await openStore({ entry, folder: makeFolder(), env, trust: openedGate() })
}

/** Searches, and is refused every change. */
async function expectReadOnly(store: Store, env: Record<string, string> = {}) {
  const opened = valueOf(await open(store, env))
  expect(valueOf(await opened.stats())).toMatchObject({
    embedder: 'theirs',
    dimensions: 2,
    chunks: 2,
  })
  const query = { text: 'grey seals', vector: Float32Array.of(1, 0) }
  const [found = []] = valueOf(await opened.search([query], { k: 1 }))
  expect(found[0]).toMatchObject({
    chunk_text: 'The keeper feeds grey seals',
    filename: 'farne.md',
    lexical: 1,
  })
  expect(found[0]?.similarity).toBeCloseTo(0.995, 3)
  const chunk = { filename: 'x', chunk_idx: 0, text: 't', heading: null, lines: null, hash: 'h' }
  const batch = [{ chunk, vector: Float32Array.of(1, 2) }]
  for (const answer of [await opened.upsert('theirs', batch), await opened.remove(['farne.md'])])
    expect(answer).toMatchObject({ ok: false, error: { kind: 'refused' } })
  const longer = { text: 'x', vector: Float32Array.of(1, 2, 3) }
  expect(await opened.search([longer], { k: 1 })).toMatchObject({ ok: false })
  expect(valueOf(await opened.stats()).chunks).toBe(2)
  await opened.close()
}

test('[D73] JSON lines of text and vector are searched as they are', async () => {
  const path = join(makeFolder({ 'v.jsonl': lines(ROWS) }), 'v.jsonl')
  const existing = { ...EXISTING, vector: 'v', file: 'meta.source' }
  await expectReadOnly({ kind: 'file', path, existing })
  expect(readFileSync(path, 'utf8')).toBe(lines(ROWS))
})

test.each([
  ['{"body":"x","v":[1,2,3]}', /line 1: no vector of 2 numbers/u],
  ['{"body":"x","v":[1,"2"]}', /line 1: no vector of 2 numbers/u],
  ['\n{"body":', /line 2: not valid JSON/u],
])('[D73] %j is refused with its line', async (text, words) => {
  const path = join(makeFolder({ 'v.jsonl': text }), 'v.jsonl')
  const opened = await open({ kind: 'file', path, existing: { ...EXISTING, vector: 'v' } })
  expect(opened.ok ? '' : opened.error.what).toMatch(words)
})

test('[D73] a field that holds no text, and a file that is not there, are said', async () => {
  const path = join(makeFolder({ 'v.jsonl': lines(ROWS) }), 'v.jsonl')
  const existing = { ...EXISTING, text: 'meta.none', vector: 'v' }
  const opened = valueOf(await open({ kind: 'file', path, existing }))
  const found = await opened.search([{ text: 'a', vector: Float32Array.of(1, 0) }], { k: 1 })
  expect(found.ok ? '' : found.error.what).toContain('"meta.none" of record one is no text')
  const gone = await open({ kind: 'file', path: `${path}.gone`, existing })
  expect(gone).toMatchObject({ ok: false, error: { kind: 'unreachable' } })
})

test('[D73] a table of PostgreSQL that somebody else made', async () => {
  const bridge = await startPgBridge()
  const { ask } = bridge
  await ask('CREATE EXTENSION vector')
  await ask('CREATE TABLE docs (id text, body text, meta jsonb, v vector(2))')
  for (const { id, body, meta, v } of ROWS)
    await ask(
      `INSERT INTO docs VALUES ('${id}', '${body}', '${JSON.stringify(meta)}', '[${v.join(',')}]')`,
    )
  const existing = { ...EXISTING, vector: 'v', file: 'meta.source' }
  const store = { kind: 'pgvector', urlEnv: 'DB', table: 'docs', existing } as const
  await expectReadOnly(store, { DB: bridge.url })
  expect(await ask(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([
    { tablename: 'docs' },
  ])
  const wrong = { ...store, existing: { ...existing, dimensions: 3 } }
  const stats = await valueOf(await open(wrong, { DB: bridge.url })).stats()
  expect(stats.ok ? '' : stats.error.what).toContain('2 dimensions, not 3')
  await bridge.close()
})

test('[D73] a Qdrant collection that somebody else made', async () => {
  const server = await startQdrantStandIn(null)
  const put = async (path: string, body: unknown) =>
    await fetch(`${server.url}/collections/${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await put('docs', { vectors: { v: { size: 2, distance: 'Cosine' } } })
  const points = ROWS.map(({ v, ...payload }, at) => ({ id: at + 1, vector: { v }, payload }))
  await put('docs/points', { points })
  const existing = { ...EXISTING, vector: 'v', file: 'meta.source' }
  await expectReadOnly({ kind: 'qdrant', url: server.url, collection: 'docs', existing })
  const made = await fetch(`${server.url}/collections/docs_store/exists`)
  expect(await made.json()).toMatchObject({ result: { exists: false } })
  await server.close()
})

test.skipIf(!existsSync(join(LANCE, 'node_modules/@lancedb/lancedb')))(
  '[D73] a LanceDB table that somebody else made',
  async () => {
    const uri = makeFolder()
    // The package is not in the lock file, so it is loaded as the driver loads it.
    const lance = createRequire(join(LANCE, 'x.js'))('@lancedb/lancedb') as {
      connect(
        uri: string,
      ): Promise<{ createTable(name: string, rows: readonly object[]): Promise<unknown> }>
    }
    const connection = await lance.connect(uri)
    const rows = ROWS.map(({ v, meta, ...rest }) => ({ ...rest, source: meta.source, vector: v }))
    await connection.createTable('docs', rows)
    const existing = { ...EXISTING, file: 'source' }
    await expectReadOnly(
      { kind: 'lancedb', uri, table: 'docs', existing },
      { TURNSCOPE_LANCEDB: LANCE },
    )
  },
)

test('[D73] the probe, the list and the command line read a file that a workspace declares; index leaves it', async () => {
  const embedders = createEmbedders({
    shipped: REPOSITORY,
    modelsDir: makeFolder(),
    env: {},
    trust: openedGate(),
  })
  const embedder = valueOf(await embedders.open('minilm', SETTINGS))
  const texts = ['The lighthouse keeper of Farne feeds grey seals', 'Sourdough needs a cool larder']
  const vectors = valueOf(await embedder.embed(texts, QUIET.signal))
  await embedders.close()
  const rows = texts.map((text, at) => ({ text, embedding: [...(vectors[at] ?? [])] }))
  const existing = { text: 'text', dimensions: 384, embedder: embedder.id }
  const store = JSON.stringify({ kind: 'file', path: 'vectors.jsonl', existing })
  const root = makeFolder({
    'vectors.jsonl': lines(rows),
    'profiles/collections.yaml': `collections:\n  - name: notes\n    paths: []\n    store: ${store}\n`,
  })
  const service = openService(root)
  const list = valueOf(await service.collections(SETTINGS, QUIET.signal))
  expect(JSON.stringify(list)).toContain('"state":"ready"')
  const result = await probeWith(service, 'Who is the lighthouse keeper of Farne these days?')
  expect(JSON.stringify(result)).toContain('feeds grey seals')
  const request = { collection: 'notes', paths: [], rebuild: true }
  const indexed = await service.index(request, SETTINGS, QUIET)
  expect(indexed.ok ? '' : indexed.error.what).toContain('never written')
  valueOf(await service.remove('notes'))
  expect(readFileSync(join(root, 'vectors.jsonl'), 'utf8')).toBe(lines(rows))
  await service.close()
})

test('[D73] turnscope probe reads it too', async () => {
  const existing = { text: 'text', dimensions: 3, embedder: 'another' }
  const store = JSON.stringify({ kind: 'file', path: 'vectors.jsonl', existing })
  const root = makeFolder({
    'vectors.jsonl': lines([{ text: 'a', embedding: [1, 2, 3] }]),
    'profiles/collections.yaml': `collections:\n  - name: notes\n    paths: []\n    store: ${store}\n`,
  })
  const { err } = await runCli(['probe', 'Who keeps the lighthouse of Farne?', '--workspace', root])
  expect(err).toMatch(/another/u)
})
