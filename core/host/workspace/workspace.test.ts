import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkspace } from './workspace.ts'

function workspace(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'turnscope-workspace-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const domains = (signals: string) => `domains:\n  - name: coding\n    signals: ${signals}\n`

test('lists files by name, leaves out what is hidden or of another type', async () => {
  const root = workspace({
    'profiles/domains/default.yaml': domains('[a]'),
    'profiles/domains/other.json': '{"domains":[]}',
    'profiles/domains/.hidden.yaml': '',
    'profiles/domains/notes.txt': '',
  })
  const files = await openWorkspace(root).list('domains')
  expect(files.map((file) => file.name)).toEqual(['default', 'other'])
  expect(await openWorkspace(root).list('models')).toEqual([])
})

test('two files of one stem can both be chosen', async () => {
  const root = workspace({
    'profiles/domains/a.json': '{"domains":[]}',
    'profiles/domains/a.yaml': domains('[x]'),
  })
  const opened = openWorkspace(root)
  expect((await opened.list('domains')).map((file) => file.name)).toEqual(['a', 'a.yaml'])
  const yaml = await opened.domains('a.yaml')
  expect(yaml.ok && yaml.value.value.domains).toHaveLength(1)
})

test('a syntax error says file, line and column', async () => {
  const root = workspace({
    'profiles/domains/bad.yaml': 'domains:\n  - name: "x\n    signals: []\n',
  })
  const result = await openWorkspace(root).domains('bad')
  expect(result.ok ? '' : result.error.where).toMatch(/^profiles\/domains\/bad\.yaml:\d+:\d+$/u)
})

test.each([
  ['yaml', 'domains:\n  - name: coding\n    signals: 5\n', 'bad.yaml:3:14'],
  ['json', '{"domains":[\n {"name":"coding",\n  "signals":5}]}', 'bad.json:3:13'],
])('a wrong value in %s says file, line, column and key', async (type, text, where) => {
  const root = workspace({ [`profiles/domains/bad.${type}`]: text })
  const result = await openWorkspace(root).domains('bad')
  expect(result.ok).toBe(false)
  expect(result.ok ? '' : result.error.where).toContain(where)
  expect(result.ok ? '' : result.error.what).toContain('domains.0.signals')
})

test.each(['../secret', '/etc/passwd', 'a/b', '..', '.hidden', 'a\\b', '', 'a\0b'])(
  'no way out of the folder: %j is refused',
  async (name) => {
    const root = workspace({ 'profiles/domains/default.yaml': domains('[a]') })
    const result = await openWorkspace(root).domains(name)
    expect(result.ok).toBe(false)
    expect(result.ok ? '' : result.error.what).toContain('not a domain file')
  },
)

test('[B10] a model name with a folder in it is a file name, and cannot climb', async () => {
  const root = workspace({
    'profiles/models/vendor_model-1.json': '{"disabled_domains":["bugfix"]}',
    'secret.json': '{}',
  })
  const opened = openWorkspace(root)
  expect((await opened.profile('vendor/model-1')).ok).toBe(true)
  expect((await opened.profile('../../secret')).ok).toBe(false)
})

test('a changed file is read again, with another fingerprint', async () => {
  const root = workspace({ 'profiles/domains/default.yaml': domains('[a]') })
  const opened = openWorkspace(root)
  const first = await opened.domains('default')
  expect(await opened.domains('default')).toEqual(first)
  writeFileSync(join(root, 'profiles/domains/default.yaml'), domains('[a, bb]'))
  const second = await opened.domains('default')
  expect(first.ok && second.ok && first.value.fingerprint !== second.value.fingerprint).toBe(true)
})

test('what the workspace lacks comes from the shipped folder; its own files win', async () => {
  const shipped = workspace({
    'profiles/domains/default.yaml': domains('[a]'),
    'profiles/domains/extra.yaml': domains('[a]'),
  })
  const own = workspace({ 'profiles/domains/default.yaml': domains('[a, b, c]') })
  const opened = openWorkspace(own, shipped)
  expect((await opened.list('domains')).map((file) => file.name)).toEqual(['default', 'extra'])
  const result = await opened.domains('default')
  expect(result.ok && result.value.value.domains[0]?.signals).toHaveLength(3)
})

test('a missing preset says which there are', async () => {
  const root = workspace({ 'profiles/presets/recommended.yaml': 'x: 1' })
  const result = await openWorkspace(root).preset('recomended')
  expect(result.ok ? '' : `${result.error.what} ${result.error.do}`).toBe(
    'there is no preset "recomended" There are: recommended',
  )
})
