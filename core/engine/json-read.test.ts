import { describe, expect, it } from 'vitest'
import { recordsOfLine } from './import/json/line-records.ts'
import { scanPrefix } from './import/json/prefix.ts'
import { parseExact, parseJson as parseLine } from './import/json/value.ts'
import { createLog } from './import/shared/import-log.ts'
import { nullConstants, readJson } from './json-read.ts'
import { parseJson } from './result.ts'
import { readTurnRow } from './rows/turn-row.ts'

const TEXT = '{"a":NaN,"b":[-Infinity, Infinity],"c":"NaN, \\"Infinity\\""}'
const VALUE = { a: null, b: [null, null], c: 'NaN, "Infinity"' }

describe('[I173] constants of Python in JSON', () => {
  it('are null outside of strings', () => {
    expect(readJson(TEXT)).toEqual(VALUE)
    expect(parseJson(TEXT)).toEqual({ ok: true, value: VALUE })
    expect(parseLine(TEXT)).toEqual(VALUE)
    expect(parseExact(TEXT)).toEqual(VALUE)
  })

  it('do not make JSON of other texts', () => {
    for (const text of [
      '{"a":NaNs}',
      '{"a":+Infinity}',
      '{"a":1NaN}',
      '{NaN:1}',
      'NaN.5',
      '{"a":NaN',
    ]) {
      expect(() => readJson(text)).toThrow(SyntaxError)
    }
  })

  it('are found in linear time, also behind quotes that nothing closes', () => {
    const text = `${'"\\'.repeat(200_000)}NaN`
    const start = performance.now()
    expect(nullConstants(text)).toHaveLength(text.length)
    expect(performance.now() - start).toBeLessThan(2000)
  })

  it('are whole values in a beginning, and parts of one where it is cut', () => {
    expect(scanPrefix('{"a":NaN}', 0)).toEqual({ state: 'complete', end: 9 })
    expect(scanPrefix('{"a":-Infinity,"b":1}', 0)).toEqual({ state: 'complete', end: 21 })
    for (const cut of ['[1, N', '[1, Na', '[1, NaN', '[1, -Inf', '[1, Infinit']) {
      expect(scanPrefix(cut, 0)).toEqual({ state: 'partial', closed: '[1]' })
    }
  })

  it('do not cost a line, also one that holds two records', () => {
    const log = createLog()
    const found: unknown[] = []
    const text = '{"a":NaN}{"b":Infinity}'
    const line = { text, offset: 0, length: text.length, line: 1 }
    recordsOfLine({ ...line, unterminated: false, nul: false, tooLong: false }, log, (value) =>
      found.push(value),
    )
    expect(found).toEqual([{ a: null }, { b: null }])
    expect(log.report().problemTotal).toBe(0)
  })

  it('are passed on as null, so that what comes out is JSON', () => {
    const row = readTurnRow('{"session":"1","turn":1,"message":"NaN","score":NaN,"note":"NaN"}', '')
    expect(row).toMatchObject({
      ok: true,
      value: { message: 'NaN', passed: '"session":"1","turn":1,"score":null,"note":"NaN"' },
    })
  })
})
