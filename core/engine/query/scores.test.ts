import { expect, test } from 'vitest'
import { promptPreset } from '../../../fixtures/prompt-vectors.ts'
import type { QueryType } from '../schema/query.ts'
import { classifyQuery, confidenceOf } from './classify.ts'
import { KEYWORDS } from './keywords.ts'
import { scoreAll } from './match.ts'

const literal = promptPreset('literal').query
const ORDER: readonly QueryType[] = ['code', 'documentation', 'research', 'action']

test('[Q0] of equal scores the first of code, documentation, research, action wins', () => {
  for (const [at, first] of ORDER.entries())
    for (const second of ORDER.slice(at + 1)) {
      // The later type comes first in the message: the order of the types decides, not that of the words.
      const pairs = KEYWORDS[second].flatMap((b) => KEYWORDS[first].map((a) => `${b} ${a} here`))
      const tie = pairs.find((text) => {
        const points = new Map(
          scoreAll(text, literal.wholeWords).map(([type, s]) => [type, s.points]),
        )
        const best = Math.max(...points.values())
        return (
          best > 0 &&
          points.get(first) === best &&
          points.get(second) === best &&
          ORDER.slice(0, at).every((type) => points.get(type) !== best)
        )
      })
      if (tie === undefined) throw new Error(`no message scores ${first} and ${second} alike`)
      expect([tie, classifyQuery(tie, null, literal).type]).toEqual([tie, first])
    }
})

test('[Q0] no match is conversational; confidence grows with score and keywords, up to 1', () => {
  expect(classifyQuery('zzzzz qqqqq', null, literal)).toMatchObject({
    type: 'conversational',
    confidence: 0.4,
  })
  expect(confidenceOf(0, 0)).toBe(0.4)
  expect(confidenceOf(1, 1)).toBeCloseTo(0.6)
  expect(confidenceOf(1, 2)).toBeCloseTo(0.65)
  expect(confidenceOf(1, 3)).toBeCloseTo(0.7)
  expect(confidenceOf(9, 1)).toBeCloseTo(0.9)
  expect(confidenceOf(9, 3)).toBe(1)
})

test('[Q0] a question adds 0.1', () => {
  const [word = ''] = KEYWORDS.code
  const said = classifyQuery(`${word} zzzzz`, null, literal)
  const asked = classifyQuery(`${word} zzzzz?`, null, literal)
  expect(asked.confidence).toBeCloseTo(Math.min(1, said.confidence + 0.1))
})
