import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { playwrightCounts, vitestCounts } from './test-counts.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnscope-counts-'))
afterAll(() => rmSync(folder, { recursive: true }))

function report(content: unknown): string {
  const path = join(folder, 'report.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const vitest = (passed: number, failed: number) =>
  report({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: 2,
    numTodoTests: 1,
    more: true,
  })

it('counts of vitest are those of its report', () =>
  expect(vitestCounts(vitest(7, 1), false)).toEqual({ passed: 7, failed: 1, skipped: 3 }))

it('a runner that fails without a failed test is one failure', () =>
  expect(vitestCounts(vitest(7, 0), false)).toEqual({ passed: 7, failed: 1, skipped: 3 }))

it('a flaky end-to-end test is passed', () => {
  const path = report({ stats: { expected: 4, unexpected: 0, flaky: 1, skipped: 2 } })
  expect(playwrightCounts(path, true)).toEqual({ passed: 5, failed: 0, skipped: 2 })
})

it.each(['', '{', '{}'])('a report that cannot be read is one failure: %j', (text) =>
  expect(playwrightCounts(report(text), true)).toEqual({ passed: 0, failed: 1, skipped: 0 }),
)
