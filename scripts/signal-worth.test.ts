import { expect, test } from 'vitest'
import { createPipeline } from '../core/engine/pipeline.ts'
import { compileFixture, loadPreset, must } from '../fixtures/load.ts'
import { worthLines, worthOfSignals } from './signal-worth.ts'

const set = compileFixture([
  {
    name: 'bugfix',
    priority: 3,
    signals: [
      { id: 'fix', pattern: 'fix' },
      { id: 'red', pattern: 'red' },
    ],
  },
  { name: 'coding', priority: 4, signals: [{ id: 'add', pattern: 'add' }] },
  { name: 'conversation', priority: 99, signals: [{ id: 'hi', pattern: 'hi' }] },
])
const pipeline = must(createPipeline(set, loadPreset('recommended'), null))
const row = (text: string, primary: string, fold: string) => ({
  text,
  primary,
  fold,
  acceptable: [],
  source: fold,
})

test('[L74] a signal is worth the turns it gets right less those it breaks, by fold', () => {
  const worths = worthOfSignals(
    [
      row('fix it', 'bugfix', '0'),
      row('add a red button', 'coding', '1'),
      row('hi, add it', 'coding', '1'),
    ],
    pipeline,
  )
  const of = (id: string) => worths.find((worth) => worth.id === id)
  expect(of('fix')?.folds).toEqual([
    { fold: '0', right: 1, broken: 0 },
    { fold: '1', right: 0, broken: 0 },
  ])
  expect(of('red')?.folds[1]).toEqual({ fold: '1', right: 0, broken: 1 })
  expect(of('add')).toMatchObject({ fired: 2, folds: [{ right: 0 }, { right: 1, broken: 0 }] })
  expect(worthLines(worths)[1]).toMatch(/-1\s+bugfix\/red/u)
})
