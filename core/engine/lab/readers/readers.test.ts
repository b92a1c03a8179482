import { expect, test } from 'vitest'
import { wilson } from '../metrics/interval.ts'
import { readerReport } from './agreement.ts'
import { CONSENSUS, countingLabel, labelFor, withReading } from './readings.ts'

const reading = (by: string | undefined, primary: string, acceptable: string[] = []) => ({
  ...(by === undefined ? {} : { by }),
  primary,
  acceptable,
})

test('[L87] agreement, kappa and what is to be settled; the consensus is no reader', () => {
  // Cohen's example: 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: 0.7 agree, kappa 0.4.
  const item = (one: string, other: string) => [reading('Ada', one), reading('Bo', other)]
  const times = (count: number, one: string, other: string) =>
    Array.from({ length: count }, () => item(one, other))
  const items = [
    ...times(20, 'yes', 'yes'),
    ...times(5, 'yes', 'no'),
    ...times(9, 'no', 'yes'),
    ...times(15, 'no', 'no'),
    [...item('no', 'yes'), reading(CONSENSUS, 'no')],
    [reading('Ada', 'yes')],
  ]
  const { readers, pairs, open, settled } = readerReport(items)
  expect(readers).toEqual([
    { by: 'Ada', labels: 51 },
    { by: 'Bo', labels: 50 },
  ])
  const [pair] = pairs
  expect(pairs).toHaveLength(1)
  expect(pair?.same).toMatchObject({ hits: 35, of: 50, ...wilson(35, 50) })
  expect(pair?.kappa?.value).toBeCloseTo(0.4, 10)
  expect(pair?.kappa?.low).toBeLessThan(0.4)
  expect(pair?.kappa?.high).toBeGreaterThan(0.4)
  expect([open, settled]).toEqual([14, 1])
})

test('[L87] an accepted alternative is counted beside the same primary; labels without a name are a reader', () => {
  const { pairs } = readerReport([
    [reading(undefined, 'coding', ['bugfix']), reading('Bo', 'bugfix')],
    [reading(undefined, 'coding'), reading('Bo', 'planning')],
  ])
  expect(pairs[0]).toMatchObject({
    readers: ['(no name)', 'Bo'],
    same: { hits: 0, of: 2 },
    accepted: { hits: 1, of: 2 },
  })
})

test('[L86] the consensus counts, else the later label; a reader replaces the own one only', () => {
  const both = withReading([reading('Ada', 'a')], reading('Bo', 'b'))
  expect(countingLabel(both)?.primary).toBe('b')
  expect(withReading(both, reading('Ada', 'c')).map(({ primary }) => primary)).toEqual(['b', 'c'])
  const settled = withReading(both, reading(CONSENSUS, 'a'))
  expect(countingLabel([...settled, reading('Cy', 'd')])?.primary).toBe('a')
})

test('[L85] a reader sees the own label, never that of another, and what was settled', () => {
  const both = [reading('Ada', 'a'), reading('Bo', 'b')]
  expect(labelFor(both, 'Ada')?.primary).toBe('a')
  expect(labelFor(both, 'Cy')).toBeUndefined()
  expect(labelFor([reading(undefined, 'old'), ...both], 'Cy')?.primary).toBe('old')
  expect(labelFor([...both, reading(CONSENSUS, 'c')], 'Ada')?.primary).toBe('c')
  expect(labelFor(both, null)?.primary).toBe('b')
})
