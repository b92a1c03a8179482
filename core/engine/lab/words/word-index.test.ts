import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atLeast, casesOf } from '../../../../fixtures/cases.ts'
import { must } from '../../../../fixtures/load.ts'
import { finish } from '../../../../fixtures/lab-corpus.ts'
import { WIDE } from '../../matcher/literals.ts'
import { unguarded } from '../../matcher/scan.ts'
import { compileSignal, testSignal } from '../../matcher/signal.ts'
import { createTextFacts } from '../../matcher/text-facts.ts'
import { createCorpus } from '../corpus/corpus.ts'
import type { SignalEntry } from '../../schema/domain.ts'
import { requiredOf } from './plain-literals.ts'
import { createPostings } from '../corpus/postings.ts'
import { createTextView } from '../corpus/text-view.ts'
import { matchesWithinWords } from './word-parts.ts'

const PIECES = [
  'a',
  'b',
  'ab',
  'ba',
  '1',
  '22',
  '_',
  ' ',
  '  ',
  '\n',
  '-',
  '.',
  'A',
  'B',
  'ä',
  'ß',
  'ſ',
  'ı',
  'K',
  '字',
  '٣',
  '\u00a0',
  '—',
  '😀',
  'ab'.repeat(257),
]
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((all) => all.join(''))

const atom = fc.constantFrom(
  'a',
  'b',
  'ab',
  String.raw`\w`,
  String.raw`\d`,
  '[ab]',
  '[a-c1]',
  'k',
  's',
)
const part = fc.oneof(
  atom,
  atom.map((one) => `${one}?`),
  atom.map((one) => `(?:${one})+`),
  atom.map((one) => `(?:${one})*`),
  fc.tuple(atom, atom).map(([one, other]) => `(?:${one}|${other})`),
  fc.constantFrom(String.raw`\b`, String.raw`\B`),
  fc.constantFrom(String.raw`\s`, String.raw`\W`, '-', '.', ' a', 'ä', '^', '$', '(?!b)', '(?<=a)'),
)
const pattern = fc.array(part, { minLength: 1, maxLength: 3 }).map((all) => all.join(''))

const plainPiece = fc.constantFrom(
  'foo',
  'Bar',
  'src/',
  'a/b',
  '.ts',
  '.md',
  '"',
  ' ',
  '-',
  'k',
  '\u212a',
  'İ',
  'ſ',
  's',
  'ß',
  'I',
  'i',
  'ä',
  '字',
  '\u0307',
  'foobar',
  'x',
  '\n',
  'ab'.repeat(257),
)
const plainText = fc.array(plainPiece, { maxLength: 9 }).map((all) => all.join(''))
const plainSignal: fc.Arbitrary<SignalEntry> = fc.oneof(
  fc
    .array(plainPiece, { minLength: 1, maxLength: 3 })
    .map((all) => ({ pattern: all.join(''), dialect: 'keyword' as const })),
  fc
    .array(fc.oneof(plainPiece, fc.constantFrom('*', '**/', '**', '?')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((all) => ({ pattern: all.join(''), dialect: 'glob' as const })),
  fc
    .record({
      parts: fc.array(
        fc.oneof(
          plainPiece,
          fc.constantFrom('.', '.*', 'o?', 'o*', 'o+', 'r*?', 'r+?', '|', '^', '$', 'a{0}', '(b)?'),
          fc.constantFrom(String.raw`\b`, String.raw`\w`, '[k]', '/', 'k', 'S'),
        ),
        { minLength: 1, maxLength: 5 },
      ),
      flags: fc.constantFrom('i', '', 'iu', 'v', 's', 'm'),
    })
    .map(({ parts, flags }) => ({ pattern: parts.join(''), dialect: 'js' as const, flags })),
)

describe('the index of words', () => {
  it('[T7] [C5] finds the very turns on which the pattern matches', () => {
    let within = 0
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 12 }),
        fc.array(pattern, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        fc.option(fc.integer({ min: 2, max: 12 })),
        (texts, patterns, asciiBoundaries, maxChars) => {
          const turns = texts.map((one, seq) => ({ seq, kind: 'user' as const, text: one }))
          const corpus = createCorpus([{ id: 's', turns }])
          const postings = createPostings(corpus)
          // Two views: the results of the first are moved to the second.
          for (const most of [null, maxChars]) {
            const view = createTextView(corpus, { maxChars: most, stripThinking: false })
            const signals = patterns.map((one) =>
              must(compileSignal(one, 'here', { asciiBoundaries })),
            )
            within += signals.filter(matchesWithinWords).length
            const { found } = finish(postings.find(signals, view, unguarded))
            for (const [at, signal] of signals.entries()) {
              const expected = texts.flatMap((_, turn) =>
                testSignal(signal, createTextFacts(view.text(turn))) ? [turn] : [],
              )
              expect([...found[at]!.posting]).toEqual(expected)
            }
          }
        },
      ),
      casesOf('lab: word index'),
    )
    expect(within).toBeGreaterThan(atLeast('lab: word index', 40))
  })

  it('[L114] keywords, globs and JavaScript patterns are found on the very turns on which they match', () => {
    let matches = 0
    let left = 0
    fc.assert(
      fc.property(
        fc.array(plainText, { minLength: 1, maxLength: 16 }),
        fc.array(plainSignal, { minLength: 1, maxLength: 6 }),
        (texts, entries) => {
          const turns = texts.map((one, seq) => ({ seq, kind: 'user' as const, text: one }))
          const corpus = createCorpus([{ id: 's', turns }])
          const view = createTextView(corpus, { maxChars: null, stripThinking: false })
          const signals = entries.flatMap((one) => {
            const signal = compileSignal(one, 'here', { asciiBoundaries: false })
            return signal.ok ? [signal.value] : []
          })
          left += signals.filter((signal) => requiredOf(signal) !== null).length
          const { found } = finish(createPostings(corpus).find(signals, view, unguarded))
          for (const [at, signal] of signals.entries()) {
            const expected = texts.flatMap((one, turn) =>
              testSignal(signal, createTextFacts(one)) ? [turn] : [],
            )
            matches += expected.length
            expect([...found[at]!.posting]).toEqual(expected)
          }
        },
      ),
      casesOf('lab: word index, dialects'),
    )
    expect(matches).toBeGreaterThan(atLeast('lab: word index, dialects', 200))
    expect(left).toBeGreaterThan(atLeast('lab: word index, dialects', 200))
  })

  it.each<[SignalEntry, readonly string[] | null]>([
    [{ pattern: 'Pull Request', dialect: 'keyword' }, ['pull request']],
    [{ pattern: 'größe', dialect: 'keyword' }, ['gr', WIDE]],
    [{ pattern: '\u212aelvin', dialect: 'keyword' }, ['kelvin']],
    [{ pattern: 'x', dialect: 'keyword' }, null],
    [{ pattern: 'src/**/*.test.?s', dialect: 'glob' }, ['src/', '.test.']],
    [{ pattern: '**/*', dialect: 'glob' }, null],
    [{ pattern: String.raw`\bTODO\b`, dialect: 'js' }, ['todo']],
    [{ pattern: 'foo.*bars?', dialect: 'js' }, ['foo', 'bar']],
    [{ pattern: 'fo+o?b', dialect: 'js' }, ['fo']],
    [{ pattern: 'fo+bar', dialect: 'js' }, ['fo', 'bar']],
    [{ pattern: 'foo|bar', dialect: 'js' }, null],
    [{ pattern: 'fo{0}o', dialect: 'js' }, null],
    [{ pattern: String.raw`foo\s`, dialect: 'js' }, null],
  ])('[L114] %j requires %j', (entry, literals) => {
    const signal = must(compileSignal(entry, 'here', { asciiBoundaries: false }))
    expect(requiredOf(signal)).toEqual(literals && [literals])
  })

  it('[T7] takes for patterns within words only those that are', () => {
    const is = (one: string) =>
      matchesWithinWords(must(compileSignal(one, 'here', { asciiBoundaries: false })))
    const inside = [String.raw`\bfile(s)?\b`, 'error|fail', String.raw`\b\d{4}\b`, String.raw`a\Bb`]
    const outside = ['a b', String.raw`a\W`, 'a*', 'a(?=b)', '^a', '.', '[^a]', 'ä', String.raw`\B`]
    expect(inside.filter(is)).toEqual(inside)
    expect(outside.filter(is)).toEqual([])
  })

  it('[L104] [T61] a pattern that is cut off on the words is run text by text', () => {
    const texts = ['aaab', 'ab c', 'xa', 'b', 'aab aab']
    const turns = texts.map((one, seq) => ({ seq, kind: 'user' as const, text: one }))
    const corpus = createCorpus([{ id: 's', turns }])
    const view = createTextView(corpus, { maxChars: null, stripThinking: false })
    const signal = must(compileSignal(String.raw`\b(?:a+)+b\b`, 'here', { asciiBoundaries: false }))
    expect(matchesWithinWords(signal)).toBe(true)
    let watched = 0
    const guard = (run: () => void): boolean => {
      watched += 1
      if (watched === 1) return false
      run()
      return true
    }
    const { found } = finish(createPostings(corpus).find([signal], view, guard))
    expect(found[0]).toEqual({ posting: Uint32Array.of(0, 1, 4), cut: [] })
    expect(watched).toBe(2)
  })
})
