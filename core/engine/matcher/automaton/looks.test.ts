import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../../../fixtures/cases.ts'
import { compiled, EIGHT, exactly } from '../../../../fixtures/signals.ts'
import { createPrefilter } from './prefilter.ts'
import { freezeReading, readText, shareReading, thawReading } from './readings.ts'
import { scanText, warmUp } from '../scan.ts'
import { surveyText } from './survey.ts'
import { createSurveyor } from './surveyor.ts'
import { createTextFacts } from '../text-facts.ts'

/** Looks from the end of a match, or from the beginning of the text. */
const LOOKING = [
  'fix\\b(?!\\s+it)',
  'fix(?!es)',
  'fix(?:es|ed)?(?!\\s|x)',
  'fix(?=.{0,9}is)',
  'fix(?=.{4})',
  'fix(?![\\s\\S]{9})',
  'fix(?!.{0,12}\\b(?:is|err|x))',
  'fix(?!.{0,12}\\w{1,30}\\.)',
  '(?:x|k)s(?!k)',
  'fix(?!x)(?!.{2,5}k)',
  'fix(?=\\s)(?!\\s{3})',
  'err(?![^x]{0,20}x)',
  'is(?=\\W{1,9}[語k])',
  '^(?!.{0,9}err)fix',
  '^(?!fix)\\w{3}(?!\\s)',
  '^(?![\\s\\S]{0,20}\\berr\\b)[\\s\\S]{0,30}?\\bfix\\b',
  '^(?=[\\s\\S]{0,9}k)(?!x).{0,20}is(?!\\S)',
  '\\bfix\\b.{0,9}\\bis\\b(?!.{0,6}x)',
  'fix(?!\\s*$)',
  'fix(?=\\s+\\Z)',
  '(?:fix(?!x)|is|err(?= k))(?!\\s*$)',
  'is(?:x|k(?!x)|s(?=.{3}))',
  'fix(?!\\s{0,2}$)',
  '^(?!\\s*$)\\s{0,9}(?:fix|k(?!k))',
  '(?:k(?!x))?is(?!\\s*$|x)',
  // At least one look of each is left to the pattern: it may match nothing, is in another position, or looks back.
  'fix(?!\\s*$)',
  'fi(?!xx)x',
  'fix(?<!xfix)',
  'fix(?!.{0,3000}err)',
  'fix(?!(?:x|.{0,9}\\w*k))',
  'fix(?!(?!xx)x)',
  'fix(?=(x)\\1)',
  'fix(?!(?>x)x)',
  'fix(?-i:(?!X))',
]
/** Parts read from the end of a head. */
const WALKED = [
  '\\bfix\\s+\\w{1,40}\\s?\\(',
  'err\\s+(?:\\w{1,15}\\s+){0,2}is\\b',
  'fix\\w{7,90}k(?!x)',
  '\\bfix\\s+(?:\\w{1,12}\\s+)?(?:err|is)s?\\b(?!\\s+k)',
  'x\\W{7,50}\\b\\w{9,}k',
  'k\\S{8,60}\\bis$',
  '^\\S{7,200}\\s+fix',
  'is[^x]{14,}fix',
  'k.{7,40}?x',
  'fix(?:[a-k]{7,}|\\s{9,})s',
]
const PIECES = [
  'fix',
  'is',
  'err',
  'k',
  'x',
  ' ',
  '  ',
  '\n',
  '.',
  '(',
  's',
  'abcdefgh',
  '語',
  'é',
  'ſ',
  'K',
  '\u{1f600}',
  '\u00a0',
  'İ',
  '_',
  '\u{1d7d8}',
]
const ALL = [...LOOKING, ...WALKED]

const HOSTILE = [
  '',
  '\n',
  'fix',
  'fix\n',
  ' fix',
  'fix \u{1f600} is',
  'xfix',
  'fixes fix it',
  'fix '.repeat(3000),
  'fix err '.repeat(1000),
  `fix${' '.repeat(5000)}it`,
  'k'.repeat(4000),
  `${'fix (is '.repeat(500)}k`,
  `fix${'x'.repeat(62)} is`,
  `fix${'x'.repeat(63)} is`,
  `fix ${'word'.repeat(40)}. is`,
  `${'\u{1f600}'.repeat(300)}fix is k`,
  `fix${' is'.repeat(800)}`,
  'x'.repeat(20_000),
  `fix ${'a '.repeat(4000)}is (`,
  `${'err '.repeat(30)}fix`,
  'is fix'.repeat(900),
]

const told = (list: ReturnType<typeof listOf>, text: string) =>
  scanText(list, createTextFacts(text)).fired
const listOf = (name = 'nine') => [...EIGHT, name, ...ALL].map(compiled)

describe('[C20] [C21] what is looked at behind a match, and read from the end of a head', () => {
  const signals = listOf()
  warmUp(signals)

  it('is told as the patterns by themselves tell, on every text', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
        const text = pieces.join('')
        expect(told(signals, text), JSON.stringify(text)).toEqual(exactly(signals, text))
      }),
      casesOf('matcher: looks'),
    ))

  it.each(HOSTILE)('is told so of hostile texts, too', (text) => {
    expect(told(signals, text)).toEqual(exactly(signals, text))
  })

  it('is told the same by an automaton that was kept', () => {
    const first = listOf('kept looks')
    warmUp(first)
    for (const text of HOSTILE.slice(0, 10)) told(first, text)
    const frozen = freezeReading(first)
    expect(frozen !== null && thawReading(frozen)).toBe(true)
    const next = listOf('kept looks')
    expect(shareReading(next)).toBe(true)
    for (const text of HOSTILE) expect(told(next, text)).toEqual(exactly(next, text))
  })

  it.each(['looked', 'walks'] as const)('is read anew where %s was cut off (C11)', (part) => {
    const surveyor = createSurveyor(createPrefilter(signals), signals.length)
    const texts = ['fix it, fix err is k', 'fix abcdefgh is', 'fix a (']
    const read = () => texts.map((text) => surveyText(surveyor, createTextFacts(text)))
    const before = read()
    const { looked, walks } = surveyor.prefilter
    if (part === 'looked') looked.growing = true
    else walks.growing = true
    expect(read()).toEqual(before)
  })
})

/** The automaton's result for the last signal of a list. */
function surveyed(pattern: string) {
  const list = [...EIGHT, pattern].map(compiled)
  warmUp(list)
  return (text: string) => {
    const { fired = [], suspects = [] } = readText(list, createTextFacts(text)) ?? {}
    expect(suspects.length === 0 ? fired : exactly(list, text)).toEqual(exactly(list, text))
    return suspects.length > 0 ? 'run' : fired.includes(8) ? 'fired' : 'not fired'
  }
}

describe('[C20] looks', () => {
  it.each([
    ['fix\\b(?!.{0,9}\\b(?:it|them)\\b)', 'fix and mend', 'fired'],
    ['fix\\b(?!.{0,9}\\b(?:it|them)\\b)', 'fix or mend it', 'not fired'],
    ['fix\\b(?!.{0,9}\\b(?:it|them)\\b)', 'fix\nit', 'fired'],
    ['fix\\b(?!.{0,9}\\b(?:it|them)\\b)', 'fix it and fix more', 'fired'],
    ['^(?![\\s\\S]{0,99}\\berr\\b)[\\s\\S]{0,99}?\\bfix\\b', 'is\nfix', 'fired'],
    ['^(?![\\s\\S]{0,99}\\berr\\b)[\\s\\S]{0,99}?\\bfix\\b', 'is\nfix err', 'not fired'],
    ['fix(?=.{5})', 'fix this', 'fired'],
    ['fix(?=.{5})', 'fix that', 'fired'],
    ['fix(?=.{5})', 'fix it', 'not fired'],
    // The beginning is too far back to be known, so the pattern is run.
    ['fix(?!.{0,9}\\d\\w{70}k)', `fix 1${'b'.repeat(70)}k`, 'run'],
    ['fix(?!\\s*$)', 'fix \n', 'not fired'],
    ['fix(?!\\s*$)', 'fix \n it', 'fired'],
    ['\\b(?:fix(?!x)|mend)\\b(?!\\s+it)', 'mend this', 'fired'],
    ['fix(?<!xfix)', 'fix', 'run'],
  ])('%s on %j: %s', (pattern, text, expected) => {
    expect(surveyed(pattern)(text)).toBe(expected)
  })
})

describe('[C21] walks', () => {
  it('tell without the pattern being run', () => {
    const of = surveyed('\\bfix\\s+\\w{1,40}\\s?\\(')
    expect(of('fix a_long_name (it)')).toBe('fired')
    expect(of('fix a long name (it)')).toBe('not fired')
  })

  it('are given up for the pattern where a text is walked over too often', () => {
    const of = surveyed('fix[a-z]{7,}\\(')
    expect(of('fixfixfix'.repeat(9))).toBe('not fired')
    expect(of('fix'.repeat(3000))).toBe('run')
  })

  it('do not go over words and blanks, where each character would be a state', () => {
    expect(surveyed('fix[^x]{14,}fix')('fix the long and winding fix')).toBe('run')
  })
})
