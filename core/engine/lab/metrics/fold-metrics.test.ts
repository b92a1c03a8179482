import { describe, expect, it } from 'vitest'
import { measureFolds, type SourcedTurn, splitSources } from './fold-metrics.ts'
import { foldsOfSources } from './folds.ts'

function turn(source: string, right: boolean, fold: string | null = null): SourcedTurn {
  return { source, fold, expected: 'a', alternatives: [], predicted: right ? 'a' : 'b' }
}

describe('figures over folds of whole sources', () => {
  it('[L70] the interval is Wilson’s, also at the ends', () => {
    const half = [turn('x', true), turn('x', false)]
    const { strictInterval } = measureFolds(Array.from({ length: 5 }, () => half).flat())
    expect(strictInterval?.low).toBeCloseTo(0.237, 3)
    expect(strictInterval?.high).toBeCloseTo(0.763, 3)
    expect(
      measureFolds(Array.from({ length: 10 }, () => turn('x', false))).strictInterval?.low,
    ).toBe(0)
    expect(measureFolds([]).strictInterval).toBeNull()
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
    const folds = foldsOfSources(['a', 'a', 'a', 'a', 'b', 'b', 'c', 'd', 'e', 'f', 'g'])
    expect(new Set(folds.values()).size).toBe(5)
    expect(folds.get('a')).toBe(0)
    const shared = [...folds].filter(([, fold]) => fold === folds.get('a'))
    expect(shared).toEqual([['a', 0]])
  })

  it('[L70] one source has no spread: it says nothing of others', () => {
    const { folds, strictSpread, macroF1Spread } = measureFolds([turn('x', true), turn('x', false)])
    expect(folds).toHaveLength(1)
    expect([strictSpread, macroF1Spread]).toEqual([null, null])
  })

  it('[L72] a source in two folds is named', () => {
    expect(
      splitSources([turn('x', true, '0'), turn('x', true, '1'), turn('y', true, '1')]),
    ).toEqual(['x'])
  })
})
