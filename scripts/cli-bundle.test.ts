import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entryOf } from '../bin/launch.cjs'
import { makeFolder, makeSession } from '../fixtures/host.ts'
import { runCli } from '../fixtures/run-cli.ts'
import { buildIfStale, ROOT } from './build.ts'
import { recordBuild, writeRecord } from './build/record.ts'

const BUILT = 'dist/cli/main.cjs'
const SOURCE = 'core/cli/main.ts'
const FILES = [
  SOURCE,
  'core/cli/replay/replay.ts',
  'core/version.ts',
  'package-lock.json',
  'vite.config.ts',
]

/** A clone with a command line that has just been built, in small. */
function clone(): string {
  const root = `${mkdtempSync(join(tmpdir(), 'turnscope-clone-'))}/`
  for (const path of [...FILES, BUILT]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), `// ${path}\n`)
  }
  const read = [...FILES, '\0made-up', `${root}node_modules/zod/a.js`]
  writeRecord(join(root, 'dist/cli/inputs.json'), recordBuild(root, read, Infinity))
  return root
}

const write = (root: string, path: string) => writeFileSync(root + path, 'export const a = 1\n')
const later = new Date(Date.now() + 5_000)

describe('[F100] what a start runs', () => {
  it.each<[string, (root: string) => void, string]>([
    ['nothing changed', () => undefined, BUILT],
    ['a source was touched', (root) => utimesSync(root + FILES[1]!, later, later), BUILT],
    ['a comment came', (root) => appendFileSync(root + FILES[1]!, '// more\n\n'), BUILT],
    ['a source changed', (root) => appendFileSync(root + FILES[1]!, 'more()\n'), SOURCE],
    ['a source went away', (root) => rmSync(root + FILES[2]!), SOURCE],
    ['a source came that no module imports', (root) => write(root, 'core/cli/new.ts'), BUILT],
    ['other packages', (root) => writeFileSync(`${root}package-lock.json`, '{}'), SOURCE],
    ['a test came', (root) => write(root, 'core/cli/new.test.ts'), BUILT],
    ['nothing is built', (root) => rmSync(`${root}dist`, { recursive: true }), SOURCE],
    ['a build was stopped', (root) => rmSync(`${root}dist/cli/inputs.json`), SOURCE],
    ['the list is cut off', (root) => writeFileSync(`${root}dist/cli/inputs.json`, '{"fi'), SOURCE],
    ['there are no sources', (root) => rmSync(`${root}core`, { recursive: true }), BUILT],
  ])('%s', (_, change, expected) => {
    const root = clone()
    change(root)
    expect(entryOf('main', root)).toBe(root + expected)
    rmSync(root, { recursive: true })
  })

  it('a file that changed while the build ran counts as changed', () => {
    const root = clone()
    writeRecord(`${root}dist/cli/inputs.json`, recordBuild(root, [SOURCE], 0))
    utimesSync(root + SOURCE, later, later)
    expect(entryOf('main', root)).toBe(root + SOURCE)
    rmSync(root, { recursive: true })
  })
})

describe('[F100] the built command line', () => {
  const folder = makeFolder({ 'a.jsonl': makeSession(4), 'sub/b.jsonl': makeSession(3) })
  const session = join(folder, 'a.jsonl')
  const workspaces = ['built', 'source'].map((name) => join(folder, '..', `${name}-workspace`))

  beforeAll(() => {
    const built = buildIfStale()
    if (!built.ok) throw new Error(built.log)
    for (const each of workspaces) mkdirSync(each, { recursive: true })
  }, 120_000)
  afterAll(() => {
    for (const each of [folder, ...workspaces]) rmSync(each, { recursive: true, force: true })
  })

  it('is current after a build', () => {
    expect(entryOf('main')).toBe(join(ROOT, BUILT))
    expect(entryOf('serve')).toBe(join(ROOT, 'dist/cli/serve.cjs'))
  })

  it.each([
    [['--version']],
    [['--help']],
    [['replya']],
    [['replay', '--help']],
    [['replay', session]],
    [['replay', session, '--json']],
    [['explain', `${session}#2`]],
    [['convert', session]],
    [['find', 'kind:user', folder]],
    [['tour', 'list']],
    [['lint', '--domains', 'nope']],
  ])('%j says the same as the sources', async (args) => {
    const built = await runCli(args, '', join(ROOT, BUILT))
    expect(built).toEqual(await runCli(args, '', join(ROOT, SOURCE)))
    expect(built.out + built.err).not.toBe('')
  })

  it('starts threads, and finds what ships: the same index of a folder from both', async () => {
    const [fromBuilt, fromSource] = await Promise.all(
      [BUILT, SOURCE].map((entry, at) =>
        runCli(
          ['library', 'scan', folder, '--json', '--workspace', workspaces[at]!],
          '',
          join(ROOT, entry),
        ),
      ),
    )
    expect(fromBuilt).toMatchObject({ code: 0 })
    expect(fromBuilt?.out).toContain('b.jsonl')
    expect(fromBuilt).toEqual(fromSource)
  })

  it('draws the same picture, with the font that ships', async () => {
    const [built, source] = await Promise.all(
      [BUILT, SOURCE].map(async (entry) => {
        const png = join(folder, `${entry.replaceAll('/', '-')}.png`)
        const args = ['draw', 'timeline', session, '--png', png]
        expect(await runCli(args, '', join(ROOT, entry))).toMatchObject({ code: 0 })
        return readFileSync(png)
      }),
    )
    expect(built?.equals(source!)).toBe(true)
  })

  it('a copy without the sources and their packages still helps, replays and converts', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'turnscope-installed-'))
    for (const part of ['bin', 'dist/cli', 'profiles', 'prompts', 'package.json'])
      cpSync(join(ROOT, part), join(copy, part), { recursive: true })
    const entry = join(copy, 'bin/turnscope.cjs')
    expect(existsSync(join(copy, 'core'))).toBe(false)
    const replayed = await runCli(['replay', session], '', entry)
    expect(replayed).toEqual(await runCli(['replay', session], '', join(ROOT, SOURCE)))
    expect(await runCli(['convert', session], '', entry)).toMatchObject({ code: 0, err: '' })
    rmSync(copy, { recursive: true })
  })
})
