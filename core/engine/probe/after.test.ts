import { describe, expect, test } from 'vitest'
import type { ProbeHit } from '../schema/probe.ts'
import { pointAt } from './curve.ts'
import { judge, lexicalCoverage } from './hits.ts'
import { recommendedProbe } from './options.ts'
import { keywordCollection } from './persona.ts'
import { mergeRetrieved, planRetrieval } from './retrieve.ts'

function hit(phrase: string, collection: string, score: number, chunk_idx = 0): ProbeHit {
  return {
    phrase,
    collection,
    score,
    chunk_idx,
    similarity: score,
    lexical: 0,
    threshold: 0.4,
    chunk_text: `${collection} ${chunk_idx}`,
    filename: 'a.md',
    lines: null,
    from_cache: false,
  }
}

describe('[D6] the hit rule', () => {
  const { rule } = recommendedProbe
  test.each([
    [0.36, 0, true],
    [0.3, 0.6, true],
    [0.24, 1, false],
    [0.3, 0.2, false],
  ])('cosine %f with coverage %f: %s', (similarity, lexical, isHit) => {
    expect(judge({ similarity, lexical }, 0.35, rule).isHit).toBe(isHit)
    expect(judge({ similarity, lexical }, 0.4, { kind: 'cosine' }).isHit).toBe(similarity >= 0.4)
  })

  test('a raised threshold raises what words and cosine must reach together', () =>
    expect(judge({ similarity: 0.3, lexical: 0.6 }, 0.45, rule).isHit).toBe(false))

  test('coverage weighs rare words more', () => {
    const idf = (word: string): number => (word === 'the' ? 0.1 : 3)
    expect(lexicalCoverage(['the', 'maid'], new Set(['the']), idf)).toBeCloseTo(0.1 / 3.1)
    expect(lexicalCoverage([], new Set(['the']), idf)).toBe(0)
  })
})

describe('[D9] keywords where nothing was hit', () => {
  const domains = [
    { name: 'dnd', persona: 'player', keywords: ['dungeon master', 'd20'] },
    { name: 'system', persona: 'operator', keywords: ['disk'] },
  ]
  test.each([
    ['Ask the Dungeon Master!', 'dnd'],
    ['my disk is full', 'system'],
    ['diskette', null],
  ])('%s: %s', (text, wanted) => expect(keywordCollection(text, domains)).toBe(wanted))
})

describe('[D13] retrieval after the probe', () =>
  test('collections that were hit are not asked again; neighbours are added, everything once', () => {
    const hits = [hit('x', 'dnd', 0.5, 3), hit('y', 'dnd', 0.6, 4)]
    const plan = planRetrieval(hits, ['dnd', 'system'])
    expect(plan.skipped).toEqual(['dnd'])
    expect(plan.ask).toEqual(['system'])
    expect(plan.neighbours.map(({ from, to }) => [from, to])).toEqual([
      [2, 4],
      [3, 5],
    ])
    const beside = [2, 3, 4, 5].map((chunk_idx) => ({
      collection: 'dnd',
      filename: 'a.md',
      chunk_idx,
      text: `dnd ${chunk_idx}`,
      score: null,
      origin: 'adjacent' as const,
    }))
    const other = [
      {
        collection: 'system',
        filename: 'b.md',
        chunk_idx: 0,
        text: 's',
        score: 0.4,
        origin: 'retrieval' as const,
      },
    ]
    const merged = mergeRetrieved(hits, beside, other, 10)
    expect(merged.map((each) => [each.collection, each.chunk_idx, each.origin])).toEqual([
      ['dnd', 4, 'probe'],
      ['dnd', 5, 'adjacent'],
      ['dnd', 3, 'probe'],
      ['dnd', 2, 'adjacent'],
      ['system', 0, 'retrieval'],
    ])
  }))

describe('[D14] [L30] the threshold curve', () => {
  const phrase = { text: 'x', rule: 'quoted' as const, spans: [], weight: 1 }
  const queries = [
    {
      query: { id: '1', text: 'x', collection: 'dnd' },
      phrases: [phrase],
      candidates: [hit('x', 'dnd', 0.5), hit('x', 'system', 0.3)],
    },
    {
      query: { id: '2', text: 'x', collection: null },
      phrases: [phrase],
      candidates: [hit('x', 'dnd', 0.2)],
    },
  ]
  test.each([
    [0.1, 1 / 3, 1, 1],
    [0.25, 0.5, 1, 0],
    [0.4, 1, 1, 0],
    [0.6, null, 0, 0],
  ])('at %f: precision %f, recall %f, false hits %f', (threshold, precision, recall, falseHits) => {
    const point = pointAt(queries, threshold, { kind: 'cosine' }, ['dnd', 'system'])
    expect([point.precision.value, point.recall.value, point.falseHits.value]).toEqual([
      precision,
      recall,
      falseHits,
    ])
    expect(point.primary.of).toBe(1)
  })
})
