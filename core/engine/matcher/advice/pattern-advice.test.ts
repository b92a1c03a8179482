import { describe, expect, it } from 'vitest'
import { adviceOf } from './pattern-advice.ts'

const UNICODE = { asciiBoundaries: false }

function advice(pattern: string, rule: string): readonly string[] {
  return adviceOf(pattern, UNICODE)
    .filter((one) => one.rule === rule)
    .map((one) => `${one.severity} ${one.column}`)
}

describe('[C8] what cannot match', () =>
  it.each<readonly [string, readonly string[]]>([
    ['a\\bb', ['error 2']],
    ['a\\Bb', []],
    ['\\s\\b,', ['error 3']],
    ['a\\b\\s*\\bb', []],
    ['foo^', ['error 4']],
    ['$foo', ['error 1']],
    ['foo$\\n', []],
    ['[^\\s\\S]', ['error 1']],
    ['(?:a\\bb|c)', ['warning 5']],
    ['\\b\\.env\\b', ['warning 1']],
    ['C\\+\\+\\b', ['warning 6']],
    ['\\benv\\b', []],
    ['(', []],
  ])('%s: %j', (pattern, found) => expect(advice(pattern, 'cannot-match')).toEqual(found)))

describe('[C8] what the other dialect reads differently', () =>
  it('names each construct once, at its place', () => {
    expect(advice('(?P<a>x)\\Z|[(?P<b>]|(?P<c>y)', 'dialect')).toEqual(['info 1', 'info 9'])
    const js = adviceOf({ pattern: '\\bx\\b', dialect: 'js' }, UNICODE)
    expect(js.map((one) => [one.rule, one.column])).toEqual([['dialect', 1]])
    expect(advice('\\bplain\\s+words\\b', 'dialect')).toEqual([])
  }))

describe('[C9] patterns that take more than linear time', () => {
  it.each<readonly [string, readonly string[]]>([
    ['(a+)+b', ['error 5']],
    ['(a|a)*b', ['error 6']],
    ['^(a|ab|b)*$', ['error 10']],
    ['(x+x+)+y', ['error 7']],
    ['a*a*b', ['warning 4']],
    ['.*x.*y', ['warning 5']],
    ['\\w+@', ['warning 3']],
    ['foo.*bar', ['warning 5']],
    ['(?:x{0,2000})y', ['warning 5']],
    ['\\b\\w+@', []],
    ['foo\\s+bar', []],
    ['a+', []],
    ['\\b(?:find|get)\\s+(?:me\\s+)?(?:the\\s+)?files?\\b.{0,40}\\bnow\\b', []],
    ['^\\s+$', []],
  ])('%s: %j', (pattern, found) => expect(advice(pattern, 'super-linear')).toEqual(found))

  it('says which text takes long', () => {
    const [two] = adviceOf('(?:ab)+(?:ab)+c', UNICODE)
    expect(two?.what).toMatch(/polynomial time: a text of repeated "(?:ab)+a?b?"|"(?:ba)+"/)
    const [one] = adviceOf('(a+)+b', UNICODE)
    expect(one?.what).toMatch(/exponential time: a text of repeated "a+"/)
  })
})
