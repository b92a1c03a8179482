import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeFolder, makeSession } from '../../../fixtures/host.ts'
import { type McpClient, connectMcp } from '../../../fixtures/mcp/client.ts'
import { runCli } from '../../../fixtures/run-cli.ts'
import { messageOf } from '../../engine/result.ts'

const SECRET = 'hunter2'
const TEXT = `${SECRET}: [ ${SECRET}\n{"${SECRET}": \n`
/** Every kind of file that commands read by its place in the workspace. */
const PATHS = [
  'profiles/domains/leak.yaml',
  'profiles/presets/leak.yaml',
  'profiles/models/leak.json',
  'profiles/formats/leak.yaml',
  'profiles/collections.yaml',
  'profiles/personas/leak.json',
  '.claude/skills/skill-rules.json',
  'tours/leak.yaml',
  'prompts/coach/rules.yaml',
  'prompts/coach/system.md',
  'prompts/steps/leak.yaml',
  'labels/leak.jsonl',
  'labels/CODEBOOK.md',
  'leak.jsonl',
  '.turnscope/state/view.json',
]

/** A workspace whose files are links to one outside, which exists or not. */
function leaking(exists: boolean): string {
  const outside = makeFolder(exists ? { file: TEXT } : {})
  const root = makeFolder({ 'run.jsonl': makeSession(3) })
  for (const path of PATHS) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    symlinkSync(join(outside, 'file'), join(root, path))
  }
  return root
}
const roots = [leaking(true), leaking(false)] as const
const neutral = (text: string, root: string) => text.replaceAll(root, 'ROOT')

/** The same call on both workspaces: nothing of the file, and no word on whether it exists. */
async function expectNothing(call: (root: string) => Promise<string>): Promise<string> {
  const [there, missing] = await Promise.all(
    roots.map(async (root) => neutral(await call(root), root)),
  )
  expect(there).not.toContain(SECRET)
  expect(there).toBe(missing)
  return there ?? ''
}

describe('[F200] a command over a workspace of links that lead out', () => {
  test.each([
    ['replay', 'run.jsonl', '--domains', 'leak'],
    ['replay', 'run.jsonl', '--domains', 'skill-rules'],
    ['replay', 'run.jsonl', '--preset', 'leak'],
    ['replay', 'run.jsonl', '--profile', 'leak'],
    ['replay', 'leak.jsonl'],
    ['check', 'labels/leak.jsonl'],
    ['tour', 'check'],
    ['coach', 'run.jsonl'],
    ['find', 'fix', '.'],
    ['probe', 'hello'],
  ])(
    '%s %s %s %s',
    async (command, ...args) => {
      const said = await expectNothing(async (root) => {
        const paths = args.map((arg) => (/^(?:\.|.*\.jsonl)$/u.test(arg) ? join(root, arg) : arg))
        const { code, out, err } = await runCli([command, ...paths, '--workspace', root])
        return `${code} ${out} ${err}`
      })
      if (args.some((arg) => arg.includes('leak') || arg === 'skill-rules'))
        expect(said).toMatch(/leads out|there is no/u)
    },
    120_000,
  )

  test('a file outside that is named on the command line is read', async () => {
    const outside = makeFolder({ 'run.jsonl': makeSession(2) })
    const ran = await runCli(['replay', join(outside, 'run.jsonl'), '--workspace', roots[0]])
    expect(ran.code, ran.err).toBe(0)
  }, 120_000)
})

describe('[F157] [F200] an agent over a workspace of links that lead out', () => {
  let clients: readonly McpClient[] = []
  beforeAll(async () => {
    clients = await Promise.all(roots.map((root) => connectMcp(['--workspace', root])))
  }, 120_000)
  afterAll(() => Promise.all(clients.map((each) => each.close())))
  const clientOf = (root: string) => clients[roots.indexOf(root)]!

  test.each(['leak', 'leak.yaml', 'skill-rules', '../../../run.jsonl'])(
    'resources/read %s gives an error',
    async (name) => {
      const said = await expectNothing((root) =>
        clientOf(root)
          .client.readResource({ uri: `turnscope://domains/${encodeURIComponent(name)}` })
          .then((read) => JSON.stringify(read), messageOf),
      )
      expect(said).toMatch(/leads out|there is no|not a/u)
    },
  )

  test('resources/list and tools give nothing of the file', async () => {
    await expectNothing(async (root) => JSON.stringify(await clientOf(root).client.listResources()))
    for (const [name, args] of [
      ['open_session', { file: 'leak.jsonl' }],
      ['list_sessions', {}],
      ['list_sessions', { where: 'recent' }],
      ['check_labels', { labels: ['labels'] }],
      ['check_labels', {}],
      ['explain_turn', { turn: 'leak.jsonl#1' }],
      ['find_turns', { query: 'fix', paths: ['.'] }],
    ] as const)
      await expectNothing(async (root) => {
        const { text, data, isError } = await clientOf(root).call(name, args)
        // Times of the files that each workspace has.
        return JSON.stringify({ text, data, isError }).replaceAll(
          /\d{4}-\d\d-\d\dT[\d:.]+Z/gu,
          'TIME',
        )
      })
  }, 120_000)
})
