import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../../../fixtures/cases.ts'
import { compiled, EIGHT, exactly } from '../../../../fixtures/signals.ts'
import { readText } from './readings.ts'
import { scanText, warmUp } from '../scan.ts'
import { createTextFacts } from '../text-facts.ts'
import { filledLength } from './to-end.ts'

const ENDING = [
  'fix(?!x)(?![\\s\\S]{5})',
  'fix(?!x).{0,3}$',
  'fix(?!x)\\s*$',
  'fix(?!x).{0,3}\\s*\\Z',
  'fix(?=.)(?:.{0,9}z|q)(?![\\s\\S]{3})',
  'is(?!t)\\W{0,2}$',
  '^.{2}fix(?!x)[\\s\\S]{0,9}$',
  'fix(?!x)(?:\\s*$|er)',
  'fix(?!x)(?m:$)',
  'fix(?!x)(?=.{0,2}$)',
  '(?:.|\\n)fix(?!y)\\s+$',
]
const PIECES = ['fix', 'is', ' ', '\n', 'x', '.', 'é', '\u00a0', '\u3000', '\x1c', '😀', '?', 'z']

describe('[C18] patterns that must end with the text, or near its end', () => {
  const signals = [...EIGHT, ...ENDING].map(compiled)
  warmUp(signals)

  it('answer as by themselves, whatever ends the text', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 16 }), (pieces) => {
        const text = pieces.join('')
        expect(scanText(signals, createTextFacts(text)).fired).toEqual(exactly(signals, text))
      }),
      casesOf('matcher: to the end'),
    ))

  it('are run near the end only, behind which blanks do not count', () => {
    const suspects = (text: string) =>
      readText(signals, createTextFacts(text))
        ?.suspects.filter(({ signal }) => signal === 11)
        .map(({ from }) => from)
    expect(suspects('fix and fix at last')).toEqual([])
    expect(suspects('fix and fix it')).toEqual([8])
    expect(suspects('fix and fix it  \n')).toEqual([8])
  })
})

it('[C18] the filled length takes for a blank what may be one', () => {
  expect(filledLength('two \n\x1f', 6)).toBe(3)
  expect(filledLength('two\u2003', 4)).toBe(3)
  expect(filledLength('', 0)).toBe(0)
  // One character of two units: the length is given too small at most.
  expect(filledLength('two😀', 4)).toBeLessThanOrEqual(3)
})
