import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CLI } from '../../../fixtures/built.ts'
import { runHere } from '../../../fixtures/run-here.ts'

function start(args: readonly string[]) {
  return spawn(process.execPath, [CLI, ...args])
}

const run = (args: readonly string[], input = '') => runHere(args, { input })

const jsonLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
const lines = (...items: readonly unknown[]) =>
  items.map((item) => `${typeof item === 'string' ? item : JSON.stringify(item)}\n`).join('')

test('eval signal, by the preset: [S1] blanks in the opening tag', async () => {
  const response =
    '<signal  type = "stuck"><attempted>["a"]</attempted><blocker>no log</blocker></signal>'
  const input = lines({ response }, { response: 'none' })
  const [recommended, literal] = await Promise.all([
    run(['eval', 'signal'], input),
    run(['eval', 'signal', '--preset', 'literal', '--json'], input),
  ])
  expect(recommended).toMatchObject({ code: 0, err: '' })
  expect(jsonLines(recommended.out)).toMatchObject([
    { signal: { type: 'stuck', confidence: 0.5, raw_xml: response }, stripped: '' },
    { signal: null, stripped: 'none', diagnostics: [] },
  ])
  expect(jsonLines(literal.out)[0]).toMatchObject({ signal: null })
})

test('eval query, by the preset: [Q1] whole words', async () => {
  const input = lines({ query: 'the classy carpet' }, { query: 'Where is the auth function?' })
  const [recommended, literal] = await Promise.all([
    run(['eval', 'query'], input),
    run(['eval', 'query', '--preset', 'literal'], input),
  ])
  expect(jsonLines(recommended.out)).toMatchObject([
    { type: 'conversational', keywords: [] },
    { type: 'code', keywords: ['function', 'where is'], needs_code: true, segment: 'code' },
  ])
  expect(jsonLines(literal.out)[0]).toMatchObject({ type: 'code', keywords: ['class'] })
})

test('eval compose: a prompt or its error for each line, both are answers', async () => {
  const files = { 'oracle/base.md': 'Base {{ x }}' }
  const registry = [
    {
      id: 'base',
      file_path: 'oracle/base.md',
      priority: 0,
      conditions: [],
      required: true,
      token_estimate: 5,
    },
  ]
  const input = lines(
    { registry, files, query_type: 'code', context: { x: 1 } },
    { registry, files: {}, query_type: 'code' },
    { query_type: 'code' },
  )
  const { code, out, err } = await run(['eval', 'compose'], input)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const [own, missing, shipped] = jsonLines(out)
  expect(own).toEqual({
    segments_included: ['base'],
    token_estimate: 1,
    warnings: [],
    content: 'Base 1',
  })
  expect(missing?.['error']).toContain("Failed to load required segment 'base'")
  expect(shipped?.['segments_included']).toEqual(['base', 'signals', 'tools', 'code'])
})

test('eval compose reads no file outside prompts/', async () => {
  const registry = [
    {
      id: 'out',
      file_path: '../package.json',
      priority: 0,
      conditions: [],
      required: true,
      token_estimate: 0,
    },
  ]
  const { out } = await run(['eval', 'compose'], lines({ registry, query_type: 'code' }))
  expect(jsonLines(out)).toEqual([
    { error: "Failed to load required segment 'out': not found: ../package.json" },
  ])
})

test.each([['signal'], ['query'], ['compose']])(
  'eval %s answers a bad line in its place and ends with 2',
  async (part) => {
    const good = { response: 'x', query: 'x', query_type: 'code' }
    const { code, out, err } = await run(['eval', part], lines(good, '{', {}, good))
    expect(code).toBe(2)
    expect(jsonLines(out).map((answer) => 'error' in answer)).toEqual([false, true, true, false])
    expect(err).toBe('turnscope: stdin: 2 lines could not be used, see "error" in the output\n')
  },
)

test('eval answers a line before the next one comes', async () => {
  const child = start(['eval', 'query'])
  child.stdin.write(lines({ query: 'Where is it?' }))
  const first = await new Promise<string>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()))
  })
  expect(JSON.parse(first)).toHaveProperty('type')
  const ended = new Promise((resolve) => child.on('close', resolve))
  child.stdin.end()
  expect(await ended).toBe(0)
})

test('compose for people and as JSON', async () => {
  const args = [
    'compose',
    'Compare React vs Vue',
    '--var',
    'project_name=Demo=1',
    '--budget',
    '1900',
  ]
  const [text, json] = await Promise.all([run(args), run([...args, '--json', '--type', 'code'])])
  expect(text).toMatchObject({ code: 0, err: '' })
  expect(text.out).toContain('type        research')
  expect(text.out).toMatch(/budget {6}\d+ of 1900 tokens/u)
  expect(text.out).toContain('o200k_base')
  expect(text.out).toContain('Project: Demo=1')
  const [answer] = jsonLines(json.out)
  expect(answer).toMatchObject({
    query: { type: 'code', confidence: 1 },
    prompt: { budget: 1900, segmentsIncluded: ['base', 'signals', 'tools', 'code'] },
  })
})

test('compose takes prompts of the workspace, and a preset by path', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-cli-'))
  mkdirSync(join(folder, 'prompts/oracle'), { recursive: true })
  writeFileSync(join(folder, 'prompts/oracle/base.md'), 'My own base.')
  const preset = fileURLToPath(new URL('../../../profiles/presets/literal.yaml', import.meta.url))
  const { out } = await run(['compose', 'hello', '--workspace', folder, '--preset', preset])
  expect(out).toContain('My own base.\n\n---\n\n# Self-signals')
})

test.each([
  [['compose'], "missing required argument 'text'"],
  [['compose', 'x', '--type', 'nope'], 'Allowed choices are code'],
  [['compose', 'x', '--budget', '-1'], 'A budget is a whole number'],
  [['compose', 'x', '--var', 'novalue'], 'Write NAME=VALUE'],
  [['compose', 'x', '--preset', 'nope'], 'there is no preset "nope"'],
  [['eval', 'signal', '--preset', 'nope'], 'there is no preset "nope"'],
  [['eval', 'nope'], "unknown command 'nope'"],
])('%j ends with 2, nothing on stdout and one clear line', async (args, message) => {
  const { code, out, err } = await run(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(message)
  expect(err).toMatch(/^turnscope: /u)
})
