import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildIfStale, ROOT } from '../build.ts'
import { PARTS, type Part, partKey, stateOf } from './parts.ts'

/** Everything that a part of `dist/` may read, and prose. */
const COPIED = [
  'ARCHITECTURE.md',
  'README.md',
  'addons',
  'bin',
  'core',
  'docs',
  'electron',
  'fixtures/automata',
  'fixtures/load.ts',
  'fixtures/vectors',
  'page',
  'profiles',
  'renderer',
  'scripts/automata',
  'scripts/build',
  'scripts/licences',
  'scripts/model',
  'scripts/model-files.ts',
  'scripts/model-packages/package-lock.json',
  'scripts/package',
  'scripts/packages.ts',
  'scripts/page',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'vite.config.ts',
  'dist/.parts',
  'dist/cli/inputs.json',
]

mkdirSync(join(ROOT, 'out'), { recursive: true })
/** A copy of the sources with the records of their build. */
const copy = mkdtempSync(join(ROOT, 'out/parts-'))

function restore(path: string): void {
  cpSync(join(ROOT, path), join(copy, path), { recursive: true, preserveTimestamps: true })
}

const keys = () => new Map(PARTS.map((part) => [part, partKey(copy, part)] as const))

/** Parts whose keys an edit changes. The edit is undone. */
function changedBy(path: string, edit: (text: string) => string): readonly Part[] {
  const file = join(copy, path)
  const text = readFileSync(file, 'utf8')
  const before = keys()
  const edited = edit(text)
  expect(edited).not.toBe(text)
  writeFileSync(file, edited)
  const after = keys()
  restore(path)
  return PARTS.filter((part) => after.get(part) !== before.get(part))
}

beforeAll(() => {
  const built = buildIfStale()
  if (!built.ok) throw new Error(built.log)
  for (const path of COPIED) restore(path)
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
}, 600_000)
afterAll(() => rmSync(copy, { recursive: true, force: true }), 120_000)

describe('[F210] the key of a part', () => {
  it('is that of the build', () => {
    const states = PARTS.map((part) => [part, stateOf(copy, part, () => true).isStale])
    expect(states).toEqual(PARTS.map((part) => [part, false]))
  })

  it.each([
    ['README.md', (text: string) => `${text}\nMore.\n`],
    ['ARCHITECTURE.md', (text: string) => text.replace('a', 'the')],
    ['docs/agents.md', (text: string) => `${text}\nMore.\n`],
    ['fixtures/vectors/README.md', (text: string) => `${text}\nMore.\n`],
    ['core/engine/result.ts', (text: string) => `// A comment\n${text}`],
    ['core/engine/matcher/scan.ts', (text: string) => `${text}\n/* another */\n\n`],
    ['core/cli/main.ts', (text: string) => text.replaceAll('\n', '\n\n')],
    ['renderer/main.tsx', (text: string) => `/** A comment */\n${text}`],
    ['renderer/ui/words.ts', (text: string) => `${text}\n`],
    ['renderer/ui/base.css', (text: string) => `/* A comment */\n${text}\n\n`],
    ['core/engine/lru.test.ts', (text: string) => `${text}\nexport const more = 1\n`],
    ['vite.config.ts', (text: string) => `// A comment\n${text}`],
  ])('does not change with prose, comments, layout and tests: %s', (path, edit) =>
    expect(changedBy(path, edit)).toEqual([]),
  )

  it('does not change with a module that no other imports', () => {
    const before = keys()
    for (const folder of ['core/engine/import', 'renderer/ui', 'electron', 'page'])
      writeFileSync(join(copy, folder, 'not-imported.ts'), 'export const a = 1\n')
    expect(keys()).toEqual(before)
  })

  const more = (text: string) => `${text}\nglobalThis.more = 1\n`
  const all = PARTS
  it.each<[string, (text: string) => string, readonly Part[]]>([
    ['renderer/ui/words.ts', more, ['renderer', 'page-window']],
    ['renderer/ui/base.css', (text) => `${text}\n.a { color: red }\n`, ['renderer', 'page-window']],
    ['renderer/index.html', (text) => text.replace('Turnscope', 'Other'), ['renderer']],
    ['electron/main.ts', more, ['desktop']],
    ['electron/preload.ts', more, ['preload']],
    ['page/boot.ts', more, ['page-boot']],
    ['page/host.ts', more, ['page-host']],
    ['scripts/page/assemble.ts', more, ['page-window']],
    ['core/cli/main.ts', more, ['cli']],
    ['core/api/engine.ts', more, ['api']],
    ['core/host/batch/worker.ts', more, ['cli']],
    ['core/host/entries/session.ts', more, ['cli', 'desktop']],
    ['profiles/presets/field.yaml', (text) => `${text}\n# more\n`, ['automata']],
    ['scripts/model/minilm-graph.ts', more, ['cli', 'model']],
    ['core/host/pictures/drawing-files.ts', more, ['cli', 'drawing']],
    [
      'vite.config.ts',
      more,
      all.filter((part) => !['drawing', 'automata', 'model'].includes(part)),
    ],
    ['package-lock.json', (text) => `${text} `, all],
  ])('changes for the parts that read a file: %s', (path, edit, parts) =>
    expect(changedBy(path, edit)).toEqual(parts),
  )

  it('of everything with the matcher in it changes with the matcher', () => {
    expect(changedBy('core/engine/matcher/scan.ts', more)).toEqual(
      expect.arrayContaining(['cli', 'desktop', 'page-host', 'api', 'automata']),
    )
  })
})

describe('[F210] the bytes of a part', () => {
  const build = () => {
    const args = [join(copy, 'scripts/build/lane.ts'), copy, 'preload', 'page-boot']
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: copy,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production' },
    })
    if (status !== 0) throw new Error(stderr)
    return ['dist/preload/preload.cjs', 'dist/page/boot/boot.js'].map((path) =>
      readFileSync(join(copy, path), 'utf8'),
    )
  }
  beforeEach(() => {
    for (const path of ['electron/preload.ts', 'page/boot.ts', 'README.md']) restore(path)
  })

  it('stay the same with other prose, comments and tests, and change with the code', () => {
    const first = build()
    for (const path of ['electron/preload.ts', 'page/boot.ts'])
      appendFileSync(join(copy, path), '\n\n/** Another comment. */\n// And one more\n')
    appendFileSync(join(copy, 'README.md'), 'More prose.\n')
    writeFileSync(join(copy, 'electron/more.test.ts'), 'export const a = 1\n')
    expect(build()).toEqual(first)
    appendFileSync(join(copy, 'electron/preload.ts'), "console.log('another preload')\n")
    const [preload, boot] = build()
    expect(preload).toContain('another preload')
    expect(boot).toBe(first[1])
  }, 300_000)
})
