import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstMatch, measure, mostFrequent } from './metrics.ts'

const turn = (expected: string, predicted: string, ...alternatives: string[]) => {
  return { expected, predicted, alternatives }
}

describe('metrics', () => {
  const turns = [
    turn('coding', 'coding'),
    turn('coding', 'bugfix', 'bugfix'),
    turn('bugfix', 'bugfix'),
    turn('planning', 'coding'),
  ]

  it('every ratio comes with its counts', () => {
    const metrics = measure(turns)
    expect(metrics.strict).toEqual({ hits: 2, of: 4, value: 0.5 })
    expect(metrics.withAlternatives).toEqual({ hits: 3, of: 4, value: 0.75 })
    expect(metrics.domains.find(({ domain }) => domain === 'coding')).toEqual({
      domain: 'coding',
      precision: { hits: 1, of: 2, value: 0.5 },
      recall: { hits: 1, of: 2, value: 0.5 },
      f1: 0.5,
    })
    expect(metrics.domains.find(({ domain }) => domain === 'planning')?.precision).toEqual({
      hits: 0,
      of: 0,
      value: null,
    })
    expect(metrics.macroF1.of).toBe(3)
    expect(metrics.macroF1.value).toBeCloseTo((0.5 + 2 / 3 + 0) / 3)
    expect(metrics.confusion).toContainEqual({
      expected: 'planning',
      predicted: 'coding',
      count: 1,
    })
  })

  it('nothing measured is null, never 0 or 1', () => {
    expect(measure([]).strict.value).toBeNull()
    expect(measure([]).macroF1).toEqual({ value: null, of: 0 })
    expect(mostFrequent([])).toEqual({ domain: null, hits: 0, of: 0, value: null })
  })

  it('the floor is the most frequent label', () =>
    expect(mostFrequent(turns)).toEqual({ domain: 'coding', hits: 2, of: 4, value: 0.5 }))

  it('first match goes by priority, then order, and ignores scores', () => {
    const score = (domain: string, priority: number, order: number, count: number) => {
      return {
        domain,
        priority,
        order,
        matched: count,
        points: count,
        factor: 1,
        score: count,
        signals: [],
        barred: null,
      }
    }
    expect(firstMatch([score('coding', 4, 0, 5), score('analysis', 2, 1, 1)], 'conversation')).toBe(
      'analysis',
    )
    expect(firstMatch([score('b', 99, 1, 5), score('a', 99, 0, 1)], 'conversation')).toBe('a')
    expect(firstMatch([], 'conversation')).toBe('conversation')
  })

  it('confusion counts every turn once', () => {
    const name = fc.constantFrom('a', 'b', 'c')
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name)), (pairs) => {
        const metrics = measure(pairs.map(([expected, predicted]) => turn(expected, predicted)))
        expect(metrics.confusion.reduce((sum, cell) => sum + cell.count, 0)).toBe(pairs.length)
      }),
    )
  })
})
