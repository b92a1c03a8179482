import { describe, expect, it } from 'vitest'
import {
  foldsOfSources,
  measureFolds,
  type SourcedTurn,
  splitSources,
  wilson,
} from './fold-metrics.ts'

function turn(source: string, right: boolean, fold: string | null = null): SourcedTurn {
  return { source, fold, expected: 'a', alternatives: [], predicted: right ? 'a' : 'b' }
}

describe('figures over folds of whole sources', () => {
  it('[L70] the interval is Wilson’s, also at the ends and of nothing', () => {
    expect(wilson({ hits: 5, of: 10, value: 0.5 })?.map((end) => end.toFixed(3))).toEqual([
      '0.237',
      '0.763',
    ])
    expect(wilson({ hits: 0, of: 10, value: 0 })?.[0]).toBe(0)
    expect(wilson({ hits: 0, of: 0, value: null })).toBeNull()
  })

  it('[L70] mean and spread are of folds, not of turns', () => {
    const turns = [
      turn('x', true, '0'),
      turn('x', true, '0'),
      turn('x', true, '0'),
      turn('y', false, '1'),
    ]
    const { all, strictSpread, folds, mostFrequent } = measureFolds(turns)
    expect(all.strict.value).toBe(0.75)
    expect(strictSpread?.mean).toBe(0.5)
    expect(strictSpread?.deviation).toBeCloseTo(0.707, 3)
    expect(folds.map(({ name }) => name)).toEqual(['0', '1'])
    expect(mostFrequent).toMatchObject({ domain: 'a', hits: 4, of: 4 })
  })

  it('[L71] a file without folds gets folds of whole sources, of about one size', () => {
    const turns = ['a', 'a', 'a', 'a', 'b', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) =>
      turn(name, true),
    )
    const folds = foldsOfSources(turns)
    expect(new Set(folds.values()).size).toBe(5)
    expect(folds.get('a')).toBe('0')
    const shared = [...folds].filter(([, fold]) => fold === folds.get('a'))
    expect(shared).toEqual([['a', '0']])
  })

  it('[L72] a source in two folds is named', () => {
    expect(
      splitSources([turn('x', true, '0'), turn('x', true, '1'), turn('y', true, '1')]),
    ).toEqual(['x'])
  })
})
