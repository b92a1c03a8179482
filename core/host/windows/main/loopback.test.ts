import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyOf } from '../../../../fixtures/key.ts'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { Client } from '../../../wire/rpc.ts'
import type { Host } from '../../entries/host.ts'
import { openDoor } from './door.ts'
import { type Served, serveLoopback } from './loopback.ts'
import {
  clientOf,
  collect,
  CONFIG,
  makeFolder,
  makeHost,
  makeSession,
  openIn,
  openSocket,
  replayIn,
} from '../../../../fixtures/host.ts'

const root = makeFolder({
  'site/index.html': '<!doctype html><title>Turnscope</title>',
  'site/assets/app.js': 'export {}',
  'site/.hidden': 'secret',
  'site-secret/key.txt': 'secret',
  'secret.txt': 'secret',
})
const stateDir = makeFolder()
const folder = makeFolder({ 'five.jsonl': makeSession(5), 'long.jsonl': makeSession(3_000) })
let host: Host
let served: Served
let client: Client<TurnscopeContract>

beforeAll(async () => {
  host = makeHost({ stateDir })
  served = await serveLoopback(host, { root: join(root, 'site') })
  client = clientOf(await openSocket(served.url))
})
afterAll(async () => {
  await served.close()
  await host.close()
})

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Raw HTTP: `fetch` would tidy the path and forbid the Host header. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: served.port, path, headers, method }
    const sent = request(options, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

test('the page is served with its type and every security header', async () => {
  const page = await get('/')
  expect(page.status).toBe(200)
  expect(page.body).toContain('Turnscope')
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
  expect(page.headers['x-content-type-options']).toBe('nosniff')
  expect(page.headers['referrer-policy']).toBe('no-referrer')
  const script = await get('/assets/app.js?v=1')
  expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect((await get('/', {}, 'HEAD')).body).toBe('')
})

test.each([
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/%2e%2e%2fsecret.txt',
  '/assets/../../secret.txt',
  '/..%5csecret.txt',
  '/../site-secret/key.txt',
  '/.hidden',
  '/%00',
  '/%',
  '//etc/passwd',
  '/missing.js',
  '/assets',
])('a path that leaves the page or is not there is not found: %s', async (path) => {
  const answer = await get(path)
  expect(answer.status).toBe(404)
  expect(answer.body).toBe('Not found')
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
})

test('only GET and HEAD are answered', async () =>
  expect((await get('/', {}, 'POST')).status).toBe(405))

test('a foreign Host (DNS rebinding) is refused, our two names are not', async () => {
  expect((await get('/', { host: 'evil.example' })).status).toBe(421)
  expect((await get('/', { host: `127.0.0.1:${served.port + 1}` })).status).toBe(421)
  expect((await get('/', { host: `localhost:${served.port}` })).status).toBe(200)
})

test.each([
  ['no key', { token: '' }, 'status 403'],
  ['a wrong key of the same length', { token: 'A'.repeat(43) }, 'status 403'],
  ['a foreign Origin', { origin: 'https://evil.example' }, 'status 403'],
  ['the Origin of another port', { origin: 'http://127.0.0.1:1' }, 'status 403'],
  ['a foreign Host', { host: 'evil.example' }, 'status 421'],
  ['another subprotocol', { protocol: 'other' }, 'status 403'],
  ['another path', { path: '/other' }, 'status 404'],
])('WebSocket with %s is refused', async (_, options, message) => {
  await expect(openSocket(served.url, options)).rejects.toThrow(message)
})

test('the token is in the fragment only, 32 random bytes', () => {
  const url = new URL(served.url)
  expect(url.search).toBe('')
  expect(url.hash).toMatch(/^#token=[\w-]{43}$/u)
})

describe('[U18] a token is for one use', () => {
  const tokenOf = (url: string) => new URL(url).hash.slice('#token='.length)
  const post = (body: string, headers: Record<string, string> = { origin: served.origin }) =>
    fetch(`${served.origin}/key`, { method: 'POST', body, headers })

  test('it is exchanged for a key that opens the socket; the second use is refused', async () => {
    const token = tokenOf(served.newUrl())
    await expect(openSocket(served.url, { token })).rejects.toThrow('status 403')
    const answer = await post(`token ${token}`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const key = await answer.text()
    expect(key).toMatch(/^[\w-]{43}$/u)
    expect(key).not.toBe(token)
    const socket = await openSocket(served.url, { token: key })
    socket.close()
    expect((await post(`token ${token}`)).status).toBe(403)
    expect((await post(`key ${key}`)).status).toBe(204)
    expect((await post(`key ${token}`)).status).toBe(403)
  })

  test('20 exchanges at once: one key that holds', async () => {
    const token = tokenOf(served.newUrl())
    const all = await Promise.all(Array.from({ length: 20 }, () => post(`token ${token}`)))
    const keys = await Promise.all(all.map((answer) => answer.text()))
    const held = await Promise.all(keys.map((key) => post(`key ${key}`)))
    expect(held.filter(({ status }) => status === 204)).toHaveLength(1)
  })

  test('[U73] a page that was left before it connected asks again; its key before is none then', async () => {
    const token = tokenOf(served.newUrl())
    const first = await (await post(`token ${token}`)).text()
    const again = await post(`token ${token}`)
    expect(again.status).toBe(200)
    const second = await again.text()
    expect((await post(`key ${first}`)).status).toBe(403)
    await expect(openSocket(served.url, { token: first })).rejects.toThrow('status 403')
    const socket = await openSocket(served.url, { token: second })
    expect((await post(`token ${token}`)).status).toBe(403)
    expect((await post(`key ${second}`)).status).toBe(204)
    socket.close()
  })

  test('[U73] a token that was exchanged waits ten minutes for a connection, the printed one too', () => {
    let now = 0
    const door = openDoor(() => now)
    const printed = door.token()
    now = 60 * 60_000
    expect(door.exchange(printed)).not.toBeNull()
    now += 9 * 60_000
    const key = door.exchange(printed) ?? ''
    expect(door.holds(key)).toBe(true)
    // Asking again buys no more time.
    now += 2 * 60_000
    expect(door.exchange(printed)).toBeNull()
    expect(door.admit(key)).toBe(true)
    expect(door.admit('another')).toBe(false)
  })

  test.each([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['no origin', {}],
  ])('%s is refused and does not use it up', async (_, headers) => {
    const token = tokenOf(served.newUrl())
    expect((await post(`token ${token}`, headers)).status).toBe(403)
    expect((await post(`token ${token}`)).status).toBe(200)
  })

  test.each(['', 'token', 'token ', 'key ', `token ${'A'.repeat(43)}`, `key ${'A'.repeat(5000)}`])(
    'the body %j gets no key',
    async (body) => expect((await post(body)).status).toBe(403),
  )

  test('a foreign Host is refused', async () =>
    expect((await get('/key', { host: 'evil.example' }, 'POST')).status).toBe(421))

  test('a window gives an address for another browser', async () => {
    const { url } = await client.call('host.link', {})
    expect((await post(`token ${tokenOf(url)}`)).status).toBe(200)
  })

  test('a key of another host is none here', async () => {
    const second = makeHost()
    const other = await serveLoopback(second, { root: join(root, 'site') })
    const socket = await openSocket(other.url)
    socket.close()
    expect((await post(`key ${await keyOf(other.url)}`)).status).toBe(403)
    await other.close()
    await second.close()
  })

  test('a later token waits ten minutes, the printed one as long as the host runs', () => {
    let now = 0
    const door = openDoor(() => now)
    const printed = door.token()
    const late = door.token()
    const early = door.token()
    now = 9 * 60_000
    expect(door.exchange(early)).not.toBeNull()
    now = 11 * 60_000
    expect(door.exchange(late)).toBeNull()
    expect(door.exchange(printed)).not.toBeNull()
  })
})

test('what is not JSON text ends the connection, other clients go on', async () => {
  for (const data of ['{not json', Buffer.from([1, 2, 3])]) {
    const socket = await openSocket(served.url)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.send(data)
    expect(await closed).toBe(1003)
  }
  expect((await client.call('host.info', {})).mode).toBe('serve')
})

test('a message above 8 MiB ends the connection', async () => {
  const socket = await openSocket(served.url)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.send('x'.repeat(9 * 1024 * 1024))
  expect(await closed).toBe(1009)
})

test('bad input and unknown methods are answered, not thrown', async () => {
  await expect(client.call('session.index', { key: '', session: -1 })).rejects.toMatchObject({
    code: 'BAD_INPUT',
  })
  const unknown = client.call('no.such' as never, {} as never)
  await expect(unknown).rejects.toMatchObject({ code: 'NO_METHOD' })
})

test('host.info names presets, domain files, profiles and formats', async () => {
  const info = await client.call('host.info', {})
  expect(info.presets.map((preset) => preset.name)).toEqual(
    expect.arrayContaining(['literal', 'recommended', 'field']),
  )
  expect(info.presets.find((preset) => preset.name === 'recommended')?.differs).toEqual([])
  expect(
    info.presets.find((preset) => preset.name === 'literal')?.differs.map((d) => d.option),
  ).toEqual(
    expect.arrayContaining(['breakMinSignals', 'tolerantOpenTag', 'wholeWords', 'admitByRealSize']),
  )
  expect(info.domainFiles).toContainEqual(
    expect.objectContaining({ name: 'default', problem: null }),
  )
  expect(info.formats.map((format) => format.name)).toContain('claude-code')
  expect(info.nativeDialog).toBe(false)
})

test('[L10] profiles say what they gate: both nestings, an alias, and one that gates nothing', async () => {
  const { profiles } = await client.call('host.info', {})
  const gate = (name: string) => profiles.find((profile) => profile.name === name)?.gate
  expect(gate('qwen3-14b')).toMatchObject({ disabled: ['bugfix'], source: 'top', unknown: [] })
  expect(gate('granite-3.3-8b')).toMatchObject({ source: 'bst', unknown: [] })
  expect(gate('granite-3.3-8b')?.disabled).toEqual(expect.arrayContaining(['planning', 'coding']))
  const dead = gate('gpt-oss-20b-dead-gate')
  expect(dead?.unknown).toContain('codegen')
  expect(dead?.disabled).toEqual(dead?.unknown)
  expect(dead?.warnings.join()).toContain('nothing is gated')
})

test('host.domains lists domains of a file; a domain that never breaks says null [B1]', async () => {
  const { domains } = await client.call('host.domains', {
    preset: 'recommended',
    domains: 'default',
  })
  expect(domains).toHaveLength(11)
  expect(domains.find((domain) => domain.name === 'file_ops')?.breakMinSignals).toBeNull()
})

test('a real file is opened, indexed, replayed, explained, shown raw and found', async () => {
  const path = join(folder, 'five.jsonl')
  const opened = await openIn(client, { kind: 'path', path })
  expect(opened).toMatchObject({ name: 'five.jsonl', path, lines: 6, problems: 0 })
  expect(opened.sessions[0]).toMatchObject({ title: 'Made up', events: 5, kinds: { user: 5 } })
  const at = { key: opened.key, session: 0 }
  const index = await client.call('session.index', at)
  expect(index.exchange).toEqual([0, 1, 2, 3, 4])
  const replay = await replayIn(client, opened.key, CONFIG, { ...CONFIG, preset: 'literal' })
  expect(replay.columns.turns).toBe(5)
  expect(replay.compare?.turns).toBe(5)
  for (let turn = 0; turn < 5; turn += 1) {
    const trace = await client.call('session.trace', { ...at, turn, config: CONFIG })
    expect(trace.primary.domain).toBe(replay.columns.domains[replay.columns.primary[turn] ?? -1])
    expect(trace.momentum.after.momentum).toBe(replay.columns.momentum[turn])
  }
  const { rows } = await client.call('session.rows', {
    ...at,
    from: 1,
    to: 3,
    maxChars: 5,
    config: CONFIG,
  })
  expect(rows.map((row) => [row.seq, row.text])).toEqual([
    [1, 'ls -l'],
    [2, 'Fix t'],
  ])
  const raw = await client.call('session.raw', { ...at, seq: 1 })
  expect(raw).toMatchObject({ line: 3, truncated: false })
  expect(JSON.parse(raw.text)).toMatchObject({ kind: 'user' })
  const find = (query: string) =>
    client.call('session.find', { ...at, query, config: CONFIG, compare: null })
  expect(await find('TYPEERROR')).toEqual({ seqs: [2], more: false, problem: null, cutOff: 0 })
  expect(await find('.*')).toMatchObject({ seqs: [], more: false })
  await client.call('session.close', { key: opened.key })
  await expect(client.call('session.index', at)).rejects.toMatchObject({ code: 'REFUSED' })
  const { recent } = await client.call('library.list', {})
  expect(recent[0]).toMatchObject({ path, turns: 5, missing: false, openedAt: 1_700_000_000_000 })
})

test('marks of shown rows are spans of signals that matched there', async () => {
  const opened = await openIn(client, { kind: 'path', path: join(folder, 'five.jsonl') })
  const config = CONFIG
  const input = { key: opened.key, session: 0, from: 0, to: 5, maxChars: 2_000, config }
  const { rows } = await client.call('session.rows', input)
  let seen = 0
  for (const row of rows) {
    const trace = await client.call('session.trace', {
      key: opened.key,
      session: 0,
      turn: row.seq,
      config,
    })
    const fired = trace.domains.flatMap((domain) =>
      domain.signals.flatMap((signal) =>
        signal.spans.map((span) => ({ span, domain: domain.domain, signal: signal.index })),
      ),
    )
    expect(row.marks).toHaveLength(fired.length)
    expect(row.marks).toEqual(expect.arrayContaining(fired))
    seen += fired.length
  }
  expect(seen).toBeGreaterThan(0)
})

test('a stream is cancelled while it runs, and the same replay can be asked for again', async () => {
  const opened = await openIn(client, { kind: 'path', path: join(folder, 'long.jsonl') })
  const input = { key: opened.key, session: 0, config: CONFIG, compare: null }
  const seen: unknown[] = []
  const cancel = client.subscribe('session.replay', input, {
    next: (value) => seen.push(value),
    error: (error) => seen.push(error),
    end: () => seen.push('end'),
  })
  cancel()
  const replay = await replayIn(client, opened.key)
  expect(replay.columns.turns).toBe(3_000)
  expect(seen).not.toContain('end')
})

test('settings are kept, dialogs are refused where there is no shell', async () => {
  expect((await client.call('settings.set', { theme: 'dark' })).theme).toBe('dark')
  expect(JSON.parse(readFileSync(join(stateDir, 'state/view.json'), 'utf8'))).toMatchObject({
    value: { theme: 'dark' },
  })
  await expect(client.call('dialog.open', {})).rejects.toMatchObject({ code: 'REFUSED' })
  await expect(client.call('dialog.folder', {})).rejects.toMatchObject({ code: 'REFUSED' })
})

test('a missing path says what, where and what to do', async () => {
  const source = { kind: 'path', path: '/no/such/file.jsonl' } as const
  await expect(collect(client, 'session.open', { source })).rejects.toMatchObject({
    code: 'REFUSED',
    message: 'there is no such file: /no/such/file.jsonl. Check the path',
  })
})

test('[I96] a dropped file arrives in chunks and opens, again too, from any window', async () => {
  const bytes = Buffer.from(makeSession(400))
  const name = 'dropped.jsonl'
  const { upload } = await client.call('upload.begin', { name, bytes: bytes.length })
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 9_999) chunks.push(bytes.subarray(at, at + 9_999))
  // Sent without waiting: order of calls is order of bytes.
  await Promise.all(
    chunks.map((c) => client.call('upload.chunk', { upload, data: c.toString('base64') })),
  )
  const opened = await openIn(client, { kind: 'upload', upload })
  expect(opened).toMatchObject({ name, path: null, lines: 401 })
  const raw = await client.call('session.raw', { key: opened.key, session: 0, seq: 399 })
  expect(raw.line).toBe(401)
  await client.call('session.close', { key: opened.key })
  const socket = await openSocket(served.url)
  const reloaded = await openIn(clientOf(socket), { kind: 'upload', upload })
  expect(reloaded).toMatchObject({ name, path: null, lines: 401 })
  socket.close()
  const gone = { kind: 'upload', upload: 'x'.repeat(16) } as const
  await expect(collect(client, 'session.open', { source: gone })).rejects.toThrow('any more')
})

test('an upload may not outgrow what it announced, nor be opened before it is whole', async () => {
  const begin = (bytes: number) => client.call('upload.begin', { name: 'x.jsonl', bytes })
  const data = Buffer.from('12345678').toString('base64')
  const { upload: big } = await begin(4)
  await expect(client.call('upload.chunk', { upload: big, data })).rejects.toThrow('announced 4')
  const { upload: half } = await begin(16)
  await client.call('upload.chunk', { upload: half, data })
  const source = { kind: 'upload', upload: half } as const
  await expect(collect(client, 'session.open', { source })).rejects.toThrow('only 8 of 16 bytes')
  await expect(begin(3 * 1024 ** 3)).rejects.toThrow('2 GiB')
})

test('two clients: each has its own sessions; closing one window closes only its own', async () => {
  const path = join(folder, 'five.jsonl')
  const socket = await openSocket(served.url)
  const other = clientOf(socket)
  const mine = await openIn(client, { kind: 'path', path })
  const theirs = await openIn(other, { kind: 'path', path })
  const ask = (who: Client<TurnscopeContract>, key: string) =>
    who.call('session.index', { key, session: 0 })
  await expect(ask(client, theirs.key)).rejects.toMatchObject({ code: 'REFUSED' })
  expect((await ask(other, theirs.key)).kind).toHaveLength(5)
  socket.close()
  await new Promise((resolve) => socket.once('close', resolve))
  expect((await ask(client, mine.key)).kind).toHaveLength(5)
})

test('what the shell pushes before a window listens waits for it', async () => {
  const source = { kind: 'path', path: join(folder, 'five.jsonl') } as const
  host.push({ kind: 'open', source, turn: 2, tab: null })
  const event = await new Promise((resolve) => {
    client.subscribe('host.events', {}, { next: resolve })
  })
  expect(event).toEqual({ kind: 'open', source, turn: 2, tab: null })
})

test('[U65] a call that is too large for one message is refused, and the connection goes on', async () => {
  const edit = { kind: 'priority', domain: 'coding', priority: 1 } as const
  const text = 'あ'.repeat(4_900_000)
  await expect(client.call('draft.edit', { text, edit })).rejects.toMatchObject({
    code: 'REFUSED',
    what: 'this is more than the 8 MB that the host takes at once',
  })
  expect((await client.call('host.info', {})).mode).toBe('serve')
})
