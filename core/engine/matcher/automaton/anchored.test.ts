import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../../../fixtures/cases.ts'
import { compiled, EIGHT, exactly } from '../../../../fixtures/signals.ts'
import { createPrefilter, type Prefilter } from './prefilter.ts'
import { freezeReading, shareReading, thawReading } from './readings.ts'
import { scanText, warmUp } from '../scan.ts'
import { surveyText, type Survey } from './survey.ts'
import { createSurveyor } from './surveyor.ts'
import { createTextFacts } from '../text-facts.ts'
import { waysOf } from './ways.ts'

const PATTERNS = [
  '^ab\\b',
  '^\\s{0,3}(?:@\\S{1,90}\\s{1,3}){0,12}(?:ok|ab)?,?\\s*b(?!\\s*a)',
  '^(?!a)[ab]{2,9}$',
  '^(?!.{0,20}ba).{0,40}\\bab\\b',
  '^(?=.{0,9}é)\\S+',
  'ba|^(?:a|é\\s){1,3}b',
  '^(?:b|^a)b\\Z',
  '^a.{0,300}b',
  '^[\\s\\S]{0,200}?\\bb\\b(?![\\s\\S]{30})',
  '\\Aab+(?<=bb)',
  '^(?:ab)+?\\s',
  '^\\B\\s*a',
  '(?:^|\\s)ab',
  '^$',
  '^\\s*',
  '(?m:^)b$',
  'a^b',
  '(?:^a|b)a',
  '^\\s{0,4}[-*]?\\s*(?:a\\s?){1,200}b$',
]
const PIECES = [
  'a',
  'b',
  'ab',
  'ba',
  ' ',
  '   ',
  '\n',
  'é',
  '😀',
  '@',
  '@x ',
  'ok',
  ',',
  '-',
  'B',
  'A',
  'x',
]

const survey = (prefilter: Prefilter, signals: number, text: string): Survey =>
  surveyText(createSurveyor(prefilter, signals), createTextFacts(text))

describe('[C19] ways that match at the beginning of a text only', () => {
  it('are told as the patterns by themselves tell, on every text', () => {
    const signals = [...EIGHT, ...PATTERNS].map(compiled)
    warmUp(signals)
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }), (pieces) => {
        const text = pieces.join('')
        expect(scanText(signals, createTextFacts(text)).fired, JSON.stringify(text)).toEqual(
          exactly(signals, text),
        )
      }),
      casesOf('matcher: anchored'),
    )
  })

  it.each([
    '',
    '\n',
    ' ',
    'ab',
    'ab\n',
    'abb',
    'AB',
    '\u{1f600}ab',
    'éab',
    'é é éb',
    `${'@name '.repeat(12)}ok, b`,
    `${'@name '.repeat(13)}ok, b`,
    `${'@name '.repeat(5000)}b`,
    `@${'x'.repeat(90)} b`,
    `@${'x'.repeat(91)} b`,
    `${' '.repeat(100_000)}ab`,
    `${'ab'.repeat(50_000)} `,
    `a${'.'.repeat(300)}b`,
    `a${'.'.repeat(301)}b`,
    `${'a '.repeat(200)}b`,
    `${'a '.repeat(201)}b`,
  ])('are told so of hostile texts, too', (text) => {
    const signals = [...EIGHT, ...PATTERNS].map(compiled)
    warmUp(signals)
    expect(scanText(signals, createTextFacts(text)).fired).toEqual(exactly(signals, text))
  })

  it('are not run where the beginning of the text shows that they cannot match', () => {
    const signals = ['^\\s{0,4}(?:@\\S{1,90}\\s){0,9}(?:please\\s+)?add\\b(?<!x)'].map(compiled)
    const prefilter = createPrefilter(signals)
    const suspected = (text: string) => survey(prefilter, 1, text).suspects.map(({ from }) => from)
    expect(suspected('we add it, and add more')).toEqual([])
    expect(suspected('@one @two please add up')).toEqual([0])
    expect(survey(prefilter, 1, 'add').fired).toEqual([])
  })

  it('fire without being run where they read exactly what the pattern reads', () => {
    const prefilter = createPrefilter(['^(?:yes|no)[.!]*$'].map(compiled))
    expect(survey(prefilter, 1, 'Yes!!\n')).toEqual({ fired: [0], suspects: [], paired: false })
    expect(survey(prefilter, 1, 'no way')).toEqual({ fired: [], suspects: [], paired: false })
  })

  it.each([
    ['^ab', 'anchored'],
    ['\\Aab', 'anchored'],
    ['^(?!x)a.{0,120}b', 'anchored'],
    ['^\\s{0,4}(?:@\\S{1,90}\\s)?(?:please|now)', 'anchored'],
    ['^(?:\\w{2,9}|a)(?=b)b', 'anchored anchored'],
    // Nearly every text would be read that far.
    ['^.{0,13}the\\s+book', 'split'],
    ['^(?:[a-z]\\w{2,20}|the)\\s+(?:book|page)', 'anchored split'],
    ['^(?:[a-z]\\w+\\s){2,4}the\\s+book', 'split'],
    // Too far from the beginning.
    ['^find.{0,121}the\\s+book', 'split'],
    ['^find(?:\\s\\w{1,99}){0,99}the\\s+book', 'split'],
    ['(?m:^)ab', 'exact'],
  ])('%s has ways that are %s', (pattern, kinds) => {
    const { source } = compiled(pattern).programs
    expect(
      source &&
        waysOf(source)
          .map((way) => way.kind)
          .join(' '),
    ).toBe(kinds)
  })

  it('are told the same by an automaton that was kept', () => {
    const names = ['kept', 'kept two', 'three', 'four', 'five', 'six', 'seven', 'eight']
    const list = () => [...names, ...PATTERNS].map(compiled)
    const first = list()
    warmUp(first)
    const texts = ['ab ', '@x ok, b', 'babab', 'éab', 'a.b']
    for (const text of texts.slice(0, 2)) scanText(first, createTextFacts(text))
    const frozen = freezeReading(first)
    expect(frozen !== null && thawReading(frozen)).toBe(true)
    const next = list()
    expect(shareReading(next)).toBe(true)
    for (const text of texts)
      expect(scanText(next, createTextFacts(text)).fired, text).toEqual(exactly(next, text))
  })

  it('are read anew by an automaton that was cut off while it grew (C11)', () => {
    const signals = [...EIGHT, ...PATTERNS].map(compiled)
    const prefilter = createPrefilter(signals)
    const surveyor = createSurveyor(prefilter, signals.length)
    const read = (text: string) => surveyText(surveyor, createTextFacts(text))
    const before = ['ab b', '@x ok b', 'bab'].map(read)
    prefilter.anchored.growing = true
    expect(['ab b', '@x ok b', 'bab'].map(read)).toEqual(before)
  })
})
