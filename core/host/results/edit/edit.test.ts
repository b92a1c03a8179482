import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import {
  makeFolder,
  makeHost,
  makeSession,
  windowOf,
  collect,
  CONFIG,
  REPOSITORY,
} from '../../../../fixtures/host.ts'
import { runCli } from '../../../../fixtures/run-cli.ts'
import { NO_RESULTS_FILTER } from '../../../engine/schema/results.ts'

const TEXTS = [
  'fix the bug in the parser',
  'ok',
  'Write unit tests',
  'Plan the release',
  'thanks, git push it',
  'read the file and summarize it',
  'it’s “late” 😀 fix',
  'Investigate why the rating changed',
  '',
]
const KINDS = ['user', 'assistant', 'tool', 'user', 'user']
let seed = 11
const random = () => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) / 0x7fffffff
const pick = () => TEXTS[Math.floor(random() * TEXTS.length)] ?? ''
const rows = Array.from({ length: 900 }, (_, at) => ({
  session: `s${at % 23}`,
  turn: Math.floor(at / 23),
  role: KINDS[(at * 3) % 5],
  text: `${pick()} ${pick()}`,
}))
const folder = makeFolder({
  'rows.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  'session.jsonl': makeSession(60),
})
const at = (...names: readonly string[]) => join(folder, ...names)
const inputs = ['rows.jsonl', 'session.jsonl'].map((name) => at(name))
const out = at('out')

beforeAll(async () => {
  const args = [
    'batch',
    ...inputs,
    join(REPOSITORY, 'fixtures/sessions/st-003.jsonl'),
    '--out',
    out,
  ]
  expect(await runCli(args)).toMatchObject({ code: 0 })
}, 60_000)

const shipped = readFileSync(join(REPOSITORY, 'profiles/domains/default.yaml'), 'utf8')

/** Edits of the shipped domain file, by whether they scan texts. */
const EDITS: Readonly<
  Record<string, { readonly text: (text: string) => string; readonly scans: boolean }>
> = {
  'a signal that is gone': { scans: false, text: (text) => withoutOne(text, 'run-the-tests') },
  'another priority': {
    scans: false,
    text: (text) => text.replace(/priority: (\d+)/u, 'priority: 97'),
  },
  'a new pattern': {
    scans: true,
    text: (text) =>
      withoutOne(text, 'run-the-tests').replace(
        /signals:\n/u,
        `signals:\n      - { id: made-up, pattern: '(?i)\\bthe (?:bug|release)\\b' }\n`,
      ),
  },
}

/** The file without one signal: a list item of YAML, with the lines that belong to it. */
function withoutOne(text: string, id: string): string {
  const lines = text.split('\n')
  const named = lines.findIndex((line) => line.includes(`id: ${id}`))
  if (named < 0) throw new Error(`there is no signal ${id}`)
  let from = named
  while (!/^\s*- /u.test(lines[from] ?? '')) from -= 1
  const indent = /^\s*/u.exec(lines[from] ?? '')?.[0].length ?? 0
  let to = from + 1
  while (
    (lines[to] ?? '').trim() !== '' &&
    (/^\s*/u.exec(lines[to] ?? '')?.[0].length ?? 0) > indent
  )
    to += 1
  return [...lines.slice(0, from), ...lines.slice(to)].join('\n')
}

const flipsOf = async (args: readonly string[]) => {
  const ran = await runCli(['results', ...args, '--list', 'flips', '--most', '100000', '--json'])
  expect(ran).toMatchObject({ code: 0 })
  const lines = ran.out.split('\n').filter((line) => line !== '')
  return { flips: lines.map((line) => JSON.parse(line) as unknown), said: ran.err }
}

async function expectSame(name: string, side: string): Promise<string> {
  const whole = at(`whole-${name}`)
  const all = [...inputs, join(REPOSITORY, 'fixtures/sessions/st-003.jsonl')]
  expect(await runCli(['batch', ...all, '--out', whole, '--against', side])).toMatchObject({
    code: 0,
  })
  const run = await flipsOf([whole])
  const edited = await flipsOf([out, '--edit', side])
  expect(run.flips.length).toBeGreaterThan(0)
  expect(edited.flips).toEqual(run.flips)
  return edited.said
}

test.each(Object.entries(EDITS))(
  '[F146] %s: the flips are those of a whole run',
  async (name, { text, scans }) => {
    const file = at(`${name.replaceAll(' ', '-')}.yaml`)
    writeFileSync(file, text(shipped))
    const said = await expectSame(name.replaceAll(' ', '-'), file)
    expect(said).toContain(scans ? 'texts were read for 1 signal' : 'no text was read')
  },
  60_000,
)

test('[F146] another preset: the flips are those of a whole run', async () => {
  const said = await expectSame('literal', 'preset:literal')
  expect(said).toContain('nothing but notices of a client')
}, 60_000)

test('[F146] a preset that reads less of a text: everything is looked for again', async () => {
  const file = at('short.yaml')
  const preset = readFileSync(join(REPOSITORY, 'profiles/presets/recommended.yaml'), 'utf8')
  writeFileSync(
    file,
    preset.replace('name: recommended', 'name: short').replace('maxChars: 32768', 'maxChars: 24'),
  )
  expect(await expectSame('short', file)).toMatch(/texts were read for \d\d\d signals/u)
}, 60_000)

test('[F146] other kinds of texts are other turns: refused', async () => {
  const ran = await runCli(['results', out, '--edit', 'preset:recommended', '--classify', 'user'])
  expect(ran.code).toBe(2)
  expect(ran.err).toContain('classifies other kinds of texts')
})

test('[F146] edits and questions that come together: each has its own answer', async () => {
  const host = makeHost()
  const one = windowOf(host)
  const two = windowOf(host)
  const sides = [
    { kind: 'config' as const, config: { ...CONFIG, preset: 'literal' } },
    { kind: 'config' as const, config: CONFIG },
  ] as const
  const totalOf = async (client: typeof one, side: (typeof sides)[number]) =>
    (await collect(client, 'results.edit', { path: out, side })).find(
      (step) => step.kind === 'edited',
    )?.total
  const alone = [await totalOf(one, sides[0]), await totalOf(one, sides[1])]
  expect(alone[0]).toBeGreaterThan(0)
  expect(alone[1]).toBe(0)
  const counts = {
    path: out,
    filter: NO_RESULTS_FILTER,
    flips: 'against',
    by: 'file',
    of: 'turns',
  } as const
  const stop = new AbortController()
  const cancelled = Array.from({ length: 20 }, () =>
    two.call('results.counts', counts, stop.signal).catch(() => null),
  )
  const together = Promise.all([
    totalOf(one, sides[0]),
    totalOf(two, sides[1]),
    totalOf(two, sides[0]),
    totalOf(one, sides[1]),
  ])
  stop.abort()
  expect(await together).toEqual([...alone, ...alone])
  await Promise.all(cancelled)
  await host.close()
})

test('[F145] [F146] damaged matches, and a configuration that is gone, are said', async () => {
  const host = makeHost()
  const client = windowOf(host)
  const side = { kind: 'config' as const, config: { ...CONFIG, preset: 'literal' } }
  const edit = () => collect(client, 'results.edit', { path: out, side })
  const asked = { path: out, filter: NO_RESULTS_FILTER, from: 0, most: 10 } as const
  const rows = (flips: number) => client.call('results.flips', { ...asked, flips })
  const GONE = { what: expect.stringContaining('another edit was tried') as unknown }
  await expect(rows(1)).rejects.toMatchObject(GONE)
  const edited = (await edit()).find((step) => step.kind === 'edited')
  expect(edited?.total).toBeGreaterThan(0)
  const first = edited?.edit ?? 0
  expect((await rows(first)).rows.length).toBe(Math.min(10, edited?.total ?? 0))
  // An edit of another window, for example: this window's flips must not be taken from it.
  await edit()
  await expect(rows(first)).rejects.toMatchObject(GONE)
  const path = join(out, 'matches', 'part-00000.bin')
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.subarray(0, bytes.length - 40))
  await expect(edit()).rejects.toMatchObject({ where: path })
  writeFileSync(path, bytes)
  writeFileSync(join(out, 'config.json'), '{}')
  await expect(edit()).rejects.toMatchObject({
    what: 'these results do not say what they were classified with',
  })
  await host.close()
})
