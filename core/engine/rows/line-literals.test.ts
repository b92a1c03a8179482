import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atLeast, casesOf } from '../../../fixtures/cases.ts'
import { compile, config, sessions } from '../../../fixtures/random-configs.ts'
import { scoredText } from '../belief/text.ts'
import { testSignal } from '../matcher/signal.ts'
import { createTextFacts } from '../matcher/text-facts.ts'
import { lineLiterals, textNeeds } from './line-literals.ts'

const lowerAscii = (text: string) => text.replaceAll(/[A-Z]/gu, (letter) => letter.toLowerCase())

/** A character as a line of JSON may hold it: as it is, or escaped. */
function written(character: string, how: number): string {
  const plain = JSON.stringify(character).slice(1, -1)
  if (how > 3) return plain
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  const escapes = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
  return how > 2 ? escapes.join('').toUpperCase().replaceAll('\\U', '\\u') : escapes.join('')
}

const WAYS = { minLength: 30, maxLength: 30 }

test('[F132] every line whose text a signal matches holds one of the literals, however it is written', () => {
  let asked = 0
  fc.assert(
    fc.property(config, sessions, fc.array(fc.nat(40), WAYS), (one, all, ways) => {
      let at = 0
      const way = () => ways[(at += 1) % ways.length] ?? 0
      const { signals, preset } = compile(one)
      for (const signal of signals) {
        const literals = lineLiterals([signal], preset.belief)
        const needs = textNeeds([signal], preset.belief)
        for (const text of all.flat()) {
          const facts = createTextFacts(scoredText(text, preset.belief).text)
          if (!testSignal(signal, facts)) continue
          const line = `"${Array.from(text, (each) => written(each, way())).join('')}"`
          expect(JSON.parse(line)).toBe(text)
          const holds = (literal: string) => lowerAscii(line).includes(lowerAscii(literal))
          if (literals !== null) expect(literals.some(holds), line).toBe(true)
          if (needs === null) continue
          asked += 1
          const has = (literal: string) => text.toLowerCase().includes(literal)
          const may =
            needs.alternatives.some((every) => every.every(has)) ||
            needs.marks.some((mark) => text.includes(mark) || has(mark))
          expect(may, text).toBe(true)
        }
      }
    }),
    casesOf('rows: line literals'),
  )
  expect(asked).toBeGreaterThan(atLeast('rows: line literals', 100))
})

const literalsOf = (pattern: string) => {
  const { signals, preset } = compile({
    domains: [{ name: 'coding', signals: [{ pattern }] }],
    options: { stripThinking: false },
    profile: null,
  })
  return lineLiterals(signals, preset.belief)
}

test.each([
  ['the longest run of a literal that JSON does not escape', 'say "thank you"', 'thank you'],
  ['one of each alternative', '(?i)traceback|Exception', 'traceback'],
  ['no more than the shortest way', 'stack traces?', 'stack trace'],
])('[F132] %s is looked for', (_, pattern, literal) => {
  expect(literalsOf(pattern)).toContain(literal)
})

test.each([[String.raw`\d+`], ['ok'], ['"/"'], ['这个'], ['x*']])(
  '[F132] nothing is worth looking for of %s',
  (pattern) => {
    expect(literalsOf(pattern)).toBe(null)
  },
)
