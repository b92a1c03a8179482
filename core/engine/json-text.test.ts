import { expect, it } from 'vitest'
import { casesOf } from '../../fixtures/cases.ts'
import fc from 'fast-check'
import { jsonText } from './json-text.ts'
import { redactValue } from './redact/redact.ts'
import { extrasOf } from './session-file.ts'

const LEVELS = 100_000
const deepList = (levels = LEVELS): unknown =>
  JSON.parse('['.repeat(levels) + '"x"' + ']'.repeat(levels))
const deepObject = (): unknown => JSON.parse('{"a":'.repeat(LEVELS) + '1' + '}'.repeat(LEVELS))

it('[I62] values of 100,000 levels are written as JSON, and as the same text', () => {
  expect(jsonText(deepList())).toBe('['.repeat(LEVELS) + '"x"' + ']'.repeat(LEVELS))
  expect(jsonText(deepObject())).toBe('{"a":'.repeat(LEVELS) + '1' + '}'.repeat(LEVELS))
})

it('[I62] beside something deep, anything is written as JSON.stringify writes it', () =>
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = jsonText([value, deepList(20_000)])
      expect(text.startsWith(`[${JSON.stringify(value)},[[[`)).toBe(true)
    }),
    casesOf('json: deep'),
  ))

it('[I62] redaction of 100,000 levels takes out what it should', () => {
  const value: unknown = JSON.parse('['.repeat(LEVELS) + '"secret"' + ']'.repeat(LEVELS))
  const redacted = jsonText(redactValue({ value }, (text) => text.replaceAll('secret', 'gone')))
  expect(redacted).toContain('gone')
  expect(redacted).not.toContain('secret')
})

it('[I63] an unknown field called __proto__ is kept as a field', () => {
  const line = JSON.parse('{"kind":"user","__proto__":{"polluted":true}}') as object
  const extras = extrasOf(line, new Set(['kind']))
  expect(JSON.stringify(extras)).toBe('{"__proto__":{"polluted":true}}')
  expect(extras).not.toHaveProperty('polluted')
})
