import { expect, test } from 'vitest'
import { wilson } from './interval.ts'

test('[L84] Wilson: known values, within 0 and 1, and a width where all or none were hits', () => {
  // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
  const known = [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const
  for (const [hits, of, low, high] of known) {
    const found = wilson(hits, of)
    expect(found?.low).toBeCloseTo(low, 4)
    expect(found?.high).toBeCloseTo(high, 4)
  }
  expect(wilson(20, 20)?.low).toBeLessThan(1)
  expect(wilson(0, 0)).toBeNull()
})
