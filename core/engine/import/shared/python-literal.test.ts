import { describe, expect, it } from 'vitest'
import { pythonLiteral } from './python-literal.ts'

describe('[I114] values as Python prints them', () => {
  it.each([
    ["{'query': 'hoe'}", { query: 'hoe' }],
    [
      `{'a': None, 'b': [1, -2.5e3, True,], "c": (False,)}`,
      { a: null, b: [1, -2500, true], c: [false] },
    ],
    [
      String.raw`['it\'s', "a \"b\"\n", 'x\\n', '\xe9\u00e9\U0001f331']`,
      ["it's", 'a "b"\n', 'x\\n', 'éé🌱'],
    ],
    [`{'role': 'assistant', 'text': "don't"}`, { role: 'assistant', text: "don't" }],
    ['{1: []}', { '1': [] }],
  ])('%s', (text, value) => expect(pythonLiteral(text)).toEqual(value))

  it.each([
    'hoe',
    "{'cut': 'of",
    "{'a': UUID('1')}",
    "{'a': 1} and more",
    "{'a' 1}",
    '{[1]: 2}',
    '['.repeat(100_000),
    "'a'",
  ])('nothing else: %s', (text) => expect(pythonLiteral(text)).toBeUndefined())

  it('a key of the prototype is a key', () => {
    const value = pythonLiteral("{'__proto__': 1}")
    expect(Object.keys(value as object)).toEqual(['__proto__'])
  })
})
