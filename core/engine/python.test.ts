import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../fixtures/any-character.ts'
import { readJson, writeJson } from './python-json.ts'
import { floatRepr, plainDecimal, plainInteger, pyFloat, wholeFromText } from './python-number.ts'
import { codePoints, isBlank, pySplit, pyStrip, startsWithFolded } from './python-text.ts'

/** Answers taken from Python 3 (DECISIONS section 5). */
describe('text as Python sees it', () => {
  test('blanks: U+001C..1F and U+0085 are, U+FEFF and U+200B are not', () => {
    expect(
      ['\x1c', '\x1f', '\x85', '\xa0', '\u3000'].map((char) => isBlank(char.charCodeAt(0))),
    ).not.toContain(false)
    expect(
      ['\ufeff', '\u200b', '\u180e', 'a'].map((char) => isBlank(char.charCodeAt(0))),
    ).not.toContain(true)
    expect(pyStrip('\x1c \ufeffa\x85')).toBe('\ufeffa')
    expect(pySplit(' a\x1fb\ufeffc ')).toEqual(['a', 'b\ufeffc'])
  })
  test('lengths are code points; half a pair counts as one', () => {
    expect(['🙂a', '\ud800\ud800', '\udc00🙂'].map(codePoints)).toEqual([2, 2, 2])
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }),
        (text) => codePoints(text) === Array.from(text).length,
      ),
    )
  })
  test('IGNORECASE: dotless and dotted i, long s, Kelvin', () => {
    for (const text of ['SIGNAL', 'ſignal', 'sıgnal', 'sİgnal'])
      expect(startsWithFolded(text, 'signal', 0)).toBe(true)
    expect(startsWithFolded('\u212a', 'k', 0)).toBe(true)
    expect(startsWithFolded('\x1csignal', '<signal', 0)).toBe(false)
  })
})

describe('numbers', () => {
  test.each([
    ['1_0.0', 10],
    ['.5', 0.5],
    ['2.', 2],
    ['1.e3', 1000],
    ['+1.0', 1],
    ['٣.٥', 3.5],
    ['-inf', -Infinity],
    ['1e999', Infinity],
    ['1_.0', null],
    ['1._0', null],
    ['_1.0', null],
    ['1.0e', null],
    ['.', null],
    ['', null],
    ['0x1', null],
  ])('float(%j) is %j', (text, value) => {
    expect(pyFloat(text)).toBe(value)
  })
  test.each([
    ['007', 7],
    ['-٣', -3],
    ['-0', 0],
    ['²', null],
    ['+5', null],
    ['', null],
    ['-', null],
    ['9007199254740992', 9007199254740992n],
  ])('a plain integer %s is %s', (text, value) => expect(plainInteger(text)).toBe(value))
  test.each([
    ['+5', 5],
    ['1_000', 1000],
    ['1.000', 1],
    ['-07', -7],
    ['5\x85', 5],
    ['1_0.00', 10],
    ['1.', null],
    ['.0', null],
    ['_7', null],
    ['7_', null],
    ['1__0', null],
    ['5\x1c', null],
    ['+-5', null],
    ['٣', null],
    ['1e3', null],
  ])('pydantic reads %j as %j', (text, value) => {
    const read = wholeFromText(text)
    expect('value' in read ? read.value : null).toBe(value)
  })
  test('[S8] plain decimals only', () =>
    expect(['0.5', '1e-3', '+.5', 'nan', 'inf', '1_0', '٠.٥'].map(plainDecimal)).toEqual([
      0.5,
      0.001,
      0.5,
      null,
      null,
      null,
      null,
    ]))
  test.each([
    [1, '1.0'],
    [1e16, '1e+16'],
    [123456789012345680, '1.2345678901234568e+17'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [-0, '-0.0'],
    [1.5e300, '1.5e+300'],
    [100000, '100000.0'],
    [NaN, 'NaN'],
    [-Infinity, '-Infinity'],
  ])('repr(%d) is %s', (value, text) => expect(floatRepr(value)).toBe(text))
  test('repr is read back as the same number', () =>
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) =>
        Object.is(pyFloat(floatRepr(value)), value),
      ),
    ))
})

describe('JSON', () => {
  test('any JSON value is read and written back with the same meaning', () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { node } = readJson(JSON.stringify(value))
        expect(node).not.toBeNull()
        if (node !== null)
          expect(JSON.parse(writeJson(node))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    ))
  test.each([
    '',
    '[',
    '[1,]',
    '{"a"}',
    '{"a":}',
    '"\n"',
    '01',
    '1.',
    'nan',
    "['a']",
    '[1] 2',
    '\ufeff1',
    '"\\x"',
    '-',
  ])('not JSON: %j', (text) => {
    expect(readJson(text)).toEqual({ node: null, failure: 'invalid' })
  })
  test.each([
    ['[1.0, 1, 1e5]', '[1.0, 1, 100000.0]'],
    ['[NaN,-Infinity]', '[NaN, -Infinity]'],
    ['-0', '0'],
    ['12345678901234567890', '12345678901234567890'],
    ['{"a":1,"a":2}', '{"a": 2}'],
    ['"\\u00e9\\u0001"', '"é\\u0001"'],
  ])('%s is written as %s', (text, written) => {
    const { node } = readJson(text)
    expect(node === null ? null : writeJson(node)).toBe(written)
  })
  test('[S15] too deep is said, not thrown', () =>
    expect(readJson('['.repeat(200_000)).failure).toBe('too_deep'))
})
