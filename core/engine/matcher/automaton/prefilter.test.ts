import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf, someCases } from '../../../../fixtures/cases.ts'
import { compiled, compiledAs, EIGHT } from '../../../../fixtures/signals.ts'
import { parse } from 'yaml'
import { must } from '../../../../fixtures/load.ts'
import { compileDomains } from '../domains.ts'
import { loadDomains } from '../load-domains.ts'
import { requiredLiterals, WIDE } from '../literals.ts'
import { parsePattern } from '../python/python-parser.ts'
import { readText } from './readings.ts'
import { scanText, warmUp } from '../scan.ts'
import { compileSignal, literalsOf, testSignal, type CompiledSignal } from '../signal.ts'
import { createTextFacts, formOf } from '../text-facts.ts'

const FLAGS = { ignoreCase: true, multiline: false, dotAll: false, verbose: false, ascii: false }

function requiredOf(pattern: string): readonly string[] | null {
  const parsed = parsePattern(pattern, FLAGS)
  if (!parsed.ok) throw new Error(`${pattern}: ${parsed.error.what}`)
  return requiredLiterals(parsed.value.root)
}

describe('[C6] required literals', () =>
  it.each<readonly [string, readonly string[] | null]>([
    ['\\bevidence\\b', ['evidence']],
    ['Fix(?:es|ed)?', ['fix']],
    ['(?:pip3?|npm)\\s+install', ['install']],
    ['colou?r', ['color', 'colour']],
    ['(?:ab|cd)ef', ['abef', 'cdef']],
    ['\\d+%', null],
    ['(?:word)?', null],
    ['(?:word|\\d)', null],
    ['x{3}', null],
    ['(?=needle)\\w+', ['needle']],
    ['(?!needle)\\w+', null],
    ['[st]ecret', ['secret', 'tecret']],
    ['é{2}', [WIDE]],
    ['(?:error|エラー)', ['error', WIDE]],
    ['ſ{2}', null],
    ['K', null],
    ['[à-ÿıa]', null],
    ['ошибка при patch', [' patch']],
  ])('%s requires %j', (pattern, literals) => expect(requiredOf(pattern)).toEqual(literals)))

/** Patterns from a small grammar whose parts overlap with the texts below. */
const atom = fc.constantFrom(
  'fix',
  's',
  'k',
  'i',
  '\\w',
  '\\b',
  'err',
  '[sk]',
  'É',
  '.',
  'is',
  '\\s',
  '語',
  '[é語]',
  '(?:fix|語)',
  'ı',
  'K',
)
const pattern = fc
  .array(
    fc.tuple(atom, atom, fc.constantFrom('', '?', '+', '{2}')).chain(([a, b, repeat]) => {
      const quantified = repeat !== '' && a !== '\\b' ? `(?:${a})${repeat}` : a
      return fc.constantFrom(a, quantified, `(?:${a}|${b})`, `(?=${b})`, `(?!${a}${b})`)
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''))
const text = fc.string({
  unit: fc.constantFrom(
    'f',
    'i',
    'x',
    's',
    'k',
    'e',
    'r',
    ' ',
    'I',
    'S',
    'K',
    'ı',
    'ſ',
    'K',
    'É',
    'İ',
    'é',
    '語',
  ),
  maxLength: 14,
})

const LONG = ['fix', 'is ', 'err', 'k s', '  ', '\n', '語', '\u{1f600}', 'x', 'É', 'ſ', 'K']
/** Gaps, heads, tails, boundaries, look-around, places, and repeats that are too wide to be written out. */
const piece = fc.constantFrom(
  '\\bfix\\b',
  '.{0,8}',
  '[^x]{1,9}',
  '\\w{2,12}',
  '\\s+',
  '\\s*',
  '(?:err|is)',
  '\\b(?:k|語)',
  '(?:\\w+\\s+){0,2}',
  '(?:x.{0,7}k|fix)',
  '^',
  '$',
  '\\Z',
  '(?m:^)',
  '\\B',
  '(?!s)',
  '(?<=x)',
  '(?>fi|f)',
  '\\W',
  'i?',
  'x{2,3}',
  '(?:is|err)s?\\b',
)
const gapped = fc
  .tuple(
    fc.array(piece, { minLength: 1, maxLength: 6 }),
    fc.array(piece, { minLength: 1, maxLength: 4 }),
    fc.boolean(),
  )
  .map(([one, two, both]) => (both ? `${one.join('')}|${two.join('')}` : one.join('')))
const longText = fc
  .array(fc.constantFrom(...LONG), { maxLength: 30 })
  .map((parts) => parts.join(''))

function exactly(signals: readonly CompiledSignal[], message: string): readonly number[] {
  const facts = createTextFacts(message)
  return signals.flatMap((signal, number) => (testSignal(signal, facts) ? [number] : []))
}

/** Those of the patterns that compile: some pieces do not fit together. */
function compilable(patterns: readonly string[]): readonly CompiledSignal[] {
  return patterns.flatMap((one) => {
    const signal = compileSignal(one, 'test', { asciiBoundaries: one.length % 2 === 0 })
    return signal.ok ? [signal.value] : []
  })
}

describe('survey', () => {
  it('[C6] fires what each pattern by itself matches: short parts, all kinds of letters', () => {
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 8, maxLength: 12 }), text, (patterns, message) => {
        const signals = [...patterns.map((one) => compiled(one)), compiledAs('err|fix', 'js')]
        const expected = exactly(signals, message)
        // Cold: by literals alone; then by the automaton.
        expect(scanText(signals, createTextFacts(message)).fired).toEqual(expected)
        warmUp(signals)
        expect(scanText(signals, createTextFacts(message)).fired).toEqual(expected)
      }),
      casesOf('matcher: prefilter, letters'),
    )
  })

  it('[C6] fires what each pattern by itself matches: gaps, heads and tails, boundaries, places', () => {
    fc.assert(
      fc.property(
        fc.array(gapped, { minLength: 6, maxLength: 12 }),
        fc.array(longText, { minLength: 1, maxLength: 4 }),
        (patterns, messages) => {
          // Below eight signals none is surveyed.
          const signals = [...compilable(patterns), ...EIGHT.map((one) => compiled(one))]
          warmUp(signals)
          for (const message of messages)
            expect(scanText(signals, createTextFacts(message)).fired).toEqual(
              exactly(signals, message),
            )
        },
      ),
      casesOf('matcher: prefilter, gaps'),
    )
  })

  it('[C6] says of most signals what they are without running them', () => {
    const signals = EIGHT.map((name) => compiled(`\\b${name}\\b`))
    warmUp(signals)
    expect(readText(signals, createTextFacts('Beta and THETA, alphabet'))).toEqual({
      fired: [1, 7],
      suspects: [],
      paired: false,
      rest: [],
    })
    const gap = [...signals, compiled('\\bfind\\b.{0,10}(?!x)\\bbooks?\\b')]
    warmUp(gap)
    const suspects = (message: string) => readText(gap, createTextFacts(message))?.suspects
    expect(suspects('find 😀 the book')).toEqual([{ signal: 8, from: 0 }])
    expect(suspects('books; find pens')).toEqual([])
    expect(suspects('find it in some of the many old books')).toEqual([])
    expect(suspects('we find, and find a book')).toEqual([{ signal: 8, from: 13 }])
  })

  it('[C17] says what head, gap and tail are without running them', () => {
    const gaps = ['\\bfind\\b.{0,10}\\bbooks?\\b', 'head\\s[^x]{2,9}(?:tail|il)', 'one\\w{8,12}two']
    const signals = [...EIGHT, ...gaps].map((one) => compiled(one))
    warmUp(signals)
    const told = (message: string) => {
      const { fired = [], suspects } = readText(signals, createTextFacts(message)) ?? {}
      expect(suspects).toEqual([])
      expect(fired).toEqual(exactly(signals, message))
      return fired
    }
    expect(told('find 😀 the book')).toEqual([8])
    expect(told('find\na book')).toEqual([])
    expect(told('find it in the big book')).toEqual([])
    expect(told('find, find it, the books')).toEqual([8])
    expect(told('head ail')).toEqual([])
    expect(told('head tatail')).toEqual([9])
    expect(told('head ail head')).toEqual([])
    expect(told('head axxtail, head aatail')).toEqual([9])
    expect(told('one12345678two')).toEqual([10])
    expect(told('one1234567two')).toEqual([])
    expect(told('oneoneoneonetwo one12 45678two')).toEqual([10])
  })

  it('[C6] leaves a run of blanks that does not end to the pattern itself', () => {
    const signals = [...EIGHT, 'x\\s+fix', 'fix\\s*;'].map((one) => compiled(one))
    const far = `x${' '.repeat(5000)}fix`
    warmUp(signals)
    expect(scanText(signals, createTextFacts(far)).fired).toEqual([8])
    expect(scanText(signals, createTextFacts(far.replace('fix', 'six'))).fired).toEqual([])
  })

  it('[C6] a pass that was interrupted leaves the next one whole', () => {
    const signals = [...EIGHT, 'fix|err'].map((one) => compiled(one))
    warmUp(signals)
    const message = createTextFacts('to err and to fix delta')
    const cut = scanText(signals, message, () => false)
    expect(cut.fired).toEqual([3, 8])
    expect(scanText(signals, message).fired).toEqual([3, 8])
  })
})

describe('[C6] the default signals on the sample session', () =>
  it('fire what each pattern by itself matches', () => {
    const path = (name: string) => new URL(`../../../../${name}`, import.meta.url)
    const file = loadDomains(
      parse(readFileSync(path('profiles/domains/default.yaml'), 'utf8')),
      'd',
    )
    const { signals } = must(compileDomains(must(file), { asciiBoundaries: false }))
    const lines = readFileSync(path('fixtures/sessions/st-003.jsonl'), 'utf8').trimEnd().split('\n')
    const messages = lines
      .slice(1)
      .map((line) => (JSON.parse(line) as { readonly text: string }).text)
    const texts = someCases('matcher: prefilter, sample session', messages)
    const cold = texts.map((message) => scanText(signals, createTextFacts(message)).fired)
    warmUp(signals)
    let fired = 0
    for (const [index, message] of texts.entries()) {
      const expected = exactly(signals, message)
      expect(scanText(signals, createTextFacts(message)).fired).toEqual(expected)
      expect(cold[index]).toEqual(expected)
      fired += expected.length
    }
    expect(fired).toBeGreaterThan(texts.length / 10)
  }))

describe('[C7] literals of a signal', () => {
  it('a text that holds all literals of no alternative never matches', () =>
    fc.assert(
      fc.property(gapped, longText, (one, message) => {
        for (const signal of compilable([one])) {
          const facts = createTextFacts(message)
          const alternatives = literalsOf(signal)
          if (alternatives === null || !testSignal(signal, facts)) continue
          const lower = formOf(facts, facts.ascii ? 'lower' : 'skeleton')
          const holds = (literal: string) =>
            literal === WIDE ? !facts.ascii : lower.includes(literal)
          expect(alternatives.some((literals) => literals.every(holds))).toBe(true)
        }
      }),
      casesOf('matcher: prefilter, literals'),
    ))

  it('names what stands together', () => {
    expect(literalsOf(compiled('\\bfind\\b.{0,40}\\b(?:books|films)\\b|\\bcensus\\b'))).toEqual([
      ['books', 'find'],
      ['films', 'find'],
      ['census'],
    ])
    expect(literalsOf(compiled('find|\\d+'))).toBeNull()
    expect(literalsOf(compiledAs('find', 'js'))).toBeNull()
  })
})
