import { describe, expect, it } from 'vitest'
import type { ProbeHit } from '../../../core/engine/schema/probe.ts'
import { costRows } from './probe-cost.tsx'
import { compared, groupHits, wordsOf } from './probe-words.ts'

const hit: ProbeHit = {
  phrase: 'Rogue’s End',
  collection: 'dnd',
  chunk_text: '',
  filename: 'a.md',
  chunk_idx: 0,
  similarity: 0.66,
  lexical: 1,
  score: 0.66,
  threshold: 0.35,
  lines: null,
  from_cache: false,
}

describe('[D52] what the rule compared', () => {
  it('is the cosine alone, or the cosine with the words, against what had to be reached', () => {
    expect(compared(hit)).toBe('cosine 0.66 ≥ 0.35')
    expect(compared({ ...hit, similarity: 0.31, score: 0.51, threshold: 0.4 })).toBe(
      'cosine 0.31 + words 0.20 = 0.51 ≥ 0.40',
    )
    expect(compared({ ...hit, similarity: 0.2, score: 0.2, lexical: null })).toBe(
      'cosine 0.20 < 0.35',
    )
  })

  it('marks the words of a phrase, none of its marks and particles', () => {
    expect(wordsOf('Rogue’s End')).toEqual(['rogue', 'end'])
    expect(wordsOf('snake_case of AC 15')).toEqual(['snake_case'])
  })

  it('groups hits by collection, the primary first', () => {
    const groups = groupHits(
      [{ ...hit, collection: 'other' }, { ...hit, collection: 'system' }, hit],
      ['dnd', 'system'],
    )
    expect(groups.map(([name]) => name)).toEqual(['dnd', 'system', 'other'])
  })
})

describe('[D53] time against the budget', () =>
  it('allows 5, 50 and 100 ms, and 20 for each collection', () => {
    const rows = costRows({ extract: 1, embed: 60, search: 30, total: 91 }, 2)
    expect(rows.map(({ budget }) => budget)).toEqual([5, 50, 40, 100])
    expect(rows.filter(({ ms, budget }) => ms > budget).map(({ name }) => name)).toEqual([
      'embedding',
    ])
  }))
