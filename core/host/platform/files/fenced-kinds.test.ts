import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFolder, REPOSITORY } from '../../../../fixtures/host.ts'
import { messageOf } from '../../../engine/result.ts'
import { openCoachLabels } from '../../coach/main/labels.ts'
import { createIndexStore, emptyIndex } from '../../library/main/index-file.ts'
import { openStateStore } from '../../settings/main/state-store.ts'
import { readCollections } from '../../probe/collections/collections-file.ts'
import { findDocuments, readDocument } from '../../probe/collections/documents.ts'
import { listQuerySets, readQuerySet } from '../../probe/evaluation/query-sets.ts'
import { openVectorCache } from '../../probe/embed/vector-cache.ts'
import { loadStepLibrary } from '../../bundle/session/step-library.ts'
import { openCoach, readCoachFiles } from '../../coach/session/prompt-files.ts'
import { readCodebook } from '../../workspace/codebook.ts'
import { fence } from './fence.ts'
import { createLabelStore } from '../../labels/label-store.ts'
import { openPromptFiles } from '../../workspace/prompt-files.ts'
import { openSource } from '../../transcripts/read-transcript.ts'
import { ownSaves } from '../../workspace/saves.ts'
import { listTours, loadTour } from '../../workspace/tour-folder.ts'
import { walkFolder } from './walk.ts'
import { openWorkspace } from '../../workspace/workspace.ts'

const SECRET = 'hunter2'
/** Broken in YAML, JSON and JSONL, so that a parser has something to quote. */
const TEXT = `${SECRET}: [ ${SECRET}\n{"${SECRET}": \n`
const signal = new AbortController().signal

interface Kind {
  readonly path: string
  /** Everything that is said of the file. */
  readonly read: (root: string) => unknown
}

const shipped = makeFolder()
const docs = async (root: string) => {
  const { files, skipped } = await findDocuments(
    [join(root, 'docs'), join(root, 'docs/a.md')],
    signal,
  )
  const texts = await Promise.all(files.map(({ path }) => readDocument(path)))
  const named = await readDocument(join(root, 'docs/a.md')).catch(messageOf)
  return { files: files.map(({ name }) => name), skipped, texts, named }
}
const home = (root: string) => ({ path: join(root, 's.jsonl'), name: 's.jsonl', fixed: null })

/** One row per kind of file of a workspace. */
const KINDS: Readonly<Record<string, Kind>> = {
  preset: {
    path: 'profiles/presets/leak.yaml',
    read: (root) => openWorkspace(root, shipped).preset('leak'),
  },
  domains: {
    path: 'profiles/domains/leak.yaml',
    read: (root) => openWorkspace(root, shipped).domains('leak'),
  },
  'model profile': {
    path: 'profiles/models/leak.json',
    read: (root) => openWorkspace(root, shipped).profile('leak'),
  },
  mapping: {
    path: 'profiles/formats/leak.yaml',
    read: (root) => openWorkspace(root, shipped).format('leak'),
  },
  'skill rules': {
    path: '.claude/skills/skill-rules.json',
    read: (root) => openWorkspace(root, shipped).domains('skill-rules'),
  },
  collections: { path: 'profiles/collections.yaml', read: (root) => readCollections([root]) },
  persona: {
    path: 'profiles/personas/leak.json',
    read: async (root) => {
      writeFileSync(
        join(root, 'profiles/collections.yaml'),
        'collections:\n  - { name: a, paths: [docs], persona: leak }\n',
      )
      return readCollections([root])
    },
  },
  document: { path: 'docs/a.md', read: docs },
  'folder of documents': { path: 'docs', read: docs },
  queries: {
    path: 'profiles/queries/leak.jsonl',
    read: async (root) => {
      const set = (await listQuerySets([root])).find(({ name }) => name === 'leak')
      return set === undefined ? 'not listed' : readQuerySet(set)
    },
  },
  prompt: { path: 'prompts/leak.md', read: (root) => openPromptFiles([root])('leak.md') },
  step: { path: 'prompts/steps/leak.yaml', read: (root) => loadStepLibrary([root]) },
  grammar: { path: 'prompts/steps/grammars/leak.gbnf', read: (root) => loadStepLibrary([root]) },
  contracts: { path: 'prompts/steps/contracts.yaml', read: (root) => loadStepLibrary([root]) },
  tour: {
    path: 'tours/leak.yaml',
    read: async (root) => [
      await listTours([root]),
      await loadTour(join(root, 'tours/leak.yaml'), true, 'tours/leak.yaml'),
    ],
  },
  labels: { path: 's.labels.jsonl', read: (root) => createLabelStore(root).read(home(root)) },
  'labels of the workspace': {
    path: 'labels/s.labels.jsonl',
    read: (root) => createLabelStore(root).read(home(root)),
  },
  'labels of the coach': {
    path: 'labels/s.coach.jsonl',
    read: (root) => openCoachLabels(root).of('s'),
  },
  'coach: system': {
    path: 'prompts/coach/system.md',
    read: (root) => readCoachFiles([root, REPOSITORY]),
  },
  'coach: user': {
    path: 'prompts/coach/user.md',
    read: (root) => readCoachFiles([root, REPOSITORY]),
  },
  'coach: rules': { path: 'prompts/coach/rules.yaml', read: (root) => openCoach([root]) },
  codebook: { path: 'labels/CODEBOOK.md', read: (root) => readCodebook(root) },
  session: {
    path: 's.jsonl',
    read: async (root) => {
      const { files } = await walkFolder(root, signal)
      const opened = await openSource(join(root, 's.jsonl'), 's.jsonl').catch(messageOf)
      return { files, opened }
    },
  },
  settings: {
    path: '.turnscope/state/view.json',
    read: async (root) => {
      const said: string[] = []
      const settings = await openStateStore(join(root, '.turnscope'), (line) =>
        said.push(line),
      ).settings()
      return { settings, said }
    },
  },
}

/** The target of a link that leads out. */
const TARGETS = ['file', 'missing', 'folder', 'folder above', 'chain'] as const
type Target = (typeof TARGETS)[number]

function plant(root: string, path: string, target: Target): void {
  const outside = makeFolder({ secret: TEXT, [`folder/${path.split('/').at(-1) ?? ''}`]: TEXT })
  const place = join(root, path)
  if (target === 'folder above' && path.includes('/')) {
    const above = dirname(place)
    mkdirSync(dirname(above), { recursive: true })
    symlinkSync(join(outside, 'folder'), above)
    return
  }
  mkdirSync(dirname(place), { recursive: true })
  const names = {
    file: 'secret',
    missing: 'no',
    folder: 'folder',
    'folder above': 'secret',
    chain: 'secret',
  }
  const end = join(outside, names[target])
  if (target === 'chain') symlinkSync(end, join(root, 'second'))
  symlinkSync(target === 'chain' ? join(root, 'second') : end, place)
}

async function allSaid(kind: Kind, root: string): Promise<string> {
  fence(root)
  const said = await Promise.resolve()
    .then(() => kind.read(root))
    .catch((error: unknown) => ({ thrown: messageOf(error), error }))
  return JSON.stringify(said).replaceAll(root, 'ROOT')
}

describe.each(Object.entries(KINDS))(
  '[F200] a link out of the workspace in the place of: %s',
  (name, kind) => {
    test('gives nothing of the file outside, and the same whether it exists', async () => {
      const said = new Map<Target, string>()
      for (const target of TARGETS) {
        const root = makeFolder()
        plant(root, kind.path, target)
        said.set(target, await allSaid(kind, root))
      }
      for (const text of said.values()) expect(text).not.toContain(SECRET)
      expect(said.get('missing')).toBe(said.get('file'))
      expect(said.get('folder')).toBe(said.get('file'))
    })

    test('is read if it stays inside', async () => {
      if (['document', 'folder of documents', 'session', 'settings'].includes(name)) return
      const plain = makeFolder({ [kind.path]: TEXT })
      const linked = makeFolder({ 'real/file': TEXT })
      mkdirSync(dirname(join(linked, kind.path)), { recursive: true })
      symlinkSync(join(linked, 'real/file'), join(linked, kind.path))
      expect(await allSaid(kind, linked)).toBe(await allSaid(kind, plain))
    })
  },
)

describe('[F200] a link out of the workspace in the place of a folder that is written', () => {
  const label = { event: 1, sha256: '0'.repeat(16), primary: 'bugfix' }
  const change = { line: () => 'keep' as const, end: () => [label] }
  const WRITES: Readonly<Record<string, readonly [string, (root: string) => unknown]>> = {
    state: [
      '.turnscope',
      (root) => openStateStore(join(root, '.turnscope'), () => undefined).change({ theme: 'dark' }),
    ],
    index: [
      '.turnscope',
      (root) => createIndexStore(join(root, '.turnscope'), () => undefined).save(emptyIndex('/a')),
    ],
    draft: [
      '.turnscope/drafts',
      (root) =>
        ownSaves(root).save({
          kind: 'drafts',
          files: [{ path: join(root, '.turnscope/drafts/a/current.json'), text: 'x' }],
        }),
    ],
    'cache of vectors': [
      '.turnscope',
      (root) => openVectorCache(join(root, '.turnscope/vectors.db'), 10),
    ],
    labels: [
      'labels',
      (root) =>
        createLabelStore(root).change({ path: '/none/s.jsonl', name: 's', fixed: 's' }, change),
    ],
    'labels of the coach': [
      'labels',
      (root) => openCoachLabels(root).remove('s', { session: 's', seq: 1, content: 'c' }),
    ],
    sessions: [
      'sessions',
      (root) =>
        ownSaves(root).save({
          kind: 'sessions',
          files: [{ path: join(root, 'sessions/a.jsonl'), before: null, text: 'x' }],
        }),
    ],
  }

  test.each(Object.entries(WRITES))(
    '%s: nothing is written outside',
    async (_, [folder, write]) => {
      const root = makeFolder()
      const outside = makeFolder({ mine: 'precious' })
      fence(root)
      mkdirSync(dirname(join(root, folder)), { recursive: true })
      symlinkSync(outside, join(root, folder))
      await Promise.resolve()
        .then(() => write(root))
        .catch(() => undefined)
      expect(readdirSync(outside)).toEqual(['mine'])
      // The same call writes if the folder is a real one.
      rmSync(join(root, folder))
      await write(root)
      if (folder !== 'labels') expect(readdirSync(join(root, folder)).length).toBeGreaterThan(0)
      expect(readFileSync(join(outside, 'mine'), 'utf8')).toBe('precious')
    },
  )
})
