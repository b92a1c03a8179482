import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { CONFIG, makeFolder, REPOSITORY, valueOf } from '../../../../fixtures/host.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { createDraftHandlers } from './handlers.ts'
import {
  checkRevision,
  inOneRepository,
  revisionsOf,
  textAtRevision,
} from '../../platform/git/git.ts'
import { createSides } from '../sides.ts'
import { openedGate } from '../../../../fixtures/trust.ts'

const config = { ...CONFIG, domains: 'lab' }
const { signal } = new AbortController()
const trust = openedGate()

function makeWorkspace() {
  const root = makeFolder()
  const path = join(root, 'profiles/domains/lab.yaml')
  cpSync(join(REPOSITORY, 'fixtures/lab/domains.yaml'), path)
  const workspace = openWorkspace(root, REPOSITORY, trust.place)
  const sides = createSides(workspace)
  let now = 1_700_000_000_000
  const drafts = createDraftHandlers(workspace, sides, () => (now += 300_000))
  return { root, path, sides, drafts, text: readFileSync(path, 'utf8') }
}

function git(root: string, ...args: string[]) {
  const name = [
    '-c',
    'user.name=Ada',
    '-c',
    'user.email=ada@example.org',
    '-c',
    'commit.gpgsign=false',
  ]
  execFileSync('git', [...name, ...args], { cwd: root, stdio: 'ignore' })
}

test('[T43] a revision of a domain file is a side; what is no revision is said', async () => {
  const { root, path, sides, text, drafts } = makeWorkspace()
  git(root, 'init', '-q')
  git(root, 'add', '.')
  git(root, 'commit', '-qm', 'first')
  writeFileSync(path, text.replace('crash(?:es|ed)?', 'panic'))
  git(root, 'commit', '-qam', 'panic instead')
  const { revisions } = await drafts['git.revisions']({ config }, { signal })
  expect(revisions.map(({ subject, author }) => [subject, author])).toEqual([
    ['panic instead', 'Ada'],
    ['first', 'Ada'],
  ])
  const side = await sides.resolve({ kind: 'revision', config, revision: 'HEAD~1' })
  expect(valueOf(side).text.text).toBe(text)
  expect(valueOf(side).compiled.pipeline.signals[0]?.pattern).toContain('crash')
  const unknown = await sides.resolve({ kind: 'revision', config, revision: 'nowhere' })
  expect(!unknown.ok && unknown.error.problem.what).toBe('there is no revision "nowhere"')
  expect((await textAtRevision(trust, join(root, 'none.yaml'), 'HEAD')).ok).toBe(false)
  expect(await revisionsOf(trust, join(makeFolder({ 'a.yaml': '' }), 'a.yaml'))).toMatchObject({
    ok: false,
    error: { what: 'this folder is not in a git repository that may be read' },
  })
})

test('[T43] a preset of another repository stays as it is: the revision is not of its history', async () => {
  const { root, path, sides, text } = makeWorkspace()
  git(root, 'init', '-q')
  git(root, 'add', '.')
  for (const note of ['first', 'second']) git(root, 'commit', '-qm', note, '--allow-empty')
  const shipped = valueOf(await sides.resolve({ kind: 'config', config })).files.preset
  expect(relative(root, shipped.file.path)).toMatch(/^\.\./u)
  expect(await inOneRepository(trust, path, shipped.file.path)).toBe(false)
  const side = valueOf(await sides.resolve({ kind: 'revision', config, revision: 'HEAD~1' }))
  expect(side.text.text).toBe(text)
  expect(side.files.preset.fingerprint).toBe(shipped.fingerprint)
})

test.each(['-p', '--output=/tmp/x', 'HEAD:secret', 'a b', 'a;b', ''])(
  '[T43] %j is no name of a revision',
  (name) => expect(checkRevision(name).ok).toBe(false),
)

test('[T46] saving writes what was asked for, and nothing over a file that others changed', async () => {
  const { path, text, drafts } = makeWorkspace()
  const loaded = await drafts['draft.load']({ config }, { signal })
  expect(loaded).toMatchObject({ text, writable: true, draft: null })
  const better = text.replace('priority: 3', 'priority: 4')
  const { fingerprint } = loaded
  const saved = await drafts['draft.save']({ config, text: better, fingerprint }, { signal })
  expect(saved).toMatchObject({ file: path, changedLines: 2 })
  expect(readFileSync(path, 'utf8')).toBe(better)
  const again = drafts['draft.save']({ config, text, fingerprint }, { signal })
  await expect(again).rejects.toThrow('changed by another program')
  expect(readFileSync(path, 'utf8')).toBe(better)
  const broken = { config, text: 'domains: 3', fingerprint: saved.fingerprint }
  await expect(drafts['draft.save'](broken, { signal })).rejects.toThrow('lab.yaml:1:10')
})

test('[T46] a file that ships is saved as a copy in the workspace', async () => {
  const { root, drafts } = makeWorkspace()
  const shipped = { ...CONFIG, domains: 'default' }
  const { text, fingerprint, writable } = await drafts['draft.load'](
    { config: shipped },
    { signal },
  )
  expect(writable).toBe(false)
  const changed = `# mine\n${text}`
  const saved = await drafts['draft.save'](
    { config: shipped, text: changed, fingerprint },
    { signal },
  )
  expect(saved.file).toBe(join(root, 'profiles/domains/default.yaml'))
  expect(readFileSync(join(REPOSITORY, 'profiles/domains/default.yaml'), 'utf8')).toBe(text)
  expect(await drafts['draft.load']({ config: shipped }, { signal })).toMatchObject({
    text: changed,
    writable: true,
  })
})

test('[T46] a draft is kept for another day, its history stays when it is discarded', async () => {
  const { root, text, drafts } = makeWorkspace()
  for (let draft = 0; draft < 52; draft += 1) {
    await drafts['draft.keep']({ config, window: '', text: `${text}# ${draft}\n` }, { signal })
  }
  expect((await drafts['draft.load']({ config }, { signal })).draft).toBe(`${text}# 51\n`)
  await drafts['draft.keep']({ config, window: '', text: null }, { signal })
  expect((await drafts['draft.load']({ config }, { signal })).draft).toBeNull()
  const history = (await drafts['draft.history']({ config }, { signal })).drafts
  expect(history).toHaveLength(50)
  expect(history[0]).toMatchObject({ added: 1, removed: 0, saved: false })
  const oldest = await drafts['draft.at']({ config, id: history[49]!.id }, { signal })
  expect(oldest.text).toBe(`${text}# 2\n`)
  const climbing = drafts['draft.at']({ config, id: '../../../x' }, { signal })
  await expect(climbing).rejects.toThrow('no such draft')
  expect(existsSync(join(root, '.turnscope/drafts'))).toBe(true)
})
