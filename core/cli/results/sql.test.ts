import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runHere } from '../../../fixtures/run-here.ts'

vi.mock('../../host/platform/optional-package.ts', () => ({ loadOptional: () => null }))

test('[F118] no scratch folder stays where DuckDB is missing', async () => {
  const results = mkdtempSync(join(tmpdir(), 'turnscope-results-'))
  onTestFinished(() => rmSync(results, { recursive: true }))
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('turnscope-sql-'))
  const before = folders()
  const ran = await runHere(['sql', 'FROM turns', '--results', results])
  expect(ran).toMatchObject({ code: 2, out: '' })
  expect(ran.err).toContain('npm install')
  expect(folders().filter((name) => !before.includes(name))).toEqual([])
})
