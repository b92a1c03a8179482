import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, REPOSITORY } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

const SAMPLE = join(REPOSITORY, 'fixtures/sessions/pipeline-run.jsonl')
const FILES = join(REPOSITORY, 'fixtures/pipeline-run')

interface Answer {
  readonly bundle: {
    readonly run_id: string
    readonly budgets: Readonly<Record<string, number>>
    readonly estimator: string
    readonly provenance: ReadonlyArray<Readonly<Record<string, unknown>>>
  }
  readonly prompt: string
  readonly grammar_name: string
  readonly error?: string
}
const answers = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer)

const folder = makeFolder({ 'm.json': '{"agent_name": "x"}', 'state.bin': 'abc' })
const results = join(folder, 'results.json')
writeFileSync(results, JSON.stringify({ success: true, best_r2: 0.7, note: 'x '.repeat(9) }))

test('bundle prints the prompt, and what is wrong on stderr', async () => {
  const { code, out, err } = await runHere(['bundle', '--step', '4', '--results', results])
  expect(code).toBe(0)
  expect(out).toContain('# Step 4: ml_meta')
  expect(out).toContain('- best_r2: 0.7')
  expect(err).toContain('metrics_missing: 2 key metrics of step 4 not in the results')
})

test('bundle --json has bundle, prompt, report; options reach the budget', async () => {
  const args = ['bundle', '--step', '4', '--root', folder, '--manifest', 'm.json', '--json']
  const more = ['--state', 'state.bin', '--state', 'none.bin', '--ctx', '4096', '--reserve', '500']
  const caps = [
    '--cap-tier0',
    '7',
    '--cap-tier1',
    '8',
    '--cap-history',
    '9',
    '--cap-telemetry',
    '10',
  ]
  const { code, out } = await runHere([
    ...args,
    ...more,
    ...caps,
    '--estimator',
    'words13',
    '--run',
    'r',
  ])
  const [answer] = answers(out)
  expect(code).toBe(0)
  expect(answer).toMatchObject({ grammar_name: 'agent_decision.gbnf' })
  expect(answer!.bundle).toMatchObject({
    run_id: 'r',
    estimator: 'words13',
    budgets: {
      ctx_max_tokens: 4096,
      generation_reserve: 500,
      tier0_reserved: 7,
      tier1_cap: 8,
      history_cap: 9,
      telemetry_cap: 10,
    },
  })
  expect(answer!.bundle.provenance.map(({ size_bytes }) => size_bytes)).toEqual([19, 3, 0])
})

test('bundle --report is a table; an overflow ends with 1', async () => {
  const args = ['bundle', '--step', '3', '--root', FILES, '--until', '2026-02-08T00:00:00Z']
  const ample = await runHere([...args, '--report'])
  expect(ample.code).toBe(0)
  expect(ample.out).toMatch(/^history {6,}6000 +\d+ +\d+/mu)
  expect(ample.out).toContain('run_history.jsonl')
  const tight = await runHere([...args, '--report', '--ctx', '600', '--reserve', '300'])
  expect(tight.code).toBe(1)
  expect(tight.out).toContain('warning     telemetry')
})

test.each([
  [['bundle'], "required option '--step <n>'"],
  [['bundle', '--step', '8'], 'there is no step 8'],
  [['bundle', '--step', '3', '--ctx', 'many'], 'Give a whole number of tokens'],
  [['bundle', '--step', '3', '--results', 'no-such-file'], 'ENOENT'],
  [['bundle', '--step', '3', '--results', join(REPOSITORY, 'README.md')], 'not JSON'],
  [['bundle', '--step', '3', '--now', 'soon'], '"soon" is not a time'],
  [['lint', 'no-such-file'], 'no-such-file'],
])('%j ends with 2 and one clear line', async (args, message) => {
  const { code, out, err } = await runHere(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(message)
})

test('eval bundle: files of the line, no disk, errors in their place', async () => {
  const files = { 'm.json': '{"agent_name": "x"}', 'run_history.jsonl': '' }
  const record = { step_id: 3, manifest_path: 'm.json', results: { mean_score: 1 } }
  const lines = [
    { ...record, files, now: '2026-02-02T10:00:00Z', run_id: 'r1' },
    { manifest_path: 'package.json', step_id: 3, budgets: { tier1_cap_tokens: 5 } },
    { step_id: 4, is_chapter_13: true },
    { step_id: 'three' },
    { step_id: 13, results: { a: [1] }, estimator: 'o200k_base' },
  ]
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const [one, two] = await Promise.all([
    runHere(['eval', 'bundle'], { input }),
    runHere(['eval', 'bundle'], { input }),
  ])
  expect(one.code).toBe(2)
  const [first, second, third, fourth, fifth] = answers(one.out)
  expect(Object.keys(first!)).toEqual(['bundle', 'prompt', 'grammar_name'])
  expect(first).toMatchObject({
    bundle: { run_id: 'r1', generated_at: '2026-02-02T10:00:00.000Z' },
  })
  expect(first!.bundle.provenance.map(({ path }) => path)).toEqual(['m.json', 'run_history.jsonl'])
  expect(second!.bundle.provenance[0]).toMatchObject({ sha256: 'FILE_NOT_FOUND' })
  expect(second!.bundle.budgets['tier1_cap']).toBe(5)
  expect(third!.error).toContain('step 4 is not Chapter 13')
  expect(fourth!.error).toContain('step_id')
  expect(fifth!.bundle.estimator).toBe('o200k_base')
  const again = answers(two.out)
  expect(again.map(({ prompt }) => prompt)).toEqual(answers(one.out).map(({ prompt }) => prompt))
  expect(again[1]!.bundle.run_id).toBe(second!.bundle.run_id)
})

test('[A4] lint finds prompts that the factory did not make: 1 with findings, 0 without', async () => {
  const [text, json, clean] = await Promise.all([
    runHere(['lint', '--rule', 'dispatch', SAMPLE]),
    runHere(['lint', '--rule', 'dispatch', SAMPLE, '--json']),
    runHere(['lint', '--rule', 'dispatch', join(REPOSITORY, 'fixtures/sessions/st-003.jsonl')]),
  ])
  expect(text.code).toBe(1)
  expect(text.out).toMatch(/pipeline-run\.jsonl:25: prompt_differs: the prompt of step 6/u)
  expect(text.err).toBe('turnscope: 3 findings\n')
  const rules = json.out
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { rule: string }).rule)
  expect(rules).toEqual(['prompt_differs', 'results_inline', 'step_unreadable'])
  expect(clean).toEqual({ code: 0, out: '', err: '' })
})

test('[A4] lint accepts the prompt that the bundle renders to', async () => {
  const record = { step_id: 1, results: { success: true, survivor_count: 9 } }
  const [answer] = answers(
    (await runHere(['eval', 'bundle'], { input: JSON.stringify(record) })).out,
  )
  const file = join(folder, 'session.jsonl')
  const step = { kind: 'step', text: JSON.stringify({ ...record, prompt: answer!.prompt }) }
  writeFileSync(file, `{"type":"session","schemaVersion":1}\n${JSON.stringify(step)}\n`)
  expect(await runHere(['lint', '--rule', 'dispatch', file])).toEqual({ code: 0, out: '', err: '' })
})
