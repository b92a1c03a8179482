import { expect, it } from 'vitest'
import { progressText } from './batch.ts'

it.each([
  ['dividing', 0, 0, 'dividing by session 0 %'],
  ['dividing', 3, 4, 'dividing by session 75 %'],
  ['classifying', 500, 2000, 'classifying 25 %, 50 rows a second, about 30 s left'],
  // The total is an estimate.
  ['classifying', 2010, 2000, 'classifying 100 %, 201 rows a second, about 0 s left'],
  ['classifying', 500, 0, 'classifying, 50 rows a second'],
] as const)('[F116] %s, %i of %i: %s', (stage, done, total, said) => {
  expect(progressText({ stage, done, total }, 10)).toBe(said)
})
