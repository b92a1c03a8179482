import { describe, expect, it } from 'vitest'
import { must } from '../../../../fixtures/load.ts'
import { compileSignal, testSignal } from '../signal.ts'
import { createTextFacts } from '../text-facts.ts'

const OPTIONS = { asciiBoundaries: false }

const problemOf = (pattern: string): string => {
  const compiled = compileSignal(pattern, 'signal', OPTIONS)
  return compiled.ok ? 'accepted' : compiled.error.what
}

// Python 3.11 refuses each, but for the one of a group that changes between "a" and "u", which has no translation.
describe('[B16] inline flags', () => {
  it.each([
    ['(?au)x', 'flags "a" and "u" are incompatible'],
    ['(?i-a:x)', 'flags "a" and "u" cannot be turned off'],
    ['(?i-i:x)', 'flag turned on and off'],
    ['(?iz)x', 'unknown flag "z"'],
    ['(?i', 'missing -, : or )'],
    ['(?-i)x', 'flags cannot be turned off for the whole pattern'],
    ['(?-:x)', 'missing flag'],
    ['(?i-:x)', 'missing flag'],
    ['(?i-)x', 'missing flag'],
    ['(?a:x)', 'a group cannot change between "a" and "u" here'],
  ])('%s is refused', (pattern, what) => expect(problemOf(pattern)).toBe(what))

  it('hold for their group alone', () => {
    const signal = must(compileSignal('(?s-i:A.b)c', 'signal', OPTIONS))
    const matches = (text: string) => testSignal(signal, createTextFacts(text))
    expect(['A\nbC', 'A\nbc', 'a\nbc', 'A\nBc'].map(matches)).toEqual([true, true, false, false])
  })
})

describe('[B16] named groups', () => {
  it.each([
    ['(?P>y)', 'unknown extension ?P>'],
    ['(?P=)x', 'bad character in group name ""'],
    ['(?P<1>x)', 'bad character in group name "1"'],
    ['(?<=(a)\\1)b', 'cannot refer to group defined in the same lookbehind subpattern'],
  ])('%s is refused', (pattern, what) => expect(problemOf(pattern)).toBe(what))
})
