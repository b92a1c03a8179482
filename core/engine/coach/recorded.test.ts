import { expect, it } from 'vitest'
import { plainEvent, withTexts } from '../../../fixtures/events.ts'
import { recordedAnswers } from './recorded.ts'

it('[L60] an answer belongs to the output before it; others and huge ones are none', () => {
  const kinds = [
    plainEvent({ kind: 'meta', name: 'model_answer', text: 'of nothing' }),
    plainEvent({ kind: 'agent', text: 'first' }),
    plainEvent({ kind: 'meta', name: 'model_answer', text: 'a' }),
    plainEvent({ kind: 'meta', name: 'verdict', text: 'b' }),
    plainEvent({ kind: 'meta', name: 'score', text: 'c' }),
    plainEvent({ kind: 'meta', name: 'verdict', text: 'x'.repeat(20_001) }),
    plainEvent({ kind: 'user', text: 'and now?' }),
    plainEvent({ kind: 'meta', name: 'verdict', text: 'of nothing' }),
    plainEvent({ kind: 'agent', text: 'second' }),
    ...Array.from({ length: 9 }, () => plainEvent({ kind: 'meta', name: 'verdict', text: 'd' })),
  ]
  const events = kinds.map((event, seq) => ({ ...event, seq }))
  const answers = recordedAnswers(withTexts(events))
  expect([...answers.keys()]).toEqual([1, 8])
  expect(answers.get(1)).toEqual(['a', 'b'])
  expect(answers.get(8)).toHaveLength(8)
})
