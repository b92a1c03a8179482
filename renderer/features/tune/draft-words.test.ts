import { expect, it } from 'vitest'
import { failureWords, noSignalWords } from './draft-words.ts'

const PROBLEM = { rule: 'yaml', what: 'Implicit map keys need values', do: '' }
const place = { line: 30, column: 1, endLine: 30, endColumn: 3, domain: null, signal: null }
const broken = { problems: [{ ...PROBLEM, ...place, severity: 'error' as const }] }
const remarked = { problems: [{ ...PROBLEM, ...place, severity: 'info' as const }] }

it('[T51] what keeps a draft from being read is said once', () => {
  expect(failureWords(broken, 'Implicit map keys')).toBeNull()
  expect(failureWords(remarked, 'The session is gone')).toBe('The session is gone')
})

it('[T54] an empty table says whether the filter, the draft or its error is why', () => {
  expect(noSignalWords(broken, 7)).toBe('No signal has these words.')
  expect(noSignalWords(remarked, 0)).toBe('The draft has no signal yet.')
  expect(noSignalWords(broken, 0)).toMatch(/^The draft cannot be read\./u)
})
