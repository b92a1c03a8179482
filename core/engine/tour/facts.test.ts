import { expect, test } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../fixtures/load.ts'
import { createPipeline, initialBeliefState } from '../pipeline.ts'
import type { TourExpects } from '../schema/tour.ts'
import { traceTurn } from '../trace.ts'
import { tourFaults } from './facts.ts'

const set = compileFixture([
  {
    name: 'coding',
    signals: [
      { id: 'code', pattern: 'code' },
      { id: 'py', pattern: 'python' },
    ],
  },
  { name: 'data', signals: ['table'] },
])
const pipeline = must(createPipeline(set, loadPreset('recommended'), null))
const turn = { turn: 0, seq: 0, kind: 'user', state: initialBeliefState } as const
const of = (text: string) => traceTurn(pipeline, { ...turn, text })
const faults = (expects: TourExpects, text = 'some python code'): readonly string[] =>
  tourFaults(expects, of(text))

test('[U132] what a stop claims rightly is no fault, and a stop that claims nothing has none', () => {
  const trace = of('some python code')
  const rightly: TourExpects = {
    primary: 'coding',
    score: trace.primary.confidence,
    secondary: null,
    alone: 'coding',
    momentum: trace.momentum.after.momentum,
    event: trace.momentum.event,
    fired: ['py', 'code'],
    text: 'python',
  }
  expect(tourFaults(rightly, trace)).toEqual([])
  expect(tourFaults({}, trace)).toEqual([])
})

test.each<readonly [TourExpects, string]>([
  [{ primary: 'data' }, 'primary: expected data, it is coding'],
  [{ secondary: 'data' }, 'secondary: expected data, it is none'],
  [{ alone: 'data' }, 'alone: expected data, it is coding'],
  [{ score: 7 }, 'score: expected 7, it is 2'],
  [{ fired: ['sql'] }, 'fired: expected sql, it is code, py'],
  [{ text: 'Python' }, 'text: expected Python, it is some python code'],
])('[U132] %j is said in a sentence', (expects, sentence) => {
  expect(faults(expects)).toEqual([sentence])
})

test('[U132] every wrong claim is told, in the order in which a person reads them', () => {
  const all = faults({ text: 'x', momentum: 99, primary: 'data' })
  expect(all.map((each) => each.split(':')[0])).toEqual(['primary', 'momentum', 'text'])
})

test('[U132] where nothing matched that is said, and a long message is not repeated whole', () => {
  const long = 'q'.repeat(10_000)
  const [fired, text] = faults({ fired: ['py'], text: 'python' }, long)
  expect(fired).toBe('fired: expected py, it is none')
  expect(text?.endsWith(' …')).toBe(true)
  expect(text?.length).toBeLessThan(300)
})
