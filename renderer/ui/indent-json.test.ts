import fc from 'fast-check'
import { expect, it } from 'vitest'
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
