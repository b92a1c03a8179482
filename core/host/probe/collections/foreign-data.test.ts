import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFolder, REPOSITORY, valueOf } from '../../../../fixtures/host.ts'
import { startPgBridge } from '../../../../fixtures/probe/pg-bridge.ts'
import { startQdrantStandIn } from '../../../../fixtures/probe/qdrant-stand-in.ts'
import { BREAD, QUIET, SEALS, SETTINGS } from '../../../../fixtures/probe/service.ts'
import { openedGate } from '../../../../fixtures/trust.ts'
import { openProbe } from '../open.ts'

const LANCE = join(REPOSITORY, 'node_modules/.cache/lancedb')
const REQUEST = { collection: 'notes', paths: [] }

/** A workspace whose collection `notes` names this store. */
function openWith(store: object, env: Record<string, string> = {}, text = SEALS) {
  const root = makeFolder({
    'profiles/collections.yaml': `collections:\n  - name: notes\n    paths: [notes]\n    store: ${JSON.stringify(store)}\n`,
    'notes/a.md': text,
  })
  const stateDir = makeFolder()
  const trust = openedGate(root).place
  const service = openProbe({ workspace: root, shipped: REPOSITORY, stateDir, env, trust })
  const index = (rebuild = false) => service.index({ ...REQUEST, rebuild }, SETTINGS, QUIET)
  return { root, service, index }
}

/** Lists, indexes and rebuilds. Every attempt is refused with advice for the user. */
async function expectRefused({ service, index }: ReturnType<typeof openWith>, name: string) {
  await service.collections(SETTINGS, QUIET.signal)
  for (const answer of [await index(), await index(true)]) {
    expect(answer.ok).toBe(false)
    if (answer.ok) continue
    expect(answer.error.what).toContain(name)
    expect(answer.error.where).toBe('store of notes')
    expect(answer.error.do).toMatch(/another name/u)
    expect(answer.error.do).toMatch(/delete .* yourself/u)
  }
}

async function qdrant() {
  const server = await startQdrantStandIn(null)
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${server.url}/collections/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    return (await answer.json()) as { readonly result: unknown }
  }
  const make = async (name: string) => {
    await ask('PUT', name, { vectors: { text: { size: 2, distance: 'Cosine' } } })
    const points = [{ id: 1, vector: { text: [1, 0] }, payload: { mine: 'precious' } }]
    await ask('PUT', `${name}/points`, { points })
  }
  const payloads = (name: string) => ask('POST', `${name}/points`, { ids: [1] })
  const exists = (name: string) => ask('GET', `${name}/exists`)
  const store = { kind: 'qdrant', url: server.url, collection: 'customers' }
  return { ...server, make, payloads, exists, store }
}

describe('[D61] a Qdrant collection that Turnscope did not make', () => {
  test.each(['customers', 'customers_store'])(
    '%s is never deleted or overwritten',
    async (name) => {
      const server = await qdrant()
      await server.make(name)
      const before = await server.payloads(name)
      const here = openWith(server.store)
      await expectRefused(here, name)
      expect((await server.payloads(name)).result).toEqual(before.result)
      const other = name === 'customers' ? 'customers_store' : 'customers'
      expect((await server.exists(other)).result).toEqual({ exists: false })
      await here.service.close()
      await server.close()
    },
  )

  test('listing makes nothing on the server', async () => {
    const server = await qdrant()
    const here = openWith(server.store)
    await here.service.collections(SETTINGS, QUIET.signal)
    expect((await server.exists('customers_store')).result).toEqual({ exists: false })
    await here.service.close()
    await server.close()
  })

  test('that of another workspace can be read; index, rebuild and a guessed manifest leave it', async () => {
    const server = await qdrant()
    const mine = openWith(server.store)
    expect(valueOf(await mine.index())).toMatchObject({ documents: 1 })
    expect(valueOf(await mine.index(true))).toMatchObject({ documents: 1 })
    const stats = async () =>
      valueOf(await valueOf(await valueOf(await mine.service.get('notes')).store()).stats())
    const before = await stats()
    const theirs = openWith(server.store, {}, BREAD)
    await expectRefused(theirs, 'customers')
    const stored = valueOf(await theirs.service.get('notes'))
    const manifest = await valueOf(await mine.service.get('notes')).manifest()
    if (manifest === null || manifest === 'damaged') throw new Error('no manifest')
    await stored.save({ ...manifest, storeVersion: 'guessed.1' })
    await expectRefused(theirs, 'customers')
    valueOf(await theirs.service.remove('notes'))
    expect(await stats()).toEqual(before)
    await Promise.all([mine.service.close(), theirs.service.close()])
    await server.close()
  })
})

describe('[D61] a PostgreSQL table that Turnscope did not make', () => {
  test.each(['customers', 'customers_store'])(
    '%s is never deleted or overwritten',
    async (name) => {
      const bridge = await startPgBridge()
      const { ask } = bridge
      // The columns accept data that is written without a check first.
      await ask(`CREATE TABLE ${name} (id int PRIMARY KEY, filename text, b int, c bigint DEFAULT 0, d uuid,
      chunks bigint DEFAULT 0)`)
      await ask(`INSERT INTO ${name} (id, filename) VALUES (7, 'a.md')`)
      const before = await ask(`SELECT * FROM ${name}`)
      const store = { kind: 'pgvector', urlEnv: 'DB', table: 'customers' }
      const here = openWith(store, { DB: bridge.url })
      await expectRefused(here, name)
      expect(await ask(`SELECT * FROM ${name}`)).toEqual(before)
      const tables = await ask(`SELECT tablename FROM pg_tables WHERE tablename LIKE 'customers%'`)
      expect(tables).toEqual([{ tablename: name }])
      await here.service.close()
      await bridge.close()
    },
  )
})

describe('[D61] a LanceDB table that Turnscope did not make', () => {
  test.skipIf(!existsSync(join(LANCE, 'node_modules/@lancedb/lancedb')))(
    'is never deleted or overwritten',
    async () => {
      const uri = makeFolder()
      // The package is not in the lock file, so it is loaded as the driver loads it.
      const lance = createRequire(join(LANCE, 'x.js'))('@lancedb/lancedb') as {
        connect(uri: string): Promise<{
          createTable(name: string, rows: object[]): Promise<unknown>
          openTable(name: string): Promise<{ countRows(): Promise<number> }>
        }>
      }
      const connection = await lance.connect(uri)
      await connection.createTable('customers', [{ filename: 'a.md', vector: [1, 2] }])
      const env = { TURNSCOPE_LANCEDB: LANCE }
      const here = openWith({ kind: 'lancedb', uri, table: 'customers' }, env)
      await expectRefused(here, 'customers')
      expect(await (await connection.openTable('customers')).countRows()).toBe(1)
      await here.service.close()
    },
  )
})

test('[D61] what was indexed here and lost its list of documents is not taken for ours', async () => {
  const server = await qdrant()
  const here = openWith(server.store)
  valueOf(await here.index())
  rmSync(join(here.root, '.turnscope'), { recursive: true })
  await expectRefused(here, 'customers')
  await here.service.close()
  await server.close()
})

test.each(['.turnscope/vectors', '.turnscope/vectors/notes'])(
  '[D61] a workspace whose %s is a link does not get its target emptied',
  async (link) => {
    const precious = makeFolder({ 'a.txt': 'precious', 'notes/a.txt': 'precious' })
    const here = openWith({ kind: 'local' })
    mkdirSync(dirname(join(here.root, link)), { recursive: true })
    symlinkSync(precious, join(here.root, link))
    for (const answer of [await here.index(), await here.index(true)]) {
      expect(answer.ok).toBe(false)
      if (!answer.ok) expect(answer.error.what).toContain('is a link')
    }
    expect((await here.service.remove('notes')).ok).toBe(false)
    expect(readdirSync(precious, { recursive: true }).toSorted()).toEqual([
      'a.txt',
      'notes',
      'notes/a.txt',
    ])
    await here.service.close()
  },
)
