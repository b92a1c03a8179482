import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { promptPreset, readVectors } from '../../../fixtures/prompt-vectors.ts'
import { QueryClassification, type QueryOptions, type QueryType } from '../schema/query.ts'
import { classificationOf, classifyQuery, confidenceOf } from './classify.ts'
import { KEYWORDS, SCORE_ORDER } from './keywords.ts'

interface Recorded {
  readonly type: QueryType
  readonly confidence: number
  readonly keywords: readonly string[]
  readonly needs_code: boolean
  readonly needs_vault: boolean
  readonly needs_web: boolean
  readonly segment: string
  readonly any_context: boolean
}
interface Query {
  readonly id: number
  readonly query: string
  readonly context: string | null
  readonly expected: Recorded
  readonly scores?: Record<QueryType, number>
  readonly proposed?: Recorded
}
interface Vectors {
  readonly keywords: Record<QueryType, readonly string[]>
  readonly score_order: readonly QueryType[]
  readonly confidence_table: ReadonlyArray<{
    readonly score: number
    readonly keyword_count: number
    readonly expected: number
    readonly boosted: number
  }>
  readonly from_type: ReadonlyArray<{
    readonly type: QueryType
    readonly expected: Omit<Recorded, 'type' | 'keywords'> & { keywords_matched: null }
  }>
  readonly queries: readonly Query[]
}

const vectors = readVectors<Vectors>('query')
const presets = {
  literal: promptPreset('literal').query,
  recommended: promptPreset('recommended').query,
}

function recorded(query: QueryClassification): Recorded {
  return {
    type: query.type,
    confidence: query.confidence,
    keywords: query.keywords,
    needs_code: query.needsCode,
    needs_vault: query.needsVault,
    needs_web: query.needsWeb,
    segment: query.segment,
    any_context: query.needsCode || query.needsVault || query.needsWeb,
  }
}

function differing(options: QueryOptions, wanted: (item: Query) => Recorded): readonly number[] {
  return vectors.queries
    .filter((item) => {
      const answer = QueryClassification.parse(classifyQuery(item.query, item.context, options))
      return !isDeepStrictEqual(recorded(answer), wanted(item))
    })
    .map((item) => item.id)
}

describe('golden queries', () => {
  test(`literal equals expected in all ${vectors.queries.length} queries, confidences bit for bit`, () =>
    expect(differing(presets.literal, (item) => item.expected)).toEqual([]))

  test(`[Q1]–[Q4] recommended equals proposed in all ${vectors.queries.length} queries`, () =>
    expect(differing(presets.recommended, (item) => item.proposed ?? item.expected)).toEqual([]))

  test('literal: scores of every type as recorded', () => {
    const bad = vectors.queries.filter((item) => {
      const { scores } = classifyQuery(item.query, item.context, presets.literal)
      return item.scores !== undefined && !isDeepStrictEqual(scores, item.scores)
    })
    expect(bad.map((item) => item.id)).toEqual([])
  })

  test('[Q7] keyword sets and scoring order as recorded', () => {
    expect(KEYWORDS).toEqual(vectors.keywords)
    expect(SCORE_ORDER).toEqual(vectors.score_order)
  })

  test('confidence table as recorded, bit for bit', () => {
    for (const row of vectors.confidence_table) {
      const base = confidenceOf(row.score, row.keyword_count)
      expect(base).toBe(row.expected)
      expect(Math.min(1, base + 0.1)).toBe(row.boosted)
    }
  })

  test('from_type as recorded', () => {
    for (const { type, expected } of vectors.from_type) {
      expect(recorded(classificationOf(type))).toMatchObject({
        needs_code: expected.needs_code,
        needs_vault: expected.needs_vault,
        needs_web: expected.needs_web,
        segment: expected.segment,
        confidence: expected.confidence,
        any_context: expected.any_context,
      })
    }
  })
})
