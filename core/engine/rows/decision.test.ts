import { expect, it } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../fixtures/load.ts'
import { signalNames } from '../lab/corpus/signal-name.ts'
import { createPipeline, initialBeliefState, stepTurn } from '../pipeline.ts'
import { DECISION_COLUMNS, decisionCells, decisionOf } from './decision.ts'

const set = compileFixture([
  { name: 'coding', signals: ['write', { id: 'code', pattern: 'code' }] },
  { name: 'planning', signals: [{ id: 'plan', pattern: 'plan' }, 'then'] },
])
const pipeline = must(createPipeline(set, loadPreset('literal'), null))
const names = signalNames(pipeline)
const decided = (text: string, off: readonly number[] = []) => ({
  outcome: stepTurn(pipeline, initialBeliefState, text),
  names,
  off: new Set(off),
})

it('[F110] a turn is written as its decision, with the signals by name', () => {
  expect(decisionOf(decided('write code, then plan', [1]))).toEqual({
    primary: 'coding',
    secondary: 'planning',
    confidence: 2,
    secondary_confidence: 2,
    signature: 'coding+planning',
    momentum: 1,
    event: 'accept',
    ambiguous: [],
    fired: ['coding/1', 'coding/code', 'planning/plan', 'planning/2'],
    cut_off: ['coding/code'],
  })
})

it('[F110] a turn with one domain has no second one', () => {
  const alone = decisionOf(decided('write code'))
  expect(alone).toMatchObject({ primary: 'coding', secondary: null, secondary_confidence: null })
})

it('[F110] a row that is no turn has null in each column, and empty lists', () => {
  const none = decisionOf(null)
  expect(Object.keys(none)).toEqual(Object.keys(DECISION_COLUMNS))
  expect(none).toMatchObject({ primary: null, momentum: null, fired: [], cut_off: [] })
})

it('[F110] the cells of a turn stand in the order of the columns', () => {
  const one = decided('then plan it')
  expect(decisionCells(one)).toEqual(Object.values(decisionOf(one)))
})
