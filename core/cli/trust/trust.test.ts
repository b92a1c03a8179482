import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { CLI } from '../../../fixtures/built.ts'
import { makeFolder, REPOSITORY } from '../../../fixtures/host.ts'
import { runCli } from '../../../fixtures/run-cli.ts'
import { distrusting } from '../../../fixtures/trust.ts'
import type { TrustState } from '../../engine/schema/trust.ts'

const ends: Array<() => void> = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function listen() {
  const heard: string[] = []
  const server = createServer((socket) => {
    heard.push('a connection')
    socket.on('error', () => undefined)
    socket.on('data', () => socket.end('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => void server.close())
  // A server on a port has an address with one.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}

const yaml = (url: string) => `collections:
  - name: notes
    paths: [notes]
    store: { kind: qdrant, url: "${url}", collection: notes }
`

async function strange() {
  const server = await listen()
  const root = makeFolder({
    'profiles/collections.yaml': yaml(server.url),
    'notes/a.md': '# A\n\nSeals.\n',
  })
  mkdirSync(join(root, 'profiles/domains'))
  cpSync(join(REPOSITORY, 'fixtures/lab/domains.yaml'), join(root, 'profiles/domains/lab.yaml'))
  const name = ['-c', 'user.name=Ada', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false']
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-qm', 'first'],
  ])
    execFileSync('git', [...name, ...args], { cwd: root, stdio: 'ignore' })
  const env = distrusting(process.env)
  const run = (...args: string[]) => runCli(args, '', CLI, env)
  const file = join(env['XDG_CONFIG_HOME'] ?? '', 'turnscope/trust.json')
  return { root, server, run, file }
}

describe('[F122] a workspace made with init', () => {
  const made = (root: string) => {
    const env = distrusting(process.env)
    execFileSync('git', ['init', '-q'], { cwd: root, stdio: 'ignore' })
    return (...args: string[]) => runCli(args, '', CLI, env)
  }

  it('[F122] is trusted with what it names, git of its repository included', async () => {
    const root = makeFolder()
    const run = made(root)
    expect((await run('trust', root, '--list')).code).toBe(1)
    const { code, out } = await run('init', root)
    expect(code).toBe(0)
    expect(out).not.toContain('not trusted')
    expect((await run('trust', root, '--list')).code).toBe(0)
  })

  it('[F122] is not trusted if it held files before', async () => {
    const root = makeFolder()
    mkdirSync(join(root, 'profiles'))
    writeFileSync(join(root, 'profiles/collections.yaml'), 'collections: []\n')
    const run = made(root)
    expect((await run('init', root)).out).toContain('it is not trusted yet')
    expect((await run('trust', root, '--list')).code).toBe(1)
  })
})

describe('[V38] trust in a terminal', () => {
  it('[V38] without trust nothing is connected to, and what was left off is said with exit code 2', async () => {
    const { root, server, run } = await strange()
    const indexed = await run('index', 'notes', '--workspace', root)
    expect(indexed).toMatchObject({ code: 2, out: '' })
    expect(indexed.err).toMatch(/restricted.*turnscope trust .*--trust/u)
    const compared = await run(
      'diff',
      '--base',
      'HEAD',
      '--head',
      'draft',
      '--domains',
      'lab',
      '--workspace',
      root,
      join(REPOSITORY, 'fixtures/sessions/st-003.jsonl'),
    )
    expect(compared).toMatchObject({ code: 2 })
    expect(compared.err).toMatch(/restricted.*git in/u)
    expect(server.heard).toEqual([])
  })

  it('[V38] --trust is for one run and keeps nothing', async () => {
    const { root, server, run, file } = await strange()
    const indexed = await run('index', 'notes', '--workspace', root, '--trust')
    expect(indexed.err).not.toContain('restricted')
    expect(server.heard.length).toBeGreaterThan(0)
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined()
    const compared = await run(
      'diff',
      '--base',
      'HEAD',
      '--head',
      'lab',
      '--domains',
      'lab',
      '--workspace',
      root,
      '--trust',
      join(REPOSITORY, 'fixtures/sessions/st-003.jsonl'),
    )
    expect(compared).toMatchObject({ code: 0, err: '' })
  })

  it('[V33] turnscope trust lists, keeps and revokes; the file is for its owner alone', async () => {
    const { root, server, run, file } = await strange()
    const looked = await run('trust', root, '--list')
    expect(looked).toMatchObject({ code: 1, err: '' })
    expect(looked.out).toContain(`off vector store (qdrant) at ${server.url}`)
    expect(looked.out).toContain('off git in')
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined()
    const trusted = await run('trust', root, '--json')
    // Our own line.
    expect(JSON.parse(trusted.out) as TrustState).toMatchObject({ standing: 'trusted' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await run('trust', '--list')).out).toContain(server.url)
    await run('index', 'notes', '--workspace', root)
    expect(server.heard.length).toBeGreaterThan(0)
    server.heard.length = 0
    const other = await listen()
    writeFileSync(join(root, 'profiles/collections.yaml'), yaml(other.url))
    expect(await run('index', 'notes', '--workspace', root)).toMatchObject({ code: 2 })
    expect(other.heard).toEqual([])
    expect((await run('trust', root, '--revoke')).out).toContain('not trusted any more')
    expect((await run('trust', root, '--list')).out).not.toContain('  on ')
    expect(readFileSync(file, 'utf8')).not.toContain(root)
  })

  it('[V36] an address on the command line is the word of who typed it; one of the workspace is not', async () => {
    const { root, server, run } = await strange()
    const session = join(root, 'session.jsonl')
    const lines = [
      { type: 'session', schemaVersion: 1, id: 's', title: 'S' },
      { kind: 'user', at: 1, text: 'go' },
      { kind: 'agent', at: 2, text: 'Implemented the importer. It should work now.' },
    ]
    writeFileSync(session, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const model = { mode: 'model', provider: 'openai-compatible', model: 'm', baseUrl: server.url }
    const limits = { inputPrice: 0, outputPrice: 0, timeoutSeconds: 5, rateLimit: 1000 }
    const chosen = { theme: 'dark', preset: 'recommended', domains: 'default', profile: null }
    const settings = { ...chosen, tourSeen: true, coach: { ...model, ...limits } }
    mkdirSync(join(root, '.turnscope'), { recursive: true })
    const state = JSON.stringify({ version: 1, settings, recent: [], folders: [] })
    writeFileSync(join(root, '.turnscope/state.json'), state)
    const named = await run('coach', session, '--model', '--workspace', root)
    expect(named).toMatchObject({ code: 2 })
    expect(named.err).toContain('restricted')
    expect(server.heard).toEqual([])
    const here = ['--model', 'm', '--provider', 'openai-compatible', '--base-url', server.url]
    await run('coach', session, ...here, '--workspace', root)
    expect(server.heard.length).toBeGreaterThan(0)
  })
})
