import { describe, expect, it } from 'vitest'
import { QueryType } from '../../../core/engine/schema/query.ts'
import { queryLane, queryTypeAt, queryWords } from './query-lane.ts'
import { queryBlock } from '../../features/prompt/lane-row.tsx'

const query = (name: QueryType) => QueryType.options.indexOf(name)

const columnsOf = (queries: ReadonlyArray<readonly [seq: number, type: number]>) => ({
  seq: queries.map(([seq]) => seq),
  type: queries.map(([, type]) => type),
  confidence: queries.map(() => 0.8),
  tokens: queries.map(() => 1960),
  budget: 8000,
})

describe('the lane of queries', () => {
  it('takes the most frequent type of a block and counts its messages', () => {
    const columns = columnsOf([
      [0, query('code')],
      [3, query('action')],
    ])
    const lane = queryLane([0, 1, 2, 3, 4], columns)
    expect(queryBlock(lane, 0, 4)).toEqual({ type: 'code', queries: 2 })
    expect(queryBlock(lane, 4, 8)).toBeNull()
  })

  it('says query and tokens, and nothing where there is nothing', () => {
    const lane = queryLane([2, 5, 9], columnsOf([[2, query('code')]]))
    expect(queryWords(lane, 0)).toBe('code 0.80, prompt 1,960 of 8,000 tokens')
    expect(queryWords(lane, 1)).toBe('')
    expect(queryTypeAt(lane, 1)).toBeUndefined()
  })

  it('holds no turn: nothing to place', () => {
    expect(queryLane([], columnsOf([[0, 0]])).query).toHaveLength(0)
  })
})
