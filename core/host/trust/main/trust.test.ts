import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { CONFIG, collect, makeFolder, openIn, REPOSITORY } from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'
import { portPair } from '../../../../fixtures/port-pair.ts'
import { distrusting } from '../../../../fixtures/trust.ts'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import { type Client, connect } from '../../../wire/rpc.ts'

const ends: Array<() => void | Promise<void>> = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** A listener that counts who connects; it answers nothing that any of them understands. */
async function listen() {
  const heard: string[] = []
  const server = createServer((socket) => {
    heard.push('a connection')
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      heard.push(data.toString('latin1').slice(0, 200))
      socket.end('HTTP/1.1 500 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => void server.close())
  // A server on a port has an address with one.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, heard }
}
type Listener = Awaited<ReturnType<typeof listen>>

interface Servers {
  readonly qdrant: Listener
  readonly postgres: Listener
  readonly ollama: Listener
  readonly openai: Listener
  readonly coach: Listener
}

const collections = (qdrant: string) => `collections:
  - name: mine
    paths: [notes]
  - name: qdrant
    paths: [notes]
    store: { kind: qdrant, url: "${qdrant}", collection: notes }
  - name: postgres
    paths: [notes]
    store: { kind: pgvector, urlEnv: DATABASE_URL, table: notes }
`

/** Content of an untrusted `.turnscope`: remote embedders in use, and a coach that calls a model. */
function stateOf({ ollama, openai, coach }: Servers): string {
  const embedders = {
    served: { kind: 'ollama', title: 'Served', url: ollama.url, model: 'm' },
    keyed: { kind: 'openai', title: 'Keyed', url: openai.url, model: 'm', keyEnv: 'SECRET' },
  }
  const probe = { embedder: 'minilm', auto: true, embedders, measured: {} }
  const model = { mode: 'model', provider: 'openai-compatible', baseUrl: coach.url, model: 'm' }
  const limits = { inputPrice: 0, outputPrice: 0, timeoutSeconds: 5, rateLimit: 1000 }
  const chosen = { theme: 'dark', preset: 'recommended', domains: 'lab', profile: null }
  const settings = { ...chosen, tourSeen: true, coach: { ...model, ...limits }, probe }
  return JSON.stringify({ version: 1, settings, recent: [], folders: [] })
}

const SESSION = [
  { type: 'session', schemaVersion: 1, id: 's1', title: 'A session' },
  { kind: 'user', at: 1, text: 'Who feeds the grey seals of Farne?' },
  { kind: 'agent', at: 2, text: 'Implemented the importer. It should work now.' },
]

/** A workspace that a colleague sent, in a repository whose hooks and settings run a program. */
async function strange() {
  const servers: Servers = {
    qdrant: await listen(),
    postgres: await listen(),
    ollama: await listen(),
    openai: await listen(),
    coach: await listen(),
  }
  const root = makeFolder({
    'profiles/collections.yaml': collections(servers.qdrant.url),
    'notes/seals.md': '# Farne\n\nThe lighthouse keeper feeds grey seals every morning.\n',
    '.turnscope/state.json': stateOf(servers),
    'session.jsonl': SESSION.map((line) => `${JSON.stringify(line)}\n`).join(''),
  })
  mkdirSync(join(root, 'profiles/domains'))
  cpSync(join(REPOSITORY, 'fixtures/lab/domains.yaml'), join(root, 'profiles/domains/lab.yaml'))
  const name = ['-c', 'user.name=Ada', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false']
  for (const args of [
    ['init', '-q'],
    ['add', 'profiles'],
    ['commit', '-qm', 'first'],
  ])
    execFileSync('git', [...name, ...args], { cwd: root, stdio: 'ignore' })
  const bin = makeFolder()
  // A `git` that comes first in PATH and says that it was started.
  const started = join(bin, 'started')
  const real = execFileSync('which', ['git']).toString().trim()
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho run >> ${started}\nexec ${real} "$@"\n`)
  chmodSync(join(bin, 'git'), 0o755)
  const database = `postgres://me:pw@127.0.0.1:${servers.postgres.port}/db`
  const env = distrusting({ ...process.env, DATABASE_URL: database, SECRET: 'not-a-real-key' })
  return { root, servers, env, started, bin }
}
type Strange = Awaited<ReturnType<typeof strange>>

/** A window on a host over it. */
function open({ root, env }: Strange) {
  const stateDir = join(root, '.turnscope')
  const host = makeHostHere({ workspace: root, stateDir, env, say: () => undefined })
  const window = () => {
    const { left, right } = portPair()
    host.mount(left)
    return connect<TurnscopeContract>(right)
  }
  ends.push(() => host.close())
  return { client: window(), window }
}

/** Everything in a window that could reach out: lists, indexes, probes, judges, looks into history. */
async function useAll(client: Client<TurnscopeContract>, root: string) {
  const opened = await openIn(client, { kind: 'path', path: join(root, 'session.jsonl') })
  const of = { key: opened.key, session: 0 }
  const config = { ...CONFIG, domains: 'lab' }
  const { collections: listed } = await client.call('probe.collections', {})
  const failed: string[] = []
  const tried = async (work: Promise<unknown>) => {
    await work.catch((error: unknown) => failed.push(String(error)))
  }
  for (const collection of ['mine', 'qdrant', 'postgres'])
    await tried(collect(client, 'probe.index', { collection, paths: [], rebuild: false }))
  const question = { text: 'the grey seals of Farne', preset: 'recommended', options: {} }
  const own = await client.call('probe.text', { ...question, embedder: null })
  for (const embedder of ['served', 'keyed']) {
    const { errors } = await client.call('probe.text', { ...question, embedder })
    failed.push(...errors.map(({ what }) => what))
  }
  const judged = (await collect(client, 'coach.run', { ...of, seqs: null })).at(-1)
  const tested = await client.call('coach.test', {})
  const { revisions, problem } = await client.call('git.revisions', { config })
  return { listed, failed, own, judged, tested, revisions, problem }
}

const heard = ({ servers }: Strange) =>
  Object.entries(servers).flatMap(([name, each]: [string, Listener]) =>
    each.heard.length > 0 ? [name] : [],
  )

describe('a workspace that somebody else made', () => {
  it('[V30] [V35] opens no connection and starts no program, and says what is off', async () => {
    const one = await strange()
    const path = process.env['PATH']
    process.env['PATH'] = `${one.bin}:${path ?? ''}`
    ends.push(() => void (process.env['PATH'] = path))
    const { client } = open(one)
    const state = await client.call('trust.state', {})
    expect(state).toMatchObject({ standing: 'restricted', known: false, problem: null })
    expect(state.items.map(({ by }) => by)).toEqual([
      'qdrant',
      'pgvector',
      'ollama',
      'openai',
      'openai-compatible',
      'git',
    ])
    const { listed, failed, own, judged, tested, ...git } = await useAll(client, one.root)
    expect(heard(one)).toEqual([])
    expect(existsSync(one.started)).toBe(false)
    expect(git.revisions).toEqual([])
    expect(git.problem).toMatch(/restricted.*turnscope trust/u)
    expect(listed.map(({ name, state: is }) => [name, is])).toEqual([
      ['mine', 'empty'],
      ['qdrant', 'restricted'],
      ['postgres', 'restricted'],
    ])
    expect(failed).toHaveLength(4)
    for (const each of failed) expect(each).toContain('you have not trusted this workspace')
    expect(judged).toMatchObject({ kind: 'done', calls: 0, failure: { kind: 'restricted' } })
    expect(tested).toMatchObject({ ok: false, failure: { kind: 'restricted' } })
    // The local store and the shipped embedder work as always.
    expect(own.hits[0]?.collection).toBe('mine')
    expect(own.errors.map(({ collection }) => collection)).toEqual(['qdrant', 'postgres'])
  })

  it('[V33] [V34] after the answer all of it is on; another address is asked about again, and revoking ends it', async () => {
    const one = await strange()
    const { client, window } = open(one)
    const { digest } = await client.call('trust.state', {})
    await expect(client.call('trust.grant', { digest: 'another list' })).rejects.toThrow(
      'nothing was allowed',
    )
    expect(await client.call('trust.grant', { digest })).toMatchObject({ standing: 'trusted' })
    const { revisions } = await useAll(client, one.root)
    expect(heard(one)).toEqual(['qdrant', 'postgres', 'ollama', 'openai', 'coach'])
    expect(revisions).toHaveLength(1)
    // Another window and the next start know it.
    expect(await window().call('trust.state', {})).toMatchObject({ standing: 'trusted' })

    const other = await listen()
    writeFileSync(join(one.root, 'profiles/collections.yaml'), collections(other.url))
    const again = await client.call('trust.state', {})
    expect(again).toMatchObject({ standing: 'restricted', known: true })
    expect(again.items.filter(({ granted }) => !granted)).toMatchObject([{ address: other.url }])
    const { collections: listed } = await client.call('probe.collections', {})
    expect(listed.find(({ name }) => name === 'qdrant')?.state).toBe('restricted')
    expect(other.heard).toEqual([])

    for (const each of Object.values<Listener>({ ...one.servers })) each.heard.length = 0
    expect(await client.call('trust.revoke', {})).toMatchObject({ standing: 'restricted' })
    await useAll(client, one.root)
    expect(heard(one)).toEqual([])
    expect(other.heard).toEqual([])
  })

  it('[V36] what a person enters in a window is allowed; in a restricted workspace it waits', async () => {
    const root = makeFolder({ 'notes/a.md': '# A\n' })
    const env = distrusting()
    const stateDir = join(root, '.turnscope')
    const host = makeHostHere({ workspace: root, stateDir, env, say: () => undefined })
    ends.push(() => host.close())
    const { left, right } = portPair()
    host.mount(left)
    const client = connect<TurnscopeContract>(right)
    expect(await client.call('trust.state', {})).toMatchObject({ standing: 'plain', items: [] })
    const config = { kind: 'ollama', title: 'Mine', url: 'http://127.0.0.1:9', model: 'm' } as const
    await client.call('probe.addEmbedder', { config })
    expect(await client.call('trust.state', {})).toMatchObject({
      standing: 'trusted',
      items: [{ kind: 'embedder', address: config.url, granted: true }],
    })
    // A file of the workspace now names an item, so there is a question. A newly entered item becomes part of it.
    mkdirSync(join(root, 'profiles'))
    writeFileSync(join(root, 'profiles/collections.yaml'), collections('http://127.0.0.1:8'))
    await client.call('probe.addEmbedder', { config: { ...config, url: 'http://127.0.0.1:7' } })
    const { items } = await client.call('trust.state', {})
    expect(items.filter(({ granted }) => granted)).toMatchObject([{ address: config.url }])
    expect(items.filter(({ granted }) => !granted)).toHaveLength(3)
  })

  it('[V32] nothing is asked about what belongs to Turnscope', async () => {
    const host = makeHostHere({ say: () => undefined, env: distrusting() })
    ends.push(() => host.close())
    const { left, right } = portPair()
    host.mount(left)
    const client = connect<TurnscopeContract>(right)
    expect(await client.call('trust.state', {})).toMatchObject({ standing: 'own' })
    const made = await strange()
    const own = makeHostHere({ workspace: made.root, isOwnWorkspace: true, env: made.env })
    ends.push(() => own.close())
    const pair = portPair()
    own.mount(pair.left)
    const state = await connect<TurnscopeContract>(pair.right).call('trust.state', {})
    expect(state.standing).toBe('own')
  })
})
