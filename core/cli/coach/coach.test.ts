import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CLI } from '../../../fixtures/built.ts'
import { startModelServer, verdictText } from '../../../fixtures/model-servers.ts'
import { makeFolder } from '../../../fixtures/host.ts'
import { basisText } from './coach.ts'

const OUTPUTS = [
  'Fixed in commit 4be19aa; `pytest`: 61 passed in 3.1s.',
  'I rewrote the importer. It should work now.',
  'Which branch do you want this on?',
]

const HEAD = { type: 'session', schemaVersion: 1, id: 's1', title: 'Three outputs' }

/** Puts a user message after each output, so that the agent stopped there. */
function stopped(outputs: readonly string[]) {
  return outputs.flatMap((text) => [
    { kind: 'agent', text },
    { kind: 'user', text: 'go on' },
  ])
}

function workspace(
  outputs: readonly string[] = OUTPUTS,
  events: readonly object[] = outputs.map((text) => ({ kind: 'agent', text })),
  files: Readonly<Record<string, string>> = {},
): string {
  const lines = [HEAD, ...events]
  return makeFolder({
    ...files,
    'work.jsonl': lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    'labels/work.jsonl.coach.jsonl': '',
  })
}

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the real command line as a child process, without keys of this machine. */
function run(folder: string, args: readonly string[], env: Record<string, string> = {}) {
  const none = { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', TURNSCOPE_COACH_KEY: '' }
  const argv = [CLI, 'coach', 'work.jsonl', '--workspace', folder, ...args]
  return new Promise<Ran>((resolve) => {
    const child = spawn(process.execPath, argv, {
      cwd: folder,
      env: { ...process.env, ...none, ...env },
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

test('coach prints every output with its type and what goes back; exit 1 for something sent back', async () => {
  const folder = workspace(OUTPUTS, stopped(OUTPUTS))
  const { code, out, err } = await run(folder, ['--labels'])
  expect(code).toBe(1)
  expect(err).toBe('')
  expect(out).toMatch(/^1 +completion +0\.90 +pass +rules/m)
  expect(out).toMatch(/^3 +status +0\.90 +back +rules +hedging .*\[System Coach\]/m)
  expect(out).toMatch(/^5 +question +0\.90 +pass/m)
  expect(out).toContain('3 outputs at which the agent stopped: 2 pass, 1 go back to the agent')
  expect(out).toContain('labels: 0/0 agree')
})

test('[L100] coach --labels says what its figures stand on, of all files together', () => {
  const judged = (source: string, verdict: 'status' | 'completion') => ({
    source,
    label: 'completion' as const,
    verdict,
  })
  const said = basisText([
    judged('a.jsonl', 'completion'),
    judged('a.jsonl', 'completion'),
    judged('b.jsonl', 'completion'),
    judged('b.jsonl', 'status'),
  ])
  expect(said).toContain('measured on 4 labelled outputs of 2 sources, 2 folds of whole sources')
  expect(said).toContain('the rules were written on none of these')
  expect(said).toContain('always completion, the most frequent answer: 4 of 4')
  expect(said).toContain('reader agreement unknown: no output has labels of two readers')
  const { label, verdict } = { label: 'completion', verdict: 'completion' } as const
  const shipped = [{ source: 'shipped examples', label, verdict }]
  expect(basisText(shipped)).toContain('the rules were written on these: 1 of 1 output')
})

test('[V62] outputs after which the agent went on are folded into one line, and no findings', async () => {
  const folded = await run(workspace(), [])
  expect(folded.code).toBe(0)
  expect(folded.out).not.toMatch(/^[01] +(?:status|completion)/m)
  expect(folded.out).toMatch(/^3 +question/m)
  expect(folded.out).toContain('… 2 outputs after which the agent went on by itself are not listed')
  expect(folded.out).toContain('1 pass, 0 go back to the agent; after 2 more it went on by itself')
  const all = await run(workspace(), ['--all'])
  expect(all.out).toMatch(/^2 +status +0\.90 +back +rules +went_on hedging .*\[System Coach\]/m)
  const json = await run(workspace(), ['--json'])
  expect(json.out.trim().split('\n')).toHaveLength(3)
})

test('[V81] --explain says why, sentence by sentence, as text and as JSON', async () => {
  const events = [
    { kind: 'user', text: 'Fix the export.' },
    { kind: 'agent', text: 'Done.\n\nTests: 2 failed, 118 passed' },
  ]
  const folder = workspace([], events)
  const text = await run(folder, ['--explain'])
  expect(text.code).toBe(1)
  expect(text.out).toContain('its own figures say that some failed')
  expect(text.out).toMatch(/> Tests: 2 failed, 118 passed {2}\[proof; against: 2 failed/)
  expect(text.out).toContain('A model would')
  const plain = await run(folder, ['--json'])
  expect(JSON.parse(plain.out)).toMatchObject({ rule: 'contradicted', flags: ['contradicted'] })
  expect(plain.out).not.toContain('"sentences"')
  const whole = await run(folder, ['--json', '--explain'])
  expect(JSON.parse(whole.out)).toMatchObject({
    why: expect.stringContaining('its own figures') as unknown,
    sentences: [
      { act: 'claim', decided: false },
      {
        act: 'proof',
        decided: true,
        proofs: [{ sign: 'against' }, { sign: 'for' }],
        span: [7, 34],
      },
    ],
  })
})

test('[V78] what the person asked before an output counts: an answer is a deliverable', async () => {
  const text = 'The limit lives in the settings file.'
  const said = (asked: string) => [
    { kind: 'user', text: asked },
    { kind: 'agent', text },
  ]
  const events = [...said('Where is the limit?'), ...said('Raise the limit.')]
  const { out } = await run(workspace([], events), ['--json'])
  const types = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly type: string }).type)
  expect(types).toEqual(['completion', 'question'])
})

test('[V60] a blank output is no question: between steps it is none, at the end it goes back', async () => {
  const events = [
    { kind: 'agent', text: ' \n' },
    { kind: 'tool_call', name: 'ls', text: '{}' },
    { kind: 'agent', text: '' },
  ]
  const { out } = await run(workspace([], events), ['--json'])
  const lines = out.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    {
      seq: 2,
      type: 'status',
      flags: ['empty'],
      message: expect.stringMatching(/blank/) as unknown,
    },
  ])
})

test('[V61] --plan and --skill reach the coach: the file is read, its criteria are what it is held to', async () => {
  const plan = '# Plan\n\n## Success criteria\n- [ ] the export has a header\n'
  const events = stopped(['3 of 7 files are migrated, not done yet.'])
  const folder = workspace([], events, { 'docs/plan.md': plan })
  const given = await run(folder, ['--plan', 'docs/plan.md', '--skill', 'do-build', '--json'])
  const line = JSON.parse(given.out) as { readonly message: string }
  expect(line.message).toContain('do-build')
  expect(line.message).toContain('the export has a header')
  const missing = await run(folder, ['--plan', 'docs/none.md'])
  expect(missing.code).toBe(2)
  expect(missing.err).toMatch(/^turnscope: --plan: the plan was not read: .*none\.md/)
})

test('[V61] a transcript names its plan too: read below its folder, never outside', async () => {
  const plan = '## Done when\n- the file is there\n'
  const head = (path: string) => ({ ...HEAD, plan: path })
  const file = (path: string) =>
    [head(path), ...stopped(['3 of 7 files are migrated, not done yet.'])]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')
  const outside = makeFolder({ 'plan.md': plan })
  const folder = makeFolder({ 'plan.md': plan, 'work.jsonl': file('plan.md') })
  expect((await run(folder, [])).out).toContain('Go on with the plan at plan.md')
  expect((await run(folder, ['--json'])).out).toContain('the file is there')
  const foreign = makeFolder({ 'work.jsonl': file(join(outside, 'plan.md')) })
  const refused = await run(foreign, ['--json'])
  expect(refused.out).not.toContain('the file is there')
  expect(refused.err).toContain('leads out of the folder')
})

test('coach ends with 0 where everything passes', async () => {
  const { code } = await run(workspace([OUTPUTS[0] ?? '']), ['--rules'])
  expect(code).toBe(0)
})

test('[V18] coach --model refuses in one line where no model may be called', async () => {
  const { code, out, err } = await run(workspace(), ['--model', 'some-model'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^turnscope: --model: there is no key for the model\. .*\n$/)
})

test('[V42] coach --max-cost without prices sends nothing, --max-tokens-total stops and keeps what was judged', async () => {
  const server = await startModelServer('openai-compatible', () => ({ say: verdictText() }))
  const folder = workspace()
  const model = ['--model', 'm', '--provider', 'openai-compatible', '--base-url', server.url]
  const unpriced = await run(folder, [...model, '--max-cost', '0.5'])
  expect(unpriced.err).toContain('the prices are unknown')
  expect(unpriced.err).toContain('--max-tokens-total')
  expect(server.received).toHaveLength(0)
  const bounded = await run(folder, [...model, '--max-tokens-total', '3500'])
  expect(bounded.err).toMatch(
    /ended early: the ceiling of this run is reached \(3500 tokens; used: \d+ tokens/,
  )
  expect(server.received.length).toBeGreaterThan(0)
  expect(server.received.length).toBeLessThan(3)
  expect((await run(folder, ['--max-cost', 'lots'])).code).toBe(2)
  await server.close()
})

test('[V63] what a gate decides is in the log too, and the log is named', async () => {
  const server = await startModelServer('openai-compatible', () => ({ say: verdictText() }))
  const folder = workspace(['Understood, I will be more careful going forward.'])
  const model = ['--model', 'm', '--provider', 'openai-compatible', '--base-url', server.url]
  const { out } = await run(folder, model)
  await server.close()
  expect(server.received).toHaveLength(0)
  const path = join(folder, '.turnscope/coach/audit.jsonl')
  expect(out).toContain(`every verdict is logged in ${path}`)
  const log = readFileSync(path, 'utf8').trim().split('\n')
  expect(log.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { result: 'status', source: 'rules (gate)' },
  ])
})

test('[V20] coach --model says what it will send, asks once, and prints verdicts as JSON', async () => {
  const server = await startModelServer('openai-compatible', () => ({
    say: verdictText({ type: 'status', coaching_message: 'Show the run.' }),
  }))
  const folder = workspace()
  const model = ['--model', 'm', '--provider', 'openai-compatible', '--base-url', server.url]
  const first = await run(folder, [...model, '--json'], { TURNSCOPE_COACH_KEY: 'tk-secret-value' })
  expect(first.code).toBe(1)
  expect(first.err).toMatch(/3 calls \(0 cached, 0 decided by a gate\): about \d+ tokens in/)
  expect(first.err).toContain('3 calls, 0 from the cache, 0 failed')
  const lines = first.out.trim().split('\n')
  const verdicts = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(verdicts.map((verdict) => [verdict['seq'], verdict['type'], verdict['source']])).toEqual([
    [0, 'status', 'model'],
    [1, 'status', 'model'],
    [2, 'status', 'model'],
  ])
  expect(verdicts[0]).toMatchObject({
    message: '[System Coach] Show the run.',
    rules: 'completion',
  })
  const second = await run(folder, [...model, '--json'])
  expect(second.err).toContain('0 calls, 3 from the cache')
  await server.close()
  expect(server.received).toHaveLength(3)
  const log = readFileSync(join(folder, '.turnscope/coach/audit.jsonl'), 'utf8')
  expect(`${first.out}${first.err}${log}`).not.toContain('tk-secret-value')
})
