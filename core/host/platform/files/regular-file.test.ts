import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import {
  clientOf,
  makeFolder,
  makeHost,
  makeSession,
  openIn,
  openSocket,
  REPOSITORY,
} from '../../../../fixtures/host.ts'
import { runCli } from '../../../../fixtures/run-cli.ts'
import { spoolStandardInput } from '../../../cli/kit/standard-input.ts'
import { serveLoopback } from '../../windows/main/loopback.ts'
import { listQuerySets, readQuerySet } from '../../probe/evaluation/query-sets.ts'
import { readCollections } from '../../probe/collections/collections-file.ts'
import { readDocument } from '../../probe/collections/documents.ts'
import { loadStepLibrary } from '../../bundle/session/step-library.ts'
import { openRootFiles } from '../../bundle/session/root-files.ts'
import { openCoach, readCoachFiles } from '../../coach/session/prompt-files.ts'
import { readLabelFile } from '../../labels/label-store.ts'
import { openPromptFiles } from '../../workspace/prompt-files.ts'
import { readText, TEXT_BYTES } from './regular-file.ts'
import { openTranscript } from '../../transcripts/transcript.ts'
import { openWorkspace } from '../../workspace/workspace.ts'

const fifo = (path: string): string => {
  mkdirSync(dirname(path), { recursive: true })
  execFileSync('mkfifo', [path])
  return path
}

/** A place of a workspace or an argument that names a file, and how it is read. */
const DOORS: ReadonlyArray<
  readonly [name: string, file: string, read: (root: string, path: string) => unknown]
> = [
  ['a preset', 'profiles/presets/x.yaml', (root) => openWorkspace(root).preset('x')],
  ['a domain file', 'profiles/domains/x.yaml', (root) => openWorkspace(root).domains('x')],
  ['a model profile', 'profiles/models/x.json', (root) => openWorkspace(root).profile('x')],
  ['collections', 'profiles/collections.yaml', (root) => readCollections([root])],
  ['a document', 'docs/a.md', (_, path) => readDocument(path)],
  [
    'queries',
    'profiles/queries/x.jsonl',
    async (root) => {
      const set = (await listQuerySets([root])).find(
        ({ name, path }) => path.startsWith(root) && name === 'x',
      )
      return set === undefined ? null : readQuerySet(set)
    },
  ],
  ['labels', 'a.labels.jsonl', (_, path) => readLabelFile(path)],
  ['rules of the coach', 'prompts/coach/rules.yaml', (root) => openCoach([root])],
  [
    'the prompt of the coach',
    'prompts/coach/system.md',
    (root) => readCoachFiles([root, REPOSITORY]),
  ],
  ['a transcript', 'a.jsonl', (_, path) => openTranscript(path)],
  ['a prompt', 'prompts/oracle/a.md', (root) => openPromptFiles([root])('oracle/a.md')],
  ['a step', 'prompts/steps/1.yaml', (root) => loadStepLibrary([root])],
  ['a file of a bundle', 'state/a.json', (root) => openRootFiles([root]).read('state/a.json', 9)],
]

const told = async (read: () => unknown): Promise<string> => {
  try {
    return JSON.stringify(await read())
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe.skipIf(process.platform === 'win32')('[I60] only regular files are read', () => {
  test.each(DOORS)('%s that is a named pipe is refused at once', async (_, file, read) => {
    const root = makeFolder()
    const path = fifo(join(root, file))
    expect(await told(() => read(root, path))).toMatch(/named pipe, not a file|not a file/u)
  })

  test.each(DOORS)('%s that is a link to a device is refused at once', async (_, file, read) => {
    const root = makeFolder()
    mkdirSync(dirname(join(root, file)), { recursive: true })
    symlinkSync('/dev/zero', join(root, file))
    const answer = await told(() => read(root, join(root, file)))
    expect(answer).toMatch(/device, not a file|not a file|leads out of/u)
  })

  test('a server answers other calls while a workspace is full of pipes', async () => {
    const root = makeFolder({ 'good.jsonl': makeSession(2) })
    for (const [, file] of DOORS) fifo(join(root, file))
    const host = makeHost({ workspace: root })
    const served = await serveLoopback(host, { root })
    const client = clientOf(await openSocket(served.url))
    const refused = [
      openIn(client, { kind: 'path', path: join(root, 'a.jsonl') }),
      client.call('probe.collections', {}),
      client.call('host.domains', { preset: 'x', domains: 'x' }),
    ].map((call) => told(() => call))
    const good = await openIn(client, { kind: 'path', path: join(root, 'good.jsonl') })
    expect(good.sessions).toHaveLength(1)
    const answers = await Promise.all(refused)
    expect(answers[0]).toContain('not a file')
    expect(answers[2]).toContain('named pipe')
    await served.close()
    await host.close()
  })

  test('a file above its limit is refused, also when its size says nothing', async () => {
    const root = makeFolder({ 'profiles/presets/x.yaml': '' })
    truncateSync(join(root, 'profiles/presets/x.yaml'), TEXT_BYTES + 1)
    expect(await told(() => openWorkspace(root).preset('x'))).toContain('more than the 64 MB')
    await expect(readText(process.execPath, 1000)).rejects.toThrow('more than the 1000 bytes')
  })

  test('links to regular files are read', async () => {
    const root = makeFolder({ 'a.txt': 'text' })
    symlinkSync(join(root, 'a.txt'), join(root, 'b.txt'))
    expect(await readText(join(root, 'b.txt'))).toBe('text')
  })
})

describe.skipIf(process.platform === 'win32')('[I60] the command line', () => {
  const pipe = fifo(join(makeFolder(), 'a.jsonl'))
  const root = makeFolder({ 'good.jsonl': makeSession(1) })
  const good = join(root, 'good.jsonl')

  test.each([
    ['replay', pipe],
    ['replay', good, '--domains', fifo(join(root, 'd.yaml'))],
    ['find', 'a', pipe],
    ['lint', pipe],
    ['convert', pipe],
    ['explain', `${pipe}#1`],
    ['bundle', '--step', '1', '--results', pipe],
    ['check', good, '--labels', pipe],
  ])('%s refuses a named pipe at once', async (...args) => {
    const { code, err } = await runCli(args)
    expect(err).toMatch(/named pipe|no such file/u)
    expect(err).not.toContain('a fault of Turnscope')
    expect(code).toBe(2)
  })

  test('[I61] - is standard input, read as any file is', async () => {
    const { code, out } = await runCli(['replay', '-', '--json'], makeSession(3))
    expect(code).toBe(0)
    expect(out.trim().split('\n')).toHaveLength(3)
    const nothing = await runCli(['replay', '-'], '')
    expect(nothing.code).toBe(2)
    expect(nothing.err).toContain('standard input')
  })

  test('[I61] no more is taken than of a file that is dropped into a window', async () => {
    await expect(spoolStandardInput(2, Readable.from([Buffer.from('abc')]))).rejects.toThrow(
      'more than 2 bytes',
    )
  })
})
