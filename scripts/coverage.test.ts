import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../fixtures/host.ts'
import { coverageLine } from './coverage.ts'

test('the gate says the coverage of the engine, and where it is below the aim', () => {
  const path = join(makeFolder(), 'coverage-summary.json')
  expect(coverageLine(path)).toBe('coverage of core/engine: not measured')
  const lines = { total: 1000, covered: 974, skipped: 0, pct: 97.4 }
  const branches = { total: 1000, covered: 899, skipped: 0, pct: 89.9 }
  writeFileSync(path, JSON.stringify({ total: { lines, branches } }))
  expect(coverageLine(path)).toBe(
    'coverage of core/engine: 97.4 % of lines (974 of 1000, aim 95 %), 89.9 % of branches (899 of 1000, BELOW the aim of 90 %)',
  )
})
