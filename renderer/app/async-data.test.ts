import { expect, it } from 'vitest'
import { begun, further } from './async-data.ts'

const at = (done: number) => ({
  kind: 'progress' as const,
  phase: 'reading' as const,
  done,
  total: 100,
})

it('[U2] throughput is smoothed: a pause lowers it by and by, it does not jump', () => {
  const first = further(begun(0), at(10), 1000)
  expect(first.rate).toBe(10)
  const paused = further(first, at(10), 1500)
  expect(paused.rate).toBeGreaterThan(5)
  expect(paused.rate).toBeLessThan(10)
  expect(further(paused, at(60), 2000).rate).toBeGreaterThan(paused.rate)
})

it('[U2] a new phase is measured anew', () => {
  const read = further(begun(0), at(50), 1000)
  const next = further(read, { ...at(0), phase: 'importing' }, 2000)
  expect(further(next, { ...at(20), phase: 'importing' }, 3000).rate).toBeCloseTo(20)
})
