import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { DEFAULT_SETTINGS } from '../../wire/shapes.ts'
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
