import { expect, test } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { createPipeline } from '../../../engine/pipeline.ts'
import { createCutOffBudget } from './cut-off-budget.ts'
import { createCutOffRun } from './cut-off-run.ts'
import { createTimeLimit, type TimeLimit, watchText } from './guard.ts'

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
  const { guard } = watchText(createTimeLimit(), () => 0)
  let runs = 0
  const slow = () => {
    runs += 1
    if (runs === 1) for (;;);
  }
  expect(guard(slow)).toBe(true)
  expect(runs).toBeGreaterThan(1)
  const text = `${'a'.repeat(40)}b`
  const hang = () => {
    ;/^(a+)+$/u.test(text)
  }
  expect(guard(hang)).toBe(false)
})

test('[T61] what patterns that hang cost is bounded for a whole run: each gets less when seconds are lost', () => {
  const budget = createCutOffBudget()
  const asked: number[] = []
  // A simulated limit: every run uses its limit up, and none ends.
  const limit: TimeLimit = (_, limitMs) => {
    asked.push(limitMs)
    return { ok: false, elapsedMs: limitMs }
  }
  const { guard } = watchText(limit, () => 0, budget)
  for (let pattern = 0; pattern < 60; pattern += 1) {
    budget.lose(2 * budget.allowance())
    expect(guard(() => undefined)).toBe(false)
  }
  expect(budget.allowance()).toBe(25)
  expect(budget.lostMs()).toBeLessThan(7_000)
  expect(asked[0]).toBe(250)
  budget.renew()
  expect(budget.allowance()).toBe(250)
})

test('[T61] a pattern that was cut off is off in every pipeline of the run, and told of once', () => {
  const told: string[] = []
  const run = createCutOffRun(({ pattern }) => told.push(pattern))
  const pipelines = (['recommended', 'literal'] as const).map((preset) =>
    must(
      createPipeline(
        compileFixture([{ name: 'coding', signals: ['python', '(a+)+b'] }]),
        loadPreset(preset),
        null,
      ),
    ),
  )
  const what = { domain: 'coding', signal: 1, pattern: '(a+)+b', chars: 40, elapsedMs: 250 }
  for (const pipeline of pipelines) run.cutOff(pipeline, 1, what)
  expect(told).toEqual(['(a+)+b'])
  for (const pipeline of pipelines) {
    expect([...run.offIn(pipeline)]).toEqual([1])
    expect(run.without(pipeline)).not.toBe(pipeline)
    expect(run.without(pipeline)).toBe(run.without(pipeline))
  }
})
