import { describe, expect, it } from 'vitest'
import {
  type CurveRow,
  type Scores,
  compareRows,
  hitsBySteps,
  movedHits,
  saidOf,
  stripOf,
  tallies,
} from './scores.ts'

/** Two messages, two collections: reach as the engine gives it (D16). */
const scores: Scores = {
  kind: 'scores',
  collections: ['dnd', 'system'],
  phrases: ['Rogue’s End', 'disk'],
  thresholds: [0.35, 0.4],
  seq: [0, 0, 4, 4],
  phrase: [0, 0, 1, 1],
  collection: [0, 1, 0, 1],
  similarity: [0.66, 0.2, 0.3, 0.45],
  lexical: [1, 0, 0, 0],
  reach: [0.66, 0.2, 0.35, 0.45],
}

describe('[D54] a threshold that moves', () => {
  it('hits exactly up to the reach, the reach included', () => {
    expect(tallies(scores, 0.35)[0]).toMatchObject({ now: 2, inForce: 2, added: 0, gone: 0 })
    expect(tallies(scores, 0.36)[0]).toMatchObject({ now: 1, gone: 1, messages: 1 })
    const steps = hitsBySteps(scores, 0)
    expect([steps[0], steps[35], steps[36], steps[66], steps[67]]).toEqual([2, 2, 1, 1, 0])
  })

  it('never has more hits at a higher threshold', () => {
    for (const at of [0, 1]) {
      const steps = hitsBySteps(scores, at)
      expect(steps).toEqual(steps.toSorted((a, b) => b - a))
    }
  })

  it('names what appears and what disappears against each collection’s own threshold', () => {
    expect(movedHits(scores, 0.2).map(({ phrase, kind }) => [phrase, kind])).toEqual([
      ['Rogue’s End', 'new'],
    ])
    expect(movedHits(scores, 0.5).map(({ reach, kind }) => [reach, kind])).toEqual([
      [0.45, 'gone'],
      [0.35, 'gone'],
    ])
  })

  it('puts hits that stay, appear and disappear at their message, and sums bins', () => {
    const strip = (threshold: number, most: number) =>
      stripOf(scores, { collection: 1, threshold, seqs: [0, 4], most })
    expect(strip(0.1, 10)).toEqual([
      { from: 0, to: 1, stay: 0, added: 1, gone: 0 },
      { from: 1, to: 2, stay: 1, added: 0, gone: 0 },
    ])
    expect(strip(0.9, 1)).toEqual([{ from: 0, to: 2, stay: 0, added: 0, gone: 1 }])
  })
})

const row = (
  id: string,
  wanted: string | null,
  reach: Readonly<Record<string, number>>,
): CurveRow => ({
  id,
  text: `query ${id}`,
  wanted,
  best: Object.entries(reach).map(([collection, value]) => ({
    collection,
    phrase: 'p',
    similarity: value,
    lexical: null,
    reach: value,
  })),
})

describe('[D55] two embedders on the same queries', () => {
  it('says the collection that reaches furthest, or nothing below the threshold', () => {
    const one = row('q', 'dnd', { dnd: 0.5, system: 0.6 })
    expect(saidOf(one, 0.4)).toMatchObject({ collection: 'system', right: false })
    expect(saidOf(one, 0.7)).toMatchObject({ collection: null, right: false })
    expect(saidOf(row('q', null, {}), 0.4)).toMatchObject({ collection: null, right: true })
    expect(saidOf(row('q', null, { dnd: 0.4 }), 0.4).right).toBe(false)
  })

  it('compares the queries that both answered, each at its own threshold', () => {
    const a = { rows: [row('1', 'dnd', { dnd: 0.5 }), row('2', 'dnd', {})], threshold: 0.4 }
    const b = { rows: [row('1', 'dnd', { dnd: 0.5 })], threshold: 0.6 }
    const compared = compareRows(a, b)
    expect(compared.map(({ id }) => id)).toEqual(['1'])
    expect([compared[0]?.a.right, compared[0]?.b.right]).toEqual([true, false])
  })
})
