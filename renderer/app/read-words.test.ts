import { expect, it } from 'vitest'
import { openWords, readWords } from './read-words.ts'

it('[U61] says "every line read" of nothing that is still being read, or was stopped', () => {
  expect(readWords(false, true)).toBe('reading the rest …')
  expect(readWords(false, false)).toBe('not all of it was read')
  expect(readWords(true, false)).toBe('every line read')
})

it('[U61] a file that is being opened is not called nothing', () => {
  expect(openWords('idle', '')).toBe('No session open')
  expect(openWords('loading', 'a.jsonl')).toBe('Opening a.jsonl …')
  expect(openWords('failed', 'a.jsonl')).toBe('a.jsonl could not be opened')
})
