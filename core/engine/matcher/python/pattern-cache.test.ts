import { describe, expect, it } from 'vitest'
import { compiled } from '../../../../fixtures/signals.ts'
import { patternIdentities } from '../domains.ts'
import { type CachedPattern, knownPattern, rememberPattern, writtenRegex } from './pattern-cache.ts'
import { requiredLiterals } from '../literals.ts'
import { compileSignal, testSignal, writeOut } from '../signal.ts'
import { createTextFacts } from '../text-facts.ts'

const identityIn = (pattern: string, flags?: string): string => {
  const entry = flags === undefined ? pattern : { pattern, flags }
  const domains = [{ name: 'a', signals: [entry] }]
  return patternIdentities({ domains }, { asciiBoundaries: false })[0] ?? ''
}

function keptOf(pattern: string): CachedPattern {
  const kept = knownPattern(identityIn(pattern))
  if (kept === undefined) throw new Error(`${pattern}: nothing is known`)
  return kept
}

/** Patterns that differ in the facts to compute. */
const PATTERNS = [
  'fix(?:es|ed)?\\s+it',
  '(?x) spread \\s out # with a comment',
  '(?-i:Case) matters',
  'caf\u00e9|na\u00efve',
  '(?m)^line$',
  '\\w+(?<!x)\\b',
  '[\u00e0-\u00ff]+ends?',
]
const TEXTS = [
  'fixed it',
  'spread out',
  'Case matters',
  'case matters',
  'CAF\u00c9',
  'a\nline\nb',
  '',
]

describe('[C22] what was found out of a pattern', () => {
  it('is found once, and a signal made from it alone answers the same', () => {
    for (const pattern of PATTERNS) {
      const first = compiled(pattern)
      writeOut(first)
      // As it comes out of a file.
      const read = JSON.parse(JSON.stringify(keptOf(pattern))) as CachedPattern
      expect(read, pattern).toEqual(keptOf(pattern))
      const again = compiled(pattern)
      for (const target of ['ascii', 'wide'] as const) {
        expect(again.programs[target].form).toBe(first.programs[target].form)
        expect(again.programs[target].regex).toEqual(first.programs[target].regex)
      }
      expect(again.programs.literals).toEqual(first.programs.literals)
      expect(again.programs.flags).toEqual(first.programs.source?.flags)
      expect(again.programs.identity).toBe(first.programs.identity)
      expect(again.programs.source).toEqual(first.programs.source)
      for (const text of TEXTS) {
        const facts = createTextFacts(text)
        expect(testSignal(again, facts), `${pattern} on ${text}`).toBe(testSignal(first, facts))
      }
    }
  })

  it('is what is run, without reading the pattern', () => {
    rememberPattern(identityIn('never read before'), {
      ...keptOf(PATTERNS[0] ?? ''),
      literals: ['other'],
      ascii: 'other',
      wide: 'other',
    })
    const signal = compiled('never read before')
    expect(testSignal(signal, createTextFacts('another'))).toBe(true)
    expect(signal.programs.literals).toEqual(['other'])
  })

  it('is found in the pattern where it is not known yet', () => {
    const { source } = compiled('not (?:looked|read) yet').programs
    const { flags, plan } = keptOf('not (?:looked|read) yet')
    const identity = identityIn('not (?:looked|read) yet', 's')
    rememberPattern(identity, { flags: { ...flags, dotAll: true }, plan, ascii: null, wide: null })
    const entry = { pattern: 'not (?:looked|read) yet', flags: 's' }
    const known = compileSignal(entry, 'test', { asciiBoundaries: false })
    if (!known.ok || source === null) throw new Error('it was refused')
    expect(testSignal(known.value, createTextFacts('not read yet'))).toBe(true)
    expect(known.value.programs.literals).toEqual(requiredLiterals(source.root))
  })

  it('of this process counts more than what comes from a file', () => {
    const own = compiled('written here')
    expect(testSignal(own, createTextFacts('written here'))).toBe(true)
    const { ascii } = keptOf('written here')
    rememberPattern(identityIn('written here'), { ...keptOf('written here'), ascii: 'else' })
    expect(keptOf('written here').ascii).toBe(ascii)
  })

  it('is written out anew where it is no regular expression', () => {
    const kept = { ...keptOf(PATTERNS[0] ?? ''), ascii: '(' }
    expect(writtenRegex(kept, 'ascii', '', () => 'good').source).toBe('good')
    expect(kept.ascii).toBe(null)
    expect(() => writtenRegex({ ...kept, ascii: null }, 'ascii', '', () => '(')).toThrow(
      SyntaxError,
    )
  })

  it('is kept of no pattern that is refused, refers to itself or may be too large', () => {
    for (const pattern of ['(?P<a>x)(?(a)b|c)', '(\\w)\\1', '(?:abcdefghij){600}']) {
      compileSignal(pattern, 'test', { asciiBoundaries: false })
      expect(knownPattern(identityIn(pattern)), pattern).toBe(undefined)
    }
  })
})
