import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHere } from '../../../fixtures/run-here.ts'
import { makeFolder, REPOSITORY } from '../../../fixtures/host.ts'

const SIGNAL = `Looking. <signal type="need_turn"><reason>reading more</reason></signal>`
const session = join(makeFolder(), 'own.jsonl')
writeFileSync(
  session,
  [
    { type: 'session', schemaVersion: 1, id: 's', title: 'Own work' },
    { kind: 'agent', text: 'Hello, what shall we do?' },
    { kind: 'user', text: 'Fix the crash in parse_config of the Tower Faction' },
    { kind: 'agent', text: SIGNAL },
    { kind: 'tool_call', text: 'grep', name: 'bash' },
    { kind: 'agent', text: 'I have fixed it, all 12 tests pass.' },
    { kind: 'user', text: 'Thanks' },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(''),
)

const jsonLines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

interface Line {
  readonly query: { readonly type: string } | null
  readonly prompt: { readonly prompt: { readonly content: string } } | null
  readonly output: number | null
  readonly self_signals: ReadonlyArray<{ readonly seq: number; readonly signal: unknown }>
  readonly verdicts: ReadonlyArray<{ readonly seq: number; readonly type: string }>
  readonly probe: { readonly hits: ReadonlyArray<{ readonly collection: string }> } | null
  readonly absent: Readonly<Record<string, string>>
}

async function linesOf(args: readonly string[]) {
  const { code, out, err } = await runHere(['replay', session, '--json', ...args])
  return { code, err, lines: jsonLines(out) as Line[] }
}

it('[I95] a line holds query, prompt, self-signals and verdicts of its turn, and says why there is no probe', async () => {
  const { code, err, lines } = await linesOf([])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const [first, second] = lines
  expect(first?.query).toMatchObject({ type: 'code', hasContext: true })
  expect(first?.prompt?.prompt.content).toContain('[BST] Domain:')
  expect(lines.map(({ output }) => output)).toEqual([4, null])
  expect(second?.absent['output']).toBe('the agent says nothing before the next turn')
  // Self-signals before the first turn belong to that turn.
  expect(first?.self_signals.map(({ seq, signal }) => [seq, signal !== null])).toEqual([
    [0, false],
    [2, true],
    [4, false],
  ])
  expect(first?.verdicts.map(({ seq, type }) => [seq, type])).toEqual([
    [0, 'question'],
    [2, expect.any(String)],
    [4, 'completion'],
  ])
  expect(first?.probe).toBeNull()
  expect(first?.absent).toEqual({ probe: expect.stringContaining('--samples') as string })
  expect(second).toMatchObject({ self_signals: [], verdicts: [] })
})

it('[I95] a turn that is no message has no query, and says so', async () => {
  const { lines } = await linesOf(['--classify', 'agent'])
  const absent = { query: expect.stringContaining('no message') as string }
  expect(lines[0]).toMatchObject({ query: null, prompt: null, probe: null, absent })
})

const LEFT_OUT = ['--no-query', '--no-prompt', '--no-self-signals', '--no-verdicts']

it('[I95] each part can be left out', async () => {
  const parts = ['query', 'prompt', 'self_signals', 'verdicts', 'probe']
  const { lines } = await linesOf([...LEFT_OUT, '--no-probe'])
  expect(lines[0]).toMatchObject({ absent: {}, turn: 1 })
  for (const part of parts) expect(lines[0]).not.toHaveProperty(part)
  const { lines: probed } = await linesOf(LEFT_OUT)
  expect(Object.keys(probed[0] ?? {}).filter((key) => parts.includes(key))).toEqual(['probe'])
})

it('[I95] [D70] own sessions are probed in own collections, samples answer for sample sessions', async () => {
  const workspace = makeFolder()
  for (const name of ['profiles', 'notes']) mkdirSync(join(workspace, name))
  const text = '# Factions\n\nThe Tower Faction holds the northern gate.\n'
  writeFileSync(join(workspace, 'notes', 'factions.md'), text)
  const collections = [
    { name: 'notes', paths: ['notes'] },
    { name: 'campaign', paths: ['fixtures/collections/dnd_campaign'] },
  ]
  writeFileSync(join(workspace, 'profiles/collections.yaml'), JSON.stringify({ collections }))
  expect((await runHere(['index', 'notes', '--workspace', workspace])).code).toBe(0)
  const args = [...LEFT_OUT, '--workspace', workspace]
  const hitsOf = async (path: string, ...more: readonly string[]) => {
    const { out } = await runHere(['replay', path, '--json', ...args, ...more])
    const lines = jsonLines(out) as Line[]
    return new Set(lines.flatMap(({ probe }) => probe?.hits.map((hit) => hit.collection) ?? []))
  }
  const first = await linesOf(args)
  expect(first).toMatchObject({ code: 0, lines: [{ probe: { primary_collection: 'notes' } }, {}] })
  // Twice the same: times are no part of a line.
  expect((await linesOf(args)).lines).toEqual(first.lines)
  expect(await hitsOf(session)).toEqual(new Set(['notes']))
  expect(await hitsOf(session, '--samples')).toEqual(new Set(['notes', 'campaign']))
  const sample = join(REPOSITORY, 'fixtures', 'sessions', 'three-shelves.jsonl')
  expect(await hitsOf(sample)).toContain('campaign')
})
