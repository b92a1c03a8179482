import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runHere } from '../../../fixtures/run-here.ts'
import { HOME } from '../../place.ts'

const SESSION = join(HOME, 'fixtures/sessions/st-003.jsonl')
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnscope-forms-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const signatures = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly signature: string }).signature)

test('[U129] spans, columns and traces of a session say what its replay says; spans open again', async () => {
  const [otel, csv, jsonl] = ['spans.json', 'turns.csv', 'traces.jsonl'].map((name) =>
    join(folder, name),
  )
  const args = ['--otel', otel ?? '', '--csv', csv ?? '', '--jsonl', jsonl ?? '']
  const ran = await runHere(['export', SESSION, ...args])
  expect(ran.code).toBe(0)
  const plain = ['--json', '--no-probe', '--no-prompt', '--no-verdicts', '--no-query']
  const ours = signatures((await runHere(['replay', SESSION, ...plain])).out)
  expect(signatures((await runHere(['replay', otel ?? '', ...plain])).out)).toEqual(ours)
  expect(signatures(readFileSync(jsonl ?? '', 'utf8'))).toEqual(ours)
  const rows = readFileSync(csv ?? '', 'utf8')
    .trim()
    .split('\r\n')
  expect(rows).toHaveLength(ours.length + 1)
  const spans = readFileSync(otel ?? '', 'utf8')
  for (const name of ['gen_ai.operation.name', 'gen_ai.conversation.id', 'openinference.span.kind'])
    expect(spans).toContain(`"key":"${name}"`)
})

test('[U129] Markdown of a turn and of a comparison goes to standard output', async () => {
  const { out, code } = await runHere([
    'export',
    SESSION,
    '--markdown',
    '-',
    '--turns',
    '13',
    '--compare',
    'field',
  ])
  expect(code).toBe(0)
  expect(out).toContain('### Turn 13 of ')
  expect(out).toContain('11 of 47 turns')
  expect(out.split('\n').filter((line) => /^\| \d+ \|/u.test(line))).toHaveLength(11)
})

test.each([
  [[], /nothing says what to write/u],
  [['--markdown', join(HOME, 'x.md')], /of some turns or of a comparison/u],
  [['--csv', '-', '--otel', '-'], /cannot share standard output/u],
])('[U129] %j is refused', async (args, problem) => {
  const { err, code } = await runHere(['export', SESSION, ...args])
  expect(code).toBe(2)
  expect(err).toMatch(problem)
})

const SAID = /searched for key, token, email, home; detection cannot be complete/u

test('[R21] exports state which kinds were searched for, and that detection cannot be complete', async () => {
  const forms = await runHere(['export', SESSION, '--csv', join(folder, 'note.csv')])
  const kept = await runHere(['export', SESSION, '--csv', join(folder, 'kept.csv'), '--no-redact'])
  const lines = await runHere(['convert', SESSION, '--redact'])
  for (const { err } of [forms, lines]) expect(err).toMatch(SAID)
  expect(kept.err).not.toMatch(SAID)
})

test.skipIf(!existsSync(join(HOME, 'dist/page')))('[R21] so does a page', async () => {
  const page = join(folder, 'page.html')
  expect((await runHere(['export', SESSION, '--html', page])).err).toMatch(SAID)
  expect(readFileSync(page, 'utf8')).toMatch(SAID)
})
