import { describe, expect, it } from 'vitest'
import { nextOutput, tallyOf } from '../../stores/coach/selectors.ts'
import { DEFAULT_COACH } from '../../../core/wire/defaults.ts'
import { type CoachForm, changesOf, formOf, readForm } from './settings.ts'

const columns = {
  seq: [3, 8, 15],
  type: [1, 2, 0],
  passes: [0, 1, 1],
  confidence: [0.9, 0.9, 0.5],
  source: [1, 0, 1],
  rules: [1, 1, 0],
  disagrees: [0, 1, 0],
  failed: [0, 0, 1],
  label: [-1, 1, -1],
  wentOn: [1, 1, 0],
  gated: [0, 0, 0],
  flags: [0, 0, 0],
}

describe('verdicts of a session', () => {
  it('are counted', () =>
    expect(tallyOf(columns)).toEqual({
      outputs: 3,
      back: 1,
      wentOn: 1,
      disagree: 1,
      failed: 1,
      labelled: 1,
    }))

  it('are walked in both directions and end', () => {
    expect(nextOutput(columns.seq, { from: 8, by: 1 })).toBe(15)
    expect(nextOutput(columns.seq, { from: 8, by: -1 })).toBe(3)
    expect(nextOutput(columns.seq, { from: 15, by: 1 })).toBeNull()
  })
})

const faultsOf = (form: CoachForm) => {
  const read = readForm(form)
  return 'problems' in read ? Object.keys(read.problems) : []
}

describe('the form of the settings', () => {
  it('reads back what it shows', () => {
    const settings = { ...DEFAULT_COACH, inputPrice: 0.25, baseUrl: 'http://127.0.0.1:1/v1' }
    expect(readForm(formOf(settings))).toEqual({ settings })
  })

  it('says which field is wrong, and asks for a model only when one is asked', () => {
    const form = formOf({ ...DEFAULT_COACH, provider: 'openai-compatible' })
    expect(readForm(form)).toHaveProperty('settings')
    const wrong = { ...form, mode: 'model' as const, inputPrice: '-1', timeoutSeconds: '0' }
    expect(faultsOf(wrong)).toEqual(['baseUrl', 'model', 'inputPrice', 'timeoutSeconds'])
    expect(faultsOf({ ...form, baseUrl: 'file:///etc' })).toEqual(['baseUrl'])
  })
})

it('[F18] only what was changed is stored, and the address of a model only as a whole', () => {
  const other = { ...DEFAULT_COACH, timeoutSeconds: 9 }
  expect(changesOf(other, DEFAULT_COACH)).toEqual({ timeoutSeconds: 9 })
  expect(changesOf(DEFAULT_COACH, DEFAULT_COACH)).toEqual({})
  const { mode, provider, baseUrl } = DEFAULT_COACH
  const moved = changesOf({ ...DEFAULT_COACH, model: 'm' }, DEFAULT_COACH)
  expect(moved).toEqual({ mode, provider, baseUrl, model: 'm' })
})
