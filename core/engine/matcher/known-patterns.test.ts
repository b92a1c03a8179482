import { describe, expect, it } from 'vitest'
import { compiled, EIGHT, exactly } from '../../../fixtures/signals.ts'
import { identityOf } from './identity.ts'
import { freezeReading, shareReading, thawReading, type FrozenAutomaton } from './readings.ts'
import { scanText, warmUp } from './scan.ts'
import { testSignal } from './signal.ts'
import { createTextFacts } from './text-facts.ts'
import { rememberWritten, writtenOf } from './written.ts'

const TEXTS = ['fix fix', 'fix a mix', 'fix \u00e9 fix', 'mix']
/** The last one is left to the pattern: it looks back. */
const listOf = (name: string) => [...EIGHT, name, `(${name}|fix) \\w*(?<!x)\\b`].map(compiled)

function learned(name: string): FrozenAutomaton {
  const signals = listOf(name)
  warmUp(signals)
  for (const text of TEXTS) scanText(signals, createTextFacts(text))
  const frozen = freezeReading(signals)
  if (frozen === null) throw new Error('nothing was frozen')
  return frozen
}

describe('[C22] what was written out of patterns', () => {
  it('is kept with the automaton, of those that were run alone', () => {
    const { written } = learned('run alone')
    expect(written[8]).toEqual({ ascii: null, wide: null })
    expect(written[9]?.ascii).toContain('fix')
    expect(written[9]?.wide).toContain('fix')
  })

  it('is what is run, and answers the same', () => {
    const frozen = learned('same')
    expect(thawReading(frozen)).toBe(true)
    const signals = listOf('same')
    expect(shareReading(signals)).toBe(true)
    for (const text of TEXTS)
      expect(scanText(signals, createTextFacts(text)).fired).toEqual(exactly(signals, text))
    expect(signals[9]?.programs.ascii.regex.source).toBe(frozen.written[9]?.ascii)
  })

  it('is not written out again, but where it is no regular expression', () => {
    const taken = compiled('taken over')
    rememberWritten(identityOf(taken), { ascii: 'another', wide: '(' })
    expect(testSignal(taken, createTextFacts('another'))).toBe(true)
    expect(testSignal(taken, createTextFacts('taken over \u00e9'))).toBe(true)
    expect(writtenOf(identityOf(taken)).wide).not.toBe('(')
  })

  it('of this process counts more than what comes from a file', () => {
    const own = compiled('written here')
    expect(testSignal(own, createTextFacts('written here'))).toBe(true)
    const { ascii } = writtenOf(identityOf(own))
    rememberWritten(identityOf(own), { ascii: 'else', wide: null })
    expect(writtenOf(identityOf(own)).ascii).toBe(ascii)
  })
})
