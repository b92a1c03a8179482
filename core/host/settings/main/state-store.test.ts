import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { writeFileAtomic } from '../../platform/files/atomic-file.ts'
import { DEFAULT_SETTINGS } from '../../../wire/shapes.ts'
import { openStateStore, startWith } from './state-store.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'turnscope-state-'))
const silent = () => undefined

test('atomic write: 40 writers at once leave one whole text and no temporary file', async () => {
  const path = join(folder(), 'deep', 'file.json')
  const texts = Array.from({ length: 40 }, (_, index) => `${index}:`.repeat(20_000))
  await Promise.all(texts.map((text) => writeFileAtomic(path, text)))
  expect(texts).toContain(readFileSync(path, 'utf8'))
  expect(readdirSync(join(path, '..'))).toEqual(['file.json'])
})

test('atomic write: a failed rename leaves the old content and no temporary file', async () => {
  const dir = folder()
  const path = join(dir, 'taken')
  await writeFileAtomic(join(path, 'inside'), 'x')
  await expect(writeFileAtomic(path, 'y')).rejects.toThrow()
  expect(readdirSync(dir)).toEqual(['taken'])
  expect(readFileSync(join(path, 'inside'), 'utf8')).toBe('x')
})

test('settings: defaults first, then what was set, also after opening again', async () => {
  const dir = folder()
  const store = openStateStore(dir, silent)
  expect(await store.settings()).toEqual(DEFAULT_SETTINGS)
  await Promise.all([store.change({ theme: 'dark' }), store.change({ preset: 'literal' })])
  const again = await openStateStore(dir, silent).settings()
  expect(again).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark', preset: 'literal' })
})

test('recent files: newest first, one entry a path, at most 20, forgotten on request', async () => {
  const dir = folder()
  const store = openStateStore(dir, silent)
  const entry = (n: number) => ({
    path: `/t/${n}`,
    name: `${n}`,
    format: 'native',
    openedAt: n,
    turns: 1,
  })
  for (let n = 0; n < 25; n += 1) await store.remember(entry(n))
  await store.remember(entry(10))
  await store.forget('/t/24')
  const paths = (await openStateStore(dir, silent).recent()).map((recent) => recent.path)
  expect(paths.slice(0, 3)).toEqual(['/t/10', '/t/23', '/t/22'])
  expect(paths).toHaveLength(19)
})

test.each(['{"version":1,', '{"version":9}', '[]', '\0\0\0'])(
  'a corrupt state file %j is kept aside, said, and defaults are used',
  async (text) => {
    const dir = folder()
    writeFileSync(join(dir, 'state.json'), text)
    const said: string[] = []
    const store = openStateStore(dir, (line) => said.push(line))
    expect(await store.settings()).toEqual(DEFAULT_SETTINGS)
    expect(said).toHaveLength(1)
    expect(said[0]).toContain('state.json.bad')
    expect(readFileSync(join(dir, 'state.json.bad'), 'utf8')).toBe(text)
    expect(existsSync(join(dir, 'state.json'))).toBe(false)
    await store.change({ theme: 'light' })
    expect((await openStateStore(dir, silent).settings()).theme).toBe('light')
  },
)

test('a state folder that cannot be written is said, and the settings hold until the end', async () => {
  const dir = folder()
  writeFileSync(join(dir, 'file'), '')
  const said: string[] = []
  const store = openStateStore(join(dir, 'file', 'sub'), (line) => said.push(line))
  expect((await store.change({ theme: 'dark' })).theme).toBe('dark')
  expect(said.at(-1)).toContain('could not be saved')
})

test('a preset to start with stands until another is chosen, and is not stored', async () => {
  const dir = folder()
  const store = startWith(openStateStore(dir, silent), 'field')
  expect((await store.settings()).preset).toBe('field')
  expect((await store.change({ theme: 'dark' })).preset).toBe('field')
  expect((await openStateStore(dir, silent).settings()).preset).toBe('recommended')
  expect((await store.change({ preset: 'literal' })).preset).toBe('literal')
  expect((await store.settings()).preset).toBe('literal')
})

const STORE = JSON.stringify(fileURLToPath(new URL('state-store.ts', import.meta.url)))

function child(code: string): Promise<number | null> {
  const started = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
  return new Promise((resolve) => started.on('close', resolve))
}

const entry = (path: string) => ({ path, name: path, format: 'native', openedAt: 1, turns: 1 })

test('[F18] two servers of one state: a theme of one leaves coach and folders of the other alone', async () => {
  const dir = folder()
  const one = openStateStore(dir, silent)
  const other = openStateStore(dir, silent)
  await Promise.all([one.settings(), other.settings(), one.folders(), other.folders()])
  await other.change({ coach: { model: 'theirs', timeoutSeconds: 7 } })
  await other.addFolder('/sessions')
  await one.change({ theme: 'dark' })
  await one.change({ coach: { rateLimit: 3 } })
  const coach = { model: 'theirs', timeoutSeconds: 7, rateLimit: 3 }
  for (const store of [one, other, openStateStore(dir, silent)]) {
    expect(await store.settings()).toMatchObject({ theme: 'dark', coach })
    expect(await store.folders()).toEqual(['/sessions'])
  }
})

test('[F18] two processes that change the state 60 times each at the same time lose nothing', async () => {
  const dir = folder()
  const writer = (name: string, patch: string) => `
      const { openStateStore } = await import(${STORE})
      const store = openStateStore(${JSON.stringify(dir)}, (line) => { console.error(line); process.exitCode = 3 })
      for (let n = 0; n < 20; n += 1) {
        await store.addFolder('/${name}/' + n)
        await store.change(${patch})
        await store.changeProbe((probe) => ({ ...probe, measured: {
          ...probe.measured, ['${name}' + n]: { threshold: n, queries: n } } }))
      }`
  const ends = await Promise.all([
    child(writer('a', '{ theme: "dark" }')),
    child(writer('b', '{ coach: { timeoutSeconds: n + 1 } }')),
  ])
  expect(ends).toEqual([0, 0])
  const store = openStateStore(dir, silent)
  expect(await store.folders()).toHaveLength(40)
  const { theme, coach, probe } = await store.settings()
  expect([theme, coach.timeoutSeconds]).toEqual(['dark', 20])
  expect(Object.keys(probe.measured)).toHaveLength(40)
  expect(readdirSync(join(dir, 'state')).toSorted()).toEqual([
    'coach.json',
    'folders.json',
    'probe.json',
    'view.json',
  ])
})

const OLDER = {
  version: 1,
  settings: { ...DEFAULT_SETTINGS, theme: 'contrast', tourSeen: true },
  recent: [entry('/t/1'), entry('/t/2')],
  folders: ['/old'],
}

test('[F19] the one file of an older version is read, and taken over whole with the first change', async () => {
  const dir = folder()
  writeFileSync(join(dir, 'state.json'), JSON.stringify(OLDER))
  const store = openStateStore(dir, silent)
  expect(await store.settings()).toEqual(OLDER.settings)
  expect(existsSync(join(dir, 'state'))).toBe(false)
  await Promise.all([store.change({ preset: 'field' }), store.addFolder('/new')])
  expect(existsSync(join(dir, 'state.json'))).toBe(false)
  const again = openStateStore(dir, silent)
  expect(await again.settings()).toEqual({ ...OLDER.settings, preset: 'field' })
  expect(await again.recent()).toEqual(OLDER.recent)
  expect(await again.folders()).toEqual(['/old', '/new'])
})

test('[F19] taking over that stopped half way goes on: what is there already wins', async () => {
  const dir = folder()
  writeFileSync(join(dir, 'state.json'), JSON.stringify(OLDER))
  mkdirSync(join(dir, 'state'))
  const view = { theme: 'dark', preset: 'p', domains: 'd', profile: null, tourSeen: true }
  writeFileSync(join(dir, 'state/view.json'), JSON.stringify({ version: 1, value: view }))
  await openStateStore(dir, silent).addFolder('/new')
  const store = openStateStore(dir, silent)
  expect(await store.settings()).toMatchObject(view)
  expect(await store.folders()).toEqual(['/old', '/new'])
  expect(await store.recent()).toHaveLength(2)
})

test('[F17] a broken topic is kept aside under a name of its own, others are not touched', async () => {
  const dir = folder()
  await openStateStore(dir, silent).change({ theme: 'dark', coach: { model: 'm' } })
  const said: string[] = []
  for (const text of ['{"version":1,', '{"version":9}']) {
    writeFileSync(join(dir, 'state/view.json'), text)
    const store = openStateStore(dir, (line) => said.push(line))
    expect(await store.settings()).toMatchObject({ theme: 'system', coach: { model: 'm' } })
    await store.change({ theme: 'light' })
  }
  expect(said).toHaveLength(2)
  expect(readFileSync(join(dir, 'state/view.json.bad'), 'utf8')).toBe('{"version":1,')
  expect(readFileSync(join(dir, 'state/view.json.bad-2'), 'utf8')).toBe('{"version":9}')
})
