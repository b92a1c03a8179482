import { describe, expect, it } from 'vitest'
import { storeConformance, valueOf } from '../../../fixtures/probe/store-conformance.ts'
import { openStore } from '../../../core/host/probe/store/drivers.ts'
import { startQdrantStandIn } from '../../../fixtures/probe/qdrant-stand-in.ts'
import { gateWith } from '../../../fixtures/trust.ts'

const KEY = 's3cret'

function entryOf(url: string) {
  const store = { kind: 'qdrant', url, collection: 'notes', keyEnv: 'KEY' } as const
  return { name: 'campaign', paths: [], store }
}

/** The key, with the operator's permission to send it there. */
function allowed(url: string, more: Record<string, string> = {}) {
  const env = { KEY, TURNSCOPE_ALLOW_ENV: `KEY@${url}`, ...more }
  return { env, trust: gateWith(env) }
}

storeConformance(
  'qdrant client against a stand-in of ours, not a Qdrant server',
  async () => {
    const server = await startQdrantStandIn(KEY)
    const entry = entryOf(server.url)
    return {
      open: async () => valueOf(await openStore({ entry, folder: '', ...allowed(server.url) })),
      end: server.close,
    }
  },
  { large: 10_000, digits: 5 },
)

describe('qdrant client against a stand-in of ours', () => {
  it('[D38] a wrong key, no key and no server are told apart, and keys are never shown', async () => {
    const server = await startQdrantStandIn(KEY)
    const open = (url: string, env: Record<string, string>) =>
      openStore({ entry: entryOf(url), folder: '', ...allowed(url, env) })
    const wrong = await open(server.url, { KEY: 'another' })
    expect(wrong).toMatchObject({ ok: false, error: { kind: 'unreachable' } })
    const none = await open(server.url, { KEY: '' })
    expect(none).toMatchObject({ ok: false, error: { kind: 'refused' } })
    await server.close()
    const gone = await open(server.url, { KEY })
    expect(gone).toMatchObject({ ok: false, error: { kind: 'unreachable' } })
    const plain = await open('http://qdrant.example:6333', { KEY })
    expect(plain).toMatchObject({ ok: false, error: { kind: 'refused' } })
    expect(JSON.stringify([wrong, none, gone, plain])).not.toMatch(/s3cret|another/u)
    if (!none.ok) expect(none.error.what).toContain('KEY')
  })
})
