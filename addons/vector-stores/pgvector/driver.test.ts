import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeConformance, valueOf } from '../../../fixtures/probe/store-conformance.ts'
import { openStore } from '../../../core/host/probe/store/drivers.ts'
import { type PgBridge, startPgBridge } from '../../../fixtures/probe/pg-bridge.ts'
import { openedGate } from '../../../fixtures/trust.ts'

const OPTIONS = { large: 10_000, digits: 5 }

function entryOf(table: string) {
  return { name: 'campaign', paths: [], store: { kind: 'pgvector', urlEnv: 'DB', table } } as const
}

let bridge: PgBridge | null = null
async function bridgeUrl(): Promise<string> {
  bridge ??= await startPgBridge()
  return bridge.url
}
afterAll(() => bridge?.close())

storeConformance(
  'pgvector 0.8 in PGlite, over the wire',
  async () => {
    const entry = entryOf('probe "chunks"')
    const env = { DB: await bridgeUrl() }
    return {
      open: async () => valueOf(await openStore({ entry, folder: '', env, trust: openedGate() })),
    }
  },
  OPTIONS,
)

const server = process.env['TURNSCOPE_TEST_PGVECTOR']
if (server === undefined) {
  describe('pgvector in a PostgreSQL server', () =>
    it.skip('needs TURNSCOPE_TEST_PGVECTOR, the URL of a server with the extension vector'))
} else {
  storeConformance(
    'pgvector in a PostgreSQL server',
    () => {
      const entry = entryOf(`turnscope_test_${randomUUID().slice(0, 8)}`)
      const env = { DB: server }
      return Promise.resolve({
        open: async () => valueOf(await openStore({ entry, folder: '', env, trust: openedGate() })),
      })
    },
    OPTIONS,
  )
}

describe('pgvector', () => {
  it('[D38] names the environment variable that is missing, and never what it holds', async () => {
    const entry = entryOf('t')
    const missing = await openStore({ entry, folder: '', env: {}, trust: openedGate() })
    expect(missing).toMatchObject({ ok: false, error: { kind: 'refused' } })
    if (!missing.ok) expect(missing.error.what).toContain('DB')
    const env = { DB: 'postgres://me:s3cret@127.0.0.1:1/none' }
    const away = await openStore({ entry, folder: '', env, trust: openedGate() })
    expect(away).toMatchObject({ ok: false, error: { kind: 'unreachable' } })
    expect(JSON.stringify(away)).not.toContain('s3cret')
  })

  it('[D62] a variable that holds something else is sent to no server and not shown', async () => {
    const env = { DB: 'wJalrXUtnFEMI/not-a-real-key' }
    const opened = await openStore({ entry: entryOf('t'), folder: '', env, trust: openedGate() })
    expect(opened).toMatchObject({ ok: false, error: { kind: 'refused' } })
    expect(JSON.stringify(opened)).not.toContain('wJalr')
  })

  describe('texts', () => {
    let url: string
    beforeAll(async () => {
      url = await bridgeUrl()
    })

    it('[D38] characters that PostgreSQL cannot keep are replaced, not fatal', async () => {
      const entry = entryOf('odd')
      const store = valueOf(
        await openStore({ entry, folder: '', env: { DB: url }, trust: openedGate() }),
      )
      const chunk = {
        filename: 'f.md',
        chunk_idx: 0,
        text: 'a\0b \uD800 \\ \' "',
        heading: null,
        lines: null,
        hash: 'h',
      }
      valueOf(await store.upsert('e', [{ chunk, vector: Float32Array.of(1, 2) }]))
      const [kept] = valueOf(await store.chunks('f.md', 0, 1))
      expect(kept?.text).toBe('a\uFFFDb \uFFFD \\ \' "')
      await store.close()
    })
  })
})
