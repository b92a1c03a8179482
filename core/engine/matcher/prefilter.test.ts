import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAutomaton } from './automaton.ts'
import { requiredLiterals, WIDE } from './literals.ts'
import { candidatesOf } from './prefilter.ts'
import { parsePattern } from './python-parser.ts'
import { compileSignal, testSignal } from './signal.ts'
import type { CompiledSignal } from './signal.ts'
import { createTextFacts } from './text-facts.ts'

const FLAGS = { ignoreCase: true, multiline: false, dotAll: false, verbose: false, ascii: false }

function literalsOf(pattern: string): readonly string[] | null {
  const parsed = parsePattern(pattern, FLAGS)
  if (!parsed.ok) throw new Error(`${pattern}: ${parsed.error.what}`)
  return requiredLiterals(parsed.value.root)
}

function compiled(pattern: string, dialect: 'python' | 'js' = 'python'): CompiledSignal {
  const signal = compileSignal({ pattern, dialect }, 'test', { asciiBoundaries: false })
  if (!signal.ok) throw new Error(`${pattern}: ${signal.error.what}`)
  return signal.value
}

describe('[C6] required literals', () => {
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
  ])('%s requires %j', (pattern, literals) => {
    expect(literalsOf(pattern)).toEqual(literals)
  })
})

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), minLength: 1, maxLength: 4 })

describe('automaton', () => {
  it('[C6] finds exactly the groups of which a literal occurs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', 'é'), maxLength: 30 }),
        (groups, text) => {
          const found = new Set<number>()
          createAutomaton(groups).run(text, (group) => found.add(group))
          const expected = groups.flatMap((group, at) =>
            group.some((literal) => text.includes(literal)) ? [at] : [],
          )
          expect([...found].sort((a, b) => a - b)).toEqual(expected)
        },
      ),
    )
  })
})

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

describe('prefilter', () => {
  it('[C6] never leaves out a signal that matches', () => {
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 8, maxLength: 12 }), text, (patterns, message) => {
        const signals = [...patterns.map((one) => compiled(one)), compiled('err|fix', 'js')]
        const facts = createTextFacts(message)
        const candidates = new Set(candidatesOf(signals, facts))
        for (const [number, signal] of signals.entries())
          if (testSignal(signal, facts)) expect(candidates).toContain(number)
      }),
      { numRuns: 400 },
    )
  })

  it('[C6] leaves out what cannot match', () => {
    const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta']
    const signals = names.map((name) => compiled(`\\b${name}\\b`))
    expect(candidatesOf(signals, createTextFacts('Beta and THETA'))).toEqual([1, 6, 7])
    const wide = [...signals, compiled('エラー|error'), compiled('語{2}')]
    expect(candidatesOf(wide, createTextFacts('an ordinary line'))).toEqual([])
    expect(candidatesOf(wide, createTextFacts('an Error'))).toEqual([8])
    expect(candidatesOf(wide, createTextFacts('日本語 beta'))).toEqual([1, 6, 8, 9])
  })
})
