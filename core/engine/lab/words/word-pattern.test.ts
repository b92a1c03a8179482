import { describe, expect, it } from 'vitest'
import { patternOfWords } from './word-pattern.ts'

describe('[T78] a signal from selected words', () => {
  it.each([
    ['failing test', String.raw`\bfailing\s+test\b`],
    ['  failing\n  test ', String.raw`\bfailing\s+test\b`],
    ['a.py (new)', String.raw`\ba\.py\s+\(new\)`],
    ['$HOME', String.raw`\$HOME\b`],
    ['   ', null],
  ])('%j', (words, pattern) => expect(patternOfWords(words)).toBe(pattern))

  it('finds what was selected', () => {
    for (const words of ['C++ (old)', 'x[0] = y', 'naïve cafe', 'a|b^c'])
      expect(new RegExp(patternOfWords(words) ?? '(?!)', 'iu').test(`so ${words} it`)).toBe(true)
  })
})
