import { expect, it } from 'vitest'
import { readWords } from './read-words.ts'

it('[U61] says "every line read" of nothing that is still being read, or was stopped', () => {
  expect(readWords(false, true)).toBe('reading the rest …')
  expect(readWords(false, false)).toBe('not all of it was read')
  expect(readWords(true, false)).toBe('every line read')
})
