import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { ProbeSettings } from '../../engine/schema/probe-settings.ts'
import { makeFolder, REPOSITORY, valueOf } from '../../../fixtures/host.ts'
import { QUIET, SETTINGS } from '../../../fixtures/probe/service.ts'
import { distrusting, trustNow } from '../../../fixtures/trust.ts'
import { openProbe } from './open.ts'

const SECRET = 'wJalrXUtnFEMI-not-a-real-key'
const closing: Array<() => void> = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server that records its requests. If an address is given, it redirects all requests there. */
async function listen(to?: string) {
  const heard: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    heard.push(request.headers)
    response.writeHead(to === undefined ? 500 : 307, to === undefined ? {} : { location: to })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server on a port has an address with one.
  const { port } = server.address() as AddressInfo
  const leaked = () => JSON.stringify(heard).includes(SECRET)
  return { url: `http://127.0.0.1:${port}`, heard, leaked }
}

const yaml = (url: string) => `collections:
  - name: notes
    paths: [notes]
    store: { kind: qdrant, url: "${url}", collection: notes, keyEnv: AWS_SECRET_ACCESS_KEY }
`

/** State that a workspace can bring along: `.turnscope` comes with it. */
function embedderOf(url: string): ProbeSettings {
  const config = { kind: 'openai', title: 'X', url, model: 'm', keyEnv: 'AWS_SECRET_ACCESS_KEY' }
  return { ...SETTINGS, embedder: 'x', embedders: { x: { ...config, kind: 'openai' } } }
}

async function ask(url: string, env: Record<string, string>, isTrusted = false) {
  const root = makeFolder({
    'profiles/collections.yaml': yaml(url),
    'notes/a.md': '# A\n\nSeals.\n',
  })
  const whole = { ...distrusting(), AWS_SECRET_ACCESS_KEY: SECRET, ...env }
  if (isTrusted) await trustNow(root, whole, embedderOf(url))
  const stateDir = join(root, '.turnscope')
  const service = openProbe({ workspace: root, shipped: REPOSITORY, stateDir, env: whole })
  const listed = valueOf(await service.collections(SETTINGS, QUIET.signal))
  const embedder = await service.embedder('x', embedderOf(url))
  const embedded = embedder.ok
    ? await embedder.value.embed(['a text'], new AbortController().signal)
    : embedder
  await service.close()
  const problem = listed.find(({ name }) => name === 'notes')?.problem ?? ''
  return { problem, embedded }
}

describe('[D62] a variable is sent nowhere that the person did not allow', () => {
  test.each([
    ['nothing allowed', () => ''],
    ['another variable', (url: string) => `HOME@${url}`],
    ['another address', () => 'AWS_SECRET_ACCESS_KEY@http://127.0.0.1:9'],
    ['an address that begins alike', (url: string) => `AWS_SECRET_ACCESS_KEY@${url}0`],
    ['any address', () => 'AWS_SECRET_ACCESS_KEY@*,AWS_SECRET_ACCESS_KEY'],
  ])('%s', async (_, allowed) => {
    const server = await listen()
    const { problem, embedded } = await ask(server.url, {
      TURNSCOPE_ALLOW_ENV: allowed(server.url),
    })
    expect(server.heard).toEqual([])
    const way = 'turnscope trust '
    expect(problem).toContain(way)
    expect(embedded.ok).toBe(false)
    if (!embedded.ok) {
      expect(embedded.error.what).toContain('AWS_SECRET_ACCESS_KEY')
      expect(embedded.error.what).toContain(server.url)
      expect(embedded.error.do).toContain(way)
    }
  })

  test('what was allowed by a variable or by the trust file of the person is sent', async () => {
    const server = await listen()
    const pair = `AWS_SECRET_ACCESS_KEY@${server.url}`
    await ask(server.url, { TURNSCOPE_ALLOW_ENV: `X@https://example.org, ${pair}` })
    expect(server.leaked()).toBe(true)
    const other = await listen()
    const config = makeFolder({
      'turnscope/trust.json': JSON.stringify({
        version: 1,
        variables: [{ name: 'AWS_SECRET_ACCESS_KEY', address: other.url }],
      }),
    })
    await ask(other.url, { XDG_CONFIG_HOME: config })
    expect(other.leaked()).toBe(true)
  })

  test('what a person trusts a workspace with is sent, also by the embedder', async () => {
    const server = await listen()
    const { embedded } = await ask(server.url, {}, true)
    expect(server.leaked()).toBe(true)
    expect(embedded.ok).toBe(false)
    expect(server.heard.length).toBeGreaterThan(1)
  })

  test('not over plain http to another machine, even where that was allowed', async () => {
    const url = 'http://qdrant.example:6333'
    const { problem, embedded } = await ask(url, {
      TURNSCOPE_ALLOW_ENV: `AWS_SECRET_ACCESS_KEY@${url}`,
    })
    expect(problem).toContain('unencrypted')
    expect(!embedded.ok && embedded.error.what).toContain('unencrypted')
  })

  test('a redirect carries no key', async () => {
    const thief = await listen()
    const server = await listen(`${thief.url}/collections/notes_store/exists`)
    await ask(server.url, { TURNSCOPE_ALLOW_ENV: `AWS_SECRET_ACCESS_KEY@${server.url}` })
    expect(server.leaked()).toBe(true)
    expect(thief.leaked()).toBe(false)
  })
})
