import { expect, test } from 'vitest'
import { createTimeLimit } from '../../platform/guard/guard.ts'
import { watchLab } from '../watch.ts'

test('[T40] a pattern that hangs is cut off, and how long it ran is known', () => {
  const { guard, elapsed } = watchLab(createTimeLimit())
  const text = `${'a'.repeat(40)}!`
  expect(guard(() => /^(?:a+)+$/u.test(text), 41)).toBe(false)
  expect(elapsed(41)).toBeGreaterThan(0)
})

test('[T40] a run that only had to wait for the processor goes on where it stood', () => {
  let calls = 0
  const starved = watchLab((job) => {
    calls += 1
    // The clock ran out before the thread had worked at all.
    return calls < 4 ? { ok: false, elapsedMs: 300 } : { ok: true, value: job() }
  })
  expect(starved.guard(() => undefined, 10)).toBe(true)
  expect(calls).toBe(4)
})
