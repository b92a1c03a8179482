import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REPOSITORY } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

const SESSION = join(REPOSITORY, 'fixtures/sessions/lock-in.jsonl')
const lastLine = (out: string) => out.trimEnd().split('\n').at(-1)

it('[T47] the last line of a check says whether it passes, and why not', async () => {
  const failed = await runHere(['check', SESSION])
  expect(failed.code).toBe(1)
  expect(lastLine(failed.out)).toMatch(
    /^failed: \d+ of 51 labelled turns wrong, \d+ of them by a domain that the label forbids$/u,
  )
  const passed = await runHere(['check', SESSION, '--min-strict', '0.1'])
  expect(passed.code).toBe(0)
  expect(lastLine(passed.out)).toMatch(/^passed: .*; 0 of 1 minimum missed$/u)
})

it('[T47] the last line of a comparison counts its flips', async () => {
  const { out } = await runHere(['diff', '--base', 'recommended', '--head', 'literal', SESSION])
  expect(lastLine(out)).toMatch(
    /^\d+ of 51 turns flip: \d+ direct, \d+ by momentum; \d+ fixed, \d+ broken by labels$/u,
  )
})
