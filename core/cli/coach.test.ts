import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startModelServer, verdictText } from '../../fixtures/model-servers.ts'
import { makeFolder } from '../../fixtures/host.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const OUTPUTS = [
  'Fixed in commit 4be19aa; `pytest`: 61 passed in 3.1s.',
  'I rewrote the importer. It should work now.',
  'Which branch do you want this on?',
]

function workspace(outputs: readonly string[] = OUTPUTS): string {
  const lines = [
    { type: 'session', schemaVersion: 1, id: 's1', title: 'Three outputs' },
    ...outputs.map((text) => ({ kind: 'agent', text })),
  ]
  return makeFolder({
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
  const argv = [MAIN, 'coach', 'work.jsonl', '--workspace', folder, ...args]
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
  const { code, out, err } = await run(workspace(), ['--labels'])
  expect(code).toBe(1)
  expect(err).toBe('')
  expect(out).toMatch(/^0 +completion +0\.90 +pass +rules/m)
  expect(out).toMatch(/^1 +status +0\.90 +back +rules +went_on hedging .*\[System Coach\]/m)
  expect(out).toMatch(/^2 +question +0\.90 +pass/m)
  expect(out).toContain('3 outputs, 2 pass, 1 go back to the agent')
  expect(out).toContain('labels: 0/0 agree')
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
