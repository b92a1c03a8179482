import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, REPOSITORY } from '../../../fixtures/host.ts'
import { runCli as run } from '../../../fixtures/run-cli.ts'

const SAMPLE = join(REPOSITORY, 'fixtures/sessions/st-003.jsonl')
const TEXT = 'Write a python function that parses the table and add unit tests'

/** Answer of `explain` for the last turn of a file that holds the text. */
async function explained(lines: readonly string[], turn: number) {
  const path = join(makeFolder(), 'session.jsonl')
  writeFileSync(path, `${[...lines, JSON.stringify({ kind: 'user', text: TEXT })].join('\n')}\n`)
  const { out } = await run(['explain', `${path}#${turn}`, '--json'])
  return JSON.parse(out) as Record<string, unknown>
}

test('[U166] try says what a replay of the same events from a file says', async () => {
  const lines = readFileSync(SAMPLE, 'utf8').trimEnd().split('\n')
  const { code, out } = await run(['try', TEXT, '--after', SAMPLE, '--turn', '5', '--json'])
  expect(code).toBe(0)
  const tried = JSON.parse(out) as {
    trace: Record<string, unknown>
    seq: number
    decision: { signature: string; momentum: { event: string } }
  }
  const { file, session, ...expected } = await explained(lines.slice(0, tried.seq + 1), 5)
  expect([typeof file, typeof session]).toEqual(['string', 'string'])
  expect(tried.trace).toEqual(expected)
  expect(tried.decision.signature).toBe(expected['signature'])
})

test('[U166] in words: decision, momentum, query and prompt; an output also what the coach says', async () => {
  const { out } = await run(['try', TEXT])
  expect(out).toMatch(/^turn {7}1$/mu)
  expect(out).toMatch(/^scores {5}coding \d/mu)
  expect(out).toMatch(/^momentum {3}accept, 0 -> 1: /mu)
  expect(out).toMatch(/^query {6}\w+ \(/mu)
  expect(out).toMatch(/^prompt {5}\d+ tokens$/mu)
  const said = await run(['try', 'All done, all tests pass.', '--kind', 'agent', '--after', SAMPLE])
  expect(said.out).toMatch(/^coach {6}\w+: /mu)
})

test('[U166] a place that is not there is refused', async () => {
  expect((await run(['try', TEXT, '--turn', '1'])).err).toContain('Name a transcript with --after')
  const { err } = await run(['try', TEXT, '--after', SAMPLE, '--turn', '999'])
  expect(err).toContain('It has turns 1 to 47')
})
