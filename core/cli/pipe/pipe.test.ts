import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runCli } from '../../../fixtures/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnscope-pipe-'))
const rows = (...all: readonly object[]) => all.map((row) => `${JSON.stringify(row)}\n`).join('')
const primaries = (out: string) =>
  out
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { primary: string | null }).primary)

test('[F110] pipe classifies rows of mixed sessions; equal input gives equal bytes', async () => {
  const input = rows(
    { session: 'a', turn: 1, message: 'fix the bug in the parser', id: 1 },
    { session: 'b', turn: 1, message: 'Write a poem about the sea' },
    { session: 'a', turn: 2, message: 'ok' },
  )
  const ran = await runCli(['pipe'], input)
  expect(ran).toMatchObject({ code: 0, err: '' })
  expect(primaries(ran.out)).toEqual(['bugfix', expect.any(String), 'conversation'])
  expect(ran.out).toContain('{"session":"a","turn":1,"id":1,"primary":"bugfix"')
  expect(await runCli(['pipe'], input)).toEqual(ran)
})

test('[F110] lines that cannot be used go to the error channel, and the exit code says so', async () => {
  const errors = join(folder, 'errors.jsonl')
  const input = `nonsense\n${rows({ session: 'a', turn: 1, message: 'fix the bug' })}{}`
  const ran = await runCli(['pipe', '--errors', errors], input)
  expect(ran.code).toBe(2)
  expect(primaries(ran.out)).toEqual(['bugfix'])
  expect(ran.err).toBe('turnscope: stdin: 2 lines could not be used\n')
  const lines = readFileSync(errors, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { line: number }).line)).toEqual([1, 3])
  const nowhere = await runCli(['pipe', '--errors', join(folder, 'no', 'such.jsonl')], input)
  expect(nowhere).toMatchObject({ code: 2, out: '' })
  expect(nowhere.err).toContain('it cannot be written')
})

test('[C23] answers the same with what the run before kept of a file of its own', async () => {
  const cache = mkdtempSync(join(folder, 'cache-'))
  vi.stubEnv('XDG_CACHE_HOME', cache)
  onTestFinished(() => void vi.unstubAllEnvs())
  const domains = join(folder, 'many.yaml')
  const signals = Array.from(
    { length: 80 },
    (_, at) => `  - '\\b(?:word${at}|na\u00efve${at})s?\\b'`,
  )
  const text = (own: readonly string[]) =>
    `name: many\n# ${'x'.repeat(4000)}\ndomains:\n- name: words\n  signals:\n${own.join('\n')}\n`
  writeFileSync(domains, text(signals))
  const run = (message: string) =>
    runCli(
      ['pipe', '--domains', domains],
      rows(
        { session: 'a', turn: 1, message },
        { session: 'a', turn: 2, message: 'WORD9 na\u00efve8' },
      ),
    )
  const first = await run('word7 and word12')
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(first.out).toContain('"fired":["words/8","words/13"]')
  const kept = readdirSync(join(cache, 'turnscope', 'automata'))
  expect(kept.filter((name) => name.endsWith('.kept'))).toHaveLength(2)
  expect(await run('word7 and word12')).toEqual(first)
  writeFileSync(domains, text([...signals, "  - '(broken'"]))
  expect((await run('word7')).err).toMatch(/many\.yaml:\d+:\d+/)
})

test('[F112] evicted sessions are reported', async () => {
  const row = (session: number, turn: number) => ({ session, turn, message: 'fix the bug' })
  const ran = await runCli(
    ['pipe', '--max-open', '2'],
    rows(row(1, 1), row(2, 1), row(3, 1), row(1, 1)),
  )
  expect(ran.code).toBe(0)
  expect(ran.err).toContain('evicted 2 sessions, because more than 2 were open')
})

test('[T61] a pattern that never ends is cut off, named in the rows, and the rest goes on', async () => {
  const domains = join(folder, 'domains.yaml')
  writeFileSync(
    domains,
    'name: x\ndomains:\n  - name: endless\n    signals: ["^(x+x+)+y$"]\n  - name: bugfix\n    signals: [{ id: bug, pattern: bug }]\n',
  )
  const input = rows(
    { session: 'a', turn: 1, message: 'a bug' },
    { session: 'a', turn: 2, message: 'x'.repeat(5000) },
    { session: 'a', turn: 3, message: 'a bug' },
  )
  const ran = await runCli(['pipe', '--domains', domains], input)
  expect(ran.code).toBe(2)
  expect(ran.err).toContain('was cut off after')
  const cutOff = ran.out
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { cut_off: readonly string[] }).cut_off)
  expect(cutOff).toEqual([[], ['endless/1'], ['endless/1']])
  expect(primaries(ran.out)).toEqual(['bugfix', 'conversation', 'bugfix'])
})
