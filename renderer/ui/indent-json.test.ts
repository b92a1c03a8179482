import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { indentJson } from './indent-json.ts'

it('indents as JSON.stringify does', () =>
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
    }),
  ))

it('keeps numbers, escapes and repeated keys as they stand in the file', () =>
  expect(indentJson('{"id":12345678901234567890,"a":"\\u00e9","a":1e2}')).toBe(
    '{\n  "id": 12345678901234567890,\n  "a": "\\u00e9",\n  "a": 1e2\n}',
  ))

it('leaves text that is not JSON alone', () =>
  expect(indentJson('{"torn": "li')).toBe('{"torn": "li'))

test.each([1_000, 60_000, 130_000])(
  '[U13] %i levels are cut with a sign that counts them',
  (levels) => {
    const shown = indentJson(`{"a":${'['.repeat(levels)}1${']'.repeat(levels)},"b":2}`)
    expect(shown.length).toBeLessThan(25_000)
    expect(shown).toContain(`… ${(levels - 99).toLocaleString('en-US')} levels more`)
    expect(shown).toContain('"b": 2')
  },
)

test('[U13] 100 levels are all shown', () => {
  expect(indentJson(`${'['.repeat(100)}1${']'.repeat(100)}`)).not.toContain('more')
})

test('[U13] what indenting makes much longer is cut, and it is said', () => {
  const shown = indentJson(`${'['.repeat(99)}${'1,'.repeat(120_000)}1${']'.repeat(99)}`)
  expect(shown.length).toBeLessThan(4_100_000)
  expect(shown).toContain('… the rest is shown by Raw')
})
