import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { Client } from '../../../wire/rpc.ts'
import type { Host, HostOptions } from '../../entries/host.ts'
import { createIndexStore, emptyIndex } from './index-file.ts'
import {
  collect,
  CONFIG,
  makeFolder,
  makeSession,
  REPOSITORY,
  windowOf,
} from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'

const hosts: Host[] = []
afterAll(async () => {
  for (const host of hosts) await host.close()
})

function client(options: Partial<HostOptions> = {}): Client<TurnscopeContract> {
  const host = makeHostHere({ workers: 1, ...options })
  hosts.push(host)
  return windowOf(host)
}

// One host for all that does not need its own: a thread takes a second to get warm.
const sharedState = makeFolder()
const shared = client({ stateDir: sharedState, workers: 2 })

const LITERAL = { ...CONFIG, preset: 'literal' }

function library(): string {
  const root = makeFolder({
    'a.jsonl': makeSession(6),
    'deep/er/b.jsonl': makeSession(3),
    'notes.md': '# Groceries\n\nmilk\n',
    'data.json': '{"not": "a transcript"}',
    'empty.jsonl': '',
    'bad.jsonl': '{"type":"session","schemaVersion":99}\n',
    'picture.png': 'x',
    'node_modules/x/c.jsonl': makeSession(2),
  })
  symlinkSync(root, join(root, 'loop'))
  return root
}

async function scan(
  at: Client<TurnscopeContract>,
  folder: string,
  compare: typeof CONFIG | null = null,
) {
  const steps = await collect(at, 'library.scan', { folder, config: CONFIG, compare })
  const end = steps.at(-1)
  if (end?.kind !== 'scanned') throw new Error('the scan did not end')
  const entries = new Map(
    steps
      .flatMap((step) => (step.kind === 'entries' ? step.entries : []))
      .map((each) => [each.name, each]),
  )
  const read = steps.filter((step) => step.kind === 'progress' && step.phase === 'scanning').at(-1)
  return { steps, end, entries, jobs: read?.kind === 'progress' ? read.total : -1 }
}

test('[K1] folders are added once, described, kept, and removed with their index', async () => {
  const folder = library()
  expect(await shared.call('library.addFolder', { path: folder })).toMatchObject({
    path: folder,
    files: 0,
    scannedAt: null,
    missing: false,
  })
  await shared.call('library.addFolder', { path: `${folder}/` })
  await scan(shared, folder)
  const before = readdirSync(join(sharedState, 'library')).length
  const second = client({ stateDir: sharedState })
  const { folders } = await second.call('library.folders', {})
  expect(folders).toMatchObject([{ path: folder, files: 3, scannedAt: 1_700_000_000_000 }])
  await second.call('library.removeFolder', { path: folder })
  expect(readdirSync(join(sharedState, 'library'))).toHaveLength(before - 1)
  expect(await second.call('library.folders', {})).toEqual({ folders: [] })
  const missing = second.call('library.addFolder', { path: join(folder, 'nowhere') })
  await expect(missing).rejects.toMatchObject({ code: 'REFUSED' })
  const file = second.call('library.addFolder', { path: join(folder, 'a.jsonl') })
  await expect(file).rejects.toMatchObject({ code: 'REFUSED' })
})

test('[K2] [K6] a scan lists transcripts with their stats and counts what it passed over', async () => {
  const { end, entries, jobs } = await scan(shared, library(), LITERAL)
  expect(jobs).toBe(5)
  expect(end).toMatchObject({
    files: 3,
    failed: 1,
    removed: [],
    skipped: { 'not a transcript': 3, empty: 1, 'symbolic link': 1 },
  })
  expect(entries.get('a.jsonl')).toMatchObject({
    state: 'read',
    inside: '',
    format: 'native',
    title: 'Made up',
    sessions: 1,
    events: 6,
  })
  expect(entries.get('b.jsonl')).toMatchObject({ inside: 'deep/er', stats: { turns: 3 } })
  expect(entries.get('bad.jsonl')).toMatchObject({ state: 'failed', stats: null })
  expect(entries.get('bad.jsonl')?.problem?.what).toMatch(/schemaVersion 99/u)
})

test('[K6] stats are those of the replays of the same configurations', async () => {
  const path = join(REPOSITORY, 'fixtures/sessions/st-003.jsonl')
  const at = shared
  const { entries } = await scan(at, join(REPOSITORY, 'fixtures/sessions'), LITERAL)
  const stats = entries.get('st-003.jsonl')?.stats
  const [opened] = (await collect(at, 'session.open', { source: { kind: 'path', path } })).filter(
    (step) => step.kind === 'opened',
  )
  if (opened?.kind !== 'opened' || !stats) throw new Error('the sample is there')
  let turns = 0
  let flips = 0
  const domains = new Map<string, number>()
  for (const { index } of opened.sessions) {
    const input = { key: opened.key, session: index, config: CONFIG, compare: LITERAL }
    const last = (await collect(at, 'session.replay', input)).at(-1)
    if (last?.kind !== 'replayed') throw new Error('it was replayed')
    turns += last.columns.turns
    flips += last.flips.length
    for (const number of last.columns.primary) {
      const name = last.columns.domains[number] ?? ''
      domains.set(name, (domains.get(name) ?? 0) + 1)
    }
  }
  expect(stats).toMatchObject({ turns, flips })
  expect(new Map(stats.domains.map((each) => [each.name, each.turns]))).toEqual(domains)
  expect(turns).toBeGreaterThan(10)
})

test('[K3] unchanged files are not read again; changed, new and removed ones are noticed', async () => {
  const folder = library()
  await scan(shared, folder)
  const again = client({ stateDir: sharedState })
  const asked = { folder, config: CONFIG, compare: null }
  const cached = await again.call('library.entries', asked)
  expect(cached.stale).toBe(false)
  expect(cached.entries.map(({ name }) => name)).toEqual(['a.jsonl', 'bad.jsonl', 'b.jsonl'])
  expect((await scan(again, folder)).jobs).toBe(0)
  writeFileSync(join(folder, 'a.jsonl'), makeSession(9))
  writeFileSync(join(folder, 'new.jsonl'), makeSession(1))
  rmSync(join(folder, 'deep/er/b.jsonl'))
  const { jobs, end, entries } = await scan(again, folder)
  expect(jobs).toBe(2)
  expect(end.removed).toEqual([join(folder, 'deep/er/b.jsonl')])
  expect(entries.get('a.jsonl')?.stats?.turns).toBe(9)
  utimesSync(join(folder, 'new.jsonl'), 1, 1)
  expect((await scan(again, folder)).jobs).toBe(1)
})

test('[K3] an index that is damaged, of another version or another folder is as good as none', async () => {
  const stateDir = makeFolder()
  const folder = '/somewhere'
  await createIndexStore(stateDir).save({ ...emptyIndex(folder), scannedAt: 5 })
  expect((await createIndexStore(stateDir).load(folder)).scannedAt).toBe(5)
  const [name = ''] = readdirSync(join(stateDir, 'library'))
  const good = readFileSync(join(stateDir, 'library', name), 'utf8')
  const damages = [
    good.slice(0, -5),
    good.replace('"version":1', '"version":2'),
    good.replace(folder, '/elsewhere'),
    '[]',
  ]
  for (const damage of damages) {
    writeFileSync(join(stateDir, 'library', name), damage)
    expect(await createIndexStore(stateDir).load(folder)).toEqual(emptyIndex(folder))
  }
})

test('[K4] another configuration, or an edited file of it, needs its own stats', async () => {
  const folder = library()
  const workspace = makeFolder()
  const from = join(REPOSITORY, 'profiles')
  const at = client({ workspace })
  await scan(at, folder)
  const asked = { folder, config: CONFIG, compare: null }
  expect((await at.call('library.entries', asked)).stale).toBe(false)
  const literal = await at.call('library.entries', { ...asked, config: LITERAL })
  expect(literal.stale).toBe(true)
  expect(literal.entries.every(({ stats }) => stats === null)).toBe(true)
  expect((await at.call('library.entries', { ...asked, compare: LITERAL })).stale).toBe(true)
  mkdirSync(join(workspace, 'profiles/domains'), { recursive: true })
  const text = readFileSync(join(from, 'domains/default.yaml'), 'utf8')
  writeFileSync(join(workspace, 'profiles/domains/default.yaml'), `${text}\n# edited\n`)
  expect((await at.call('library.entries', asked)).stale).toBe(true)
  expect((await scan(at, folder)).jobs).toBe(2)
  expect((await at.call('library.entries', asked)).stale).toBe(false)
})

test('[K5] files that are read together are listed once', async () => {
  const messages = [{ role: 'user', content: [{ type: 'text', text: '<task>\nFix it\n</task>' }] }]
  const records = [{ ts: 1_700_000_000_000, type: 'say', say: 'text', text: 'Fix it' }]
  const folder = makeFolder({
    'tasks/1/api_conversation_history.json': JSON.stringify(messages),
    'tasks/1/ui_messages.json': JSON.stringify(records),
  })
  const at = shared
  const { end, entries } = await scan(at, folder)
  expect(entries.get('api_conversation_history.json')).toMatchObject({ format: 'cline' })
  expect(end).toMatchObject({ files: 1, skipped: { 'part of another transcript': 1 } })
  expect((await scan(at, folder)).jobs).toBe(0)
  writeFileSync(join(folder, 'tasks/1/ui_messages.json'), JSON.stringify([...records, ...records]))
  expect((await scan(at, folder)).jobs).toBe(1)
})

test('[K3] a cancelled scan keeps what it has read', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`s${index}.jsonl`, makeSession(200)]),
  )
  const folder = makeFolder(files)
  const at = shared
  const asked = { folder, config: CONFIG, compare: null }
  await new Promise<void>((resolve, reject) => {
    const stop = at.subscribe('library.scan', asked, {
      next: (step) => {
        if (step.kind !== 'entries' || !step.entries.some(({ state }) => state === 'read')) return
        stop()
        resolve()
      },
      error: reject,
      end: resolve,
    })
  })
  // The next scan waits for the end of the cancelled one.
  const { jobs, end } = await scan(at, folder)
  expect(jobs).toBeLessThan(40)
  expect(end.files).toBe(40)
})

test('[F11] a search of a folder gives totals, excerpts and places', async () => {
  const folder = library()
  const at = shared
  const asked = { folder, config: CONFIG, compare: null }
  for (const scanned of [false, true]) {
    if (scanned) await scan(at, folder)
    const steps = await collect(at, 'library.find', { ...asked, query: 'typeerror kind:user' })
    const found = steps.filter((step) => step.kind === 'found')
    expect(found.map(({ name, total }) => [name, total]).toSorted()).toEqual([
      ['a.jsonl', 1],
      ['b.jsonl', 1],
    ])
    expect(found[0]?.excerpts[0]?.text).toContain('TypeError')
    expect(steps.at(-1)).toMatchObject({ kind: 'done', sessions: 2, total: 2, problem: null })
  }
  const bad = await collect(at, 'library.find', { ...asked, query: 'role:nobody' })
  expect(bad.at(-1)).toMatchObject({ kind: 'done', problem: { where: 'column 6 of the query' } })
  const domain = await collect(at, 'library.find', { ...asked, query: 'domain:nowhere' })
  expect(domain.at(-1)).toMatchObject({ problem: { what: 'domain has no value "nowhere"' } })
})

test('[K7] usual places are counted by tool, only those that hold something', async () => {
  const home = makeFolder({
    '.claude/projects/-home-ann-x/one.jsonl': 'x',
    '.claude/projects/-home-ann-x/two.jsonl': 'xyz',
    '.claude/projects/-home-ann-x/readme.md': 'x',
    '.codex/sessions/2026/01/02/rollout-1.jsonl': 'x',
    '.gemini/tmp/p1/chats/session-1.json': 'x',
    '.gemini/tmp/p2/chats/session-2.json': 'x',
    '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json':
      '[]',
  })
  mkdirSync(join(home, '.codex/archived_sessions'))
  const workspace = makeFolder({
    '.aider.chat.history.md': '# aider',
    '.specstory/history/a.md': 'x',
  })
  const { places } = await client({ home, workspace }).call('library.discover', {})
  expect(places.map(({ tool, files }) => [tool, files])).toEqual([
    ['Claude Code', 2],
    ['Codex', 1],
    ['Gemini CLI', 2],
    ['Cline', 1],
    ['SpecStory', 1],
    ['Aider', 1],
  ])
  expect(places[0]).toMatchObject({ path: join(home, '.claude/projects'), bytes: 4 })
  expect(places[2]?.path).toBe(join(home, '.gemini/tmp'))
})

test('[K2] a folder that went away is refused with what to do', async () => {
  const folder = library()
  renameSync(folder, `${folder}-moved`)
  const asked = { folder, config: CONFIG, compare: null }
  await expect(collect(shared, 'library.scan', asked)).rejects.toMatchObject({ code: 'REFUSED' })
})
