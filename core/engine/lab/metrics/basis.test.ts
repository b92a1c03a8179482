import { describe, expect, it } from 'vitest'
import { basisOf, sourceName } from './basis.ts'
import { basisLines, madeFromWords } from './basis-words.ts'

const turn = (source: string, isRight: boolean, expected = 'coding') => ({
  source,
  expected,
  alternatives: [],
  predicted: isRight ? expected : 'bugfix',
})
const TURNS = [
  turn('a', true),
  turn('a', true),
  turn('b', true),
  turn('b', false),
  turn('/home/x/c.jsonl', false, 'planning'),
]
const reading = (by: string, primary: string) => ({
  event: 0,
  sha256: '0'.repeat(16),
  by,
  primary,
})

describe('what figures stand on', () => {
  it('[L100] n, sources, folds of whole sources, the most frequent answer, the ceiling', () => {
    const readings = [[reading('Ada', 'coding'), reading('Bo', 'coding')]]
    const basis = basisOf(TURNS, [], readings)
    expect(basis).toMatchObject({
      labelled: 5,
      sources: 3,
      byFold: { folds: 3, mean: 0.5, deviation: 0.5 },
      mostFrequent: { domain: 'coding', share: { hits: 4, of: 5 } },
      ceiling: { readers: ['Ada', 'Bo'], same: { hits: 1, of: 1 } },
    })
    const lines = basisLines(basis)
    expect(lines[0]).toBe(
      'measured on 5 labelled turns of 3 sources, 3 folds of whole sources: right 50.0 % on average, ± 50.0 %',
    )
    expect(lines.join()).toContain(
      'always coding, the most frequent answer: 4 of 5 (80 %, 95 % interval',
    )
    expect(lines.at(-1)).toContain('reader agreement: Ada and Bo agree on 1 of 1')
  })

  it('[L100] of one source nothing is known of others, and of one reader no ceiling', () => {
    const lines = basisLines(basisOf(TURNS.slice(0, 2), [], []))
    expect(lines[0]).toBe(
      'measured on 2 labelled turns of 1 source: nothing is known of other sources',
    )
    expect(lines.at(-1)).toBe('reader agreement unknown: no turn has labels of two readers')
  })

  it('[L101] turns of sources that signals were made from are marked; the rest has a figure of its own', () => {
    const basis = basisOf(TURNS, ['a', 'c.jsonl', 'nobody'], [])
    expect(basis.madeFrom).toMatchObject({
      turns: 3,
      sources: ['a', 'c.jsonl'],
      others: { hits: 1, of: 2 },
    })
    expect(madeFromWords(basis)).toBe('signals were made from these: 3 of 5 turns (a, c.jsonl)')
    expect(basisLines(basis)[2]).toContain('that they were not made from: right 1 of 2')
    expect(madeFromWords(basisOf(TURNS, [], []))).toBeNull()
  })

  it('[L101] a path is named by its file alone, a repository as it is', () => {
    expect(['/a/b.jsonl', 'C:\\x\\y.jsonl', 'owner/repo'].map(sourceName)).toEqual([
      'b.jsonl',
      'y.jsonl',
      'owner/repo',
    ])
  })
})
