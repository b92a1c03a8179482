import { expect, it } from 'vitest'
import { scoreVerdicts } from './score.ts'

it('[V22] counts agreement, and apart from it rejects that passed and questions that were continued', () => {
  const score = scoreVerdicts([
    { label: 'status', verdict: 'status' },
    { label: 'status', verdict: 'completion' },
    { label: 'question', verdict: 'status' },
    { label: 'question', verdict: 'question' },
    { label: 'completion', verdict: 'question' },
  ])
  expect(score).toMatchObject({
    labelled: 5,
    type: { hits: 2, of: 5 },
    passOrBack: { hits: 3, of: 5 },
    rejectsPassed: { hits: 1, of: 2 },
    questionsContinued: { hits: 1, of: 2 },
  })
  expect(score.types.find(({ type }) => type === 'question')).toEqual({
    type: 'question',
    precision: { hits: 1, of: 2 },
    recall: { hits: 1, of: 2 },
  })
  expect(score.confusion).toContainEqual({ label: 'question', verdict: 'status', count: 1 })
  expect(score.confusion.reduce((sum, cell) => sum + cell.count, 0)).toBe(5)
})
