import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../../fixtures/any-character.ts'
import { casesOf } from '../../../fixtures/cases.ts'
import { promptPreset } from '../../../fixtures/prompt-vectors.ts'
import { QueryClassification, QueryOptions } from '../schema/query.ts'
import { classifyQuery } from './classify.ts'
import { KEYWORDS } from './keywords.ts'
import { QUERY_OPTIONS } from './options.ts'

const literal = promptPreset('literal').query
const recommended = promptPreset('recommended').query

test('recommended is the value that each option documents', () => {
  const values = Object.entries(QUERY_OPTIONS).map(([name, { value }]) => [name, value])
  expect(Object.fromEntries(values)).toEqual(recommended)
  expect(Object.keys(QUERY_OPTIONS)).toEqual(Object.keys(QueryOptions.shape))
})

test.each([
  ['wholeWords', 'I know the answer'],
  ['leadingImperative', 'Write a summary of the discussion'],
  ['noBoostWithoutMatch', 'xyzabc123 qwerty?'],
  ['blankIsEmpty', '     '],
] as const)('%s alone changes the answer', (name, query) => {
  const off = classifyQuery(query, null, { ...recommended, [name]: false })
  expect(classifyQuery(query, null, recommended)).not.toEqual(off)
})

const word = fc.constantFrom(
  ...Object.values(KEYWORDS).flat(),
  'please',
  'can you',
  '?',
  'é',
  '語',
  '\u0085',
)

test('any message has a classification of the schema; only listed keywords are reported', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(word).map((words) => words.join(' ')),
  )
  const known = new Set([...Object.values(KEYWORDS).flat(), 'short_query', 'followup_detected'])
  fc.assert(
    fc.property(
      text,
      fc.option(fc.string()),
      fc.constantFrom(literal, recommended),
      (query, context, options) => {
        const answer = QueryClassification.parse(classifyQuery(query, context, options))
        expect(answer.keywords.every((keyword) => known.has(keyword))).toBe(true)
        expect(answer.keywords).toEqual([...answer.keywords].sort())
      },
    ),
    casesOf('query: any message'),
  )
})

test('[Q6] recommended: keywords take no more words than the message has', () =>
  fc.assert(
    fc.property(fc.array(word, { minLength: 3 }), (parts) => {
      const query = parts.join(' ')
      const { scores } = classifyQuery(query, null, recommended)
      const words = query.split(/\s+/).length
      for (const score of Object.values(scores ?? {})) expect(score).toBeLessThanOrEqual(words)
    }),
  ))
