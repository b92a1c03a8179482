import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atLeast, casesOf } from '../../../../fixtures/cases.ts'
import { must } from '../../../../fixtures/load.ts'
import { compileSignal, testSignal, type CompiledSignal } from '../../matcher/signal.ts'
import { createTextFacts } from '../../matcher/text-facts.ts'
import { branchedOf } from './branches.ts'
import { matchesWithinWords } from '../words/word-parts.ts'

const compiled = (pattern: string, asciiBoundaries = false): CompiledSignal =>
  must(compileSignal(pattern, 'here', { asciiBoundaries }))

const branch = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'ab',
      ' ',
      'a b',
      '-',
      'ä',
      'ſ',
      'k',
      '[ab]',
      '(?:a|b c)',
      '(a| b)',
      'a?',
      '(?:a| )*',
      String.raw`\b`,
      String.raw`\B`,
      String.raw`\w`,
      String.raw`\s`,
      String.raw`\d`,
      '^',
      '$',
      '(?=a)',
      '(?!b)',
      '(?<=a)',
      '(?<! )',
      '(?>a|ab)',
      '(?:a|ab)?+',
      '.',
      '[^a]',
      '(?-i:A)',
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(''))
const around = fc.constantFrom(
  '',
  String.raw`\b`,
  String.raw`\B`,
  '^',
  '$',
  'a',
  'a?',
  ' ',
  '(?=a)',
  '(?<!b)',
  's?',
  '(?>a+)',
)
const pattern = fc
  .record({
    before: around,
    branches: fc.array(branch, { minLength: 1, maxLength: 4 }),
    form: fc.constantFrom('(?:', '(', '(?>', '(?='),
    after: around,
  })
  .map(({ before, branches, form, after }) => `${before}${form}${branches.join('|')})${after}`)
const text = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'ab',
      'A',
      'B',
      ' ',
      '-',
      '\n',
      'c',
      '1',
      '_',
      'ä',
      'ſ',
      'K',
      'k',
      's',
      '字',
      '\u00a0',
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''))

describe('alternatives of a pattern', () => {
  it('[L104] a text matches the pattern if and only if it matches one of the parts', () => {
    let parted = 0
    fc.assert(
      fc.property(pattern, fc.array(text, { maxLength: 8 }), fc.boolean(), (one, texts, ascii) => {
        const signal = compileSignal(one, 'here', { asciiBoundaries: ascii })
        if (!signal.ok) return
        const { within, rest } = branchedOf(signal.value)
        if (within !== null && rest !== null) parted += 1
        for (const each of texts) {
          const facts = createTextFacts(each)
          const parts = [within, rest].some((part) => part !== null && testSignal(part, facts))
          expect({ one, each, matches: parts }).toEqual({
            one,
            each,
            matches: testSignal(signal.value, facts),
          })
        }
      }),
      casesOf('lab: branches'),
    )
    expect(parted).toBeGreaterThan(atLeast('lab: branches', 20))
  })

  it.each([
    [String.raw`\b(?:foo|bar baz|qux)\b`, 2],
    [String.raw`(\bfoo\b|\bbar baz\b)`, 2],
    [String.raw`\b(?:re|un)(?:do|fold it)\b`, 2],
    [String.raw`\b(?:foo|bar)\b`, 1],
    [String.raw`\bfoo bar\b`, 0],
    [String.raw`\b(?>foo|foo bar)\b`, 0],
    [String.raw`(?=foo|bar baz)`, 0],
    [String.raw`\b(foo|a b) \1\b`, 0],
  ])('[L104] %s', (written, parts) => {
    const signal = compiled(written)
    const { within, rest } = branchedOf(signal)
    expect([within, rest].filter((part) => part !== null && part !== signal)).toHaveLength(
      parts === 2 ? 2 : 0,
    )
    expect(within === null).toBe(parts === 0)
    expect(within === null || matchesWithinWords(within)).toBe(true)
    expect(rest === null).toBe(parts === 1)
  })
})
