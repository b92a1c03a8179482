import { expect, test } from 'vitest'
import { createGuard, createTimeLimit } from './guard.ts'

test('a catastrophic pattern is cut off at its limit, and the next one runs', () => {
  const limit = createTimeLimit()
  const text = `${'a'.repeat(40)}b`
  const cut = limit(() => /^(a+)+$/u.test(text), 100)
  expect(cut.ok).toBe(false)
  expect(cut.ok ? 0 : cut.elapsedMs).toBeGreaterThanOrEqual(90)
  expect(cut.ok ? 0 : cut.elapsedMs).toBeLessThan(2_000)
  expect(limit(() => /a+b/u.exec(text)?.index, 100)).toEqual({ ok: true, value: 0 })
})

test('an error of the job is thrown as it is, not taken for a cut-off', () =>
  expect(() => createTimeLimit()(() => JSON.parse('{') as unknown, 100)).toThrow(SyntaxError))

test('values keep their identity', () => {
  const value = { a: [1] }
  const result = createTimeLimit()(() => value, 100)
  expect(result.ok && result.value).toBe(value)
})

test('the guard over a text gives a suspect a second chance, then says no', () => {
  const guard = createGuard()
  let runs = 0
  const slow = () => {
    runs += 1
    if (runs === 1) for (;;);
  }
  expect(guard(slow)).toBe(true)
  expect(runs).toBe(2)
  const text = `${'a'.repeat(40)}b`
  const hang = () => {
    ;/^(a+)+$/u.test(text)
  }
  expect(guard(hang)).toBe(false)
})
