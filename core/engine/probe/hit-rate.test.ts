import { describe, expect, it } from 'vitest'
import { err, ok } from '../result.ts'
import type { ProbeHit } from '../schema/probe.ts'
import { addHitRates, hitRateOf, noHitRate } from './hit-rate.ts'
import { keywordCoverage } from './keyword-coverage.ts'
import { recommendedProbe } from './options.ts'
import type { ProbeCollection, ProbePorts } from './ports.ts'

const none = {
  hits: [],
  primary_collection: null,
  supplemental_collections: [],
  strength: 'none',
  skipped: null,
  errors: [],
} as const
// Only the number of hits is looked at.
const hit = {} as ProbeHit

describe('[D71] hit rates', () => {
  it('[D71] counts what was probed, found, skipped and failed, by strength and collection', () => {
    const found = { ...none, hits: [hit], primary_collection: 'a', strength: 'weak' } as const
    const both = { ...found, supplemental_collections: ['b'], strength: 'strong' } as const
    const failed = { ...none, errors: [{ collection: 'b', what: 'gone', do: '' }] }
    const skipped = { ...none, skipped: 'too_short' } as const
    const results = [found, both, failed, skipped, none]
    const rate = results.map(hitRateOf).reduce(addHitRates, noHitRate)
    expect(rate).toEqual({
      messages: 5,
      skipped: 1,
      failed: 1,
      hit: 2,
      strength: { weak: 1, moderate: 0, strong: 1 },
      collections: [
        { collection: 'a', primary: 2, supplemental: 0 },
        { collection: 'b', primary: 0, supplemental: 1 },
      ],
    })
  })
})

/** A collection whose best cosine for a keyword is in a table. */
function collectionOf(
  name: string,
  keywords: readonly string[],
  cosines: Readonly<Record<string, number>>,
): ProbeCollection {
  return {
    name,
    keywords,
    persona: `${name}_persona`,
    version: '1',
    embedder: 'e',
    threshold: null,
    search: (queries) =>
      Promise.resolve(
        ok(
          queries.map(({ text }) => {
            const similarity = cosines[text]
            if (similarity === undefined) return []
            const place = { chunk_text: '', filename: `${name}.md`, chunk_idx: 0, lines: null }
            return [{ ...place, similarity, lexical: null }]
          }),
        ),
      ),
  }
}

function portsOf(collections: readonly ProbeCollection[]): ProbePorts {
  return {
    collections,
    embedder: {
      id: 'e',
      dimensions: 1,
      threshold: 0.4,
      remote: false,
      embed: (texts) => Promise.resolve(ok(texts.map(() => Float32Array.of(1)))),
    },
    clock: () => 0,
    signal: { aborted: false },
  }
}

describe('[D72] keywords that the probe covers', () => {
  const game = collectionOf('game', ['saving throw', 'campaign', 'd20'], {
    'saving throw': 0.7,
    campaign: 0.5,
    runbook: 0.1,
  })
  const system = collectionOf('system', ['runbook'], { campaign: 0.6, runbook: 0.3 })

  it('[D72] covered is a keyword that alone hits its own collection hardest', async () => {
    const rows = await keywordCoverage(recommendedProbe, portsOf([game, system]))
    if (!rows.ok) throw new Error(rows.error.what)
    expect(rows.value.map(({ keyword, covered, hit: by }) => [keyword, covered, by])).toEqual([
      ['saving throw', true, 'game'],
      ['campaign', false, 'system'],
      ['d20', false, null],
      ['runbook', false, null],
    ])
    expect(rows.value[3]?.best).toEqual({ filename: 'system.md', score: 0.3, threshold: 0.4 })
    expect(rows.value[2]).toMatchObject({ best: null, persona: 'game_persona' })
  })

  it('[D72] vectors of another embedder are not asked; without keywords nothing is', async () => {
    const other = { ...game, embedder: 'other' }
    const rows = await keywordCoverage(recommendedProbe, portsOf([other]))
    expect(rows).toMatchObject({ ok: true, value: [{ covered: false, best: null }, {}, {}] })
    const ports = portsOf([{ ...game, keywords: [] }])
    expect(await keywordCoverage(recommendedProbe, ports)).toEqual(ok([]))
  })

  it('[L28] a failure of the embedder or of a collection is an answer', async () => {
    const problem = { what: 'gone', where: 'here', do: 'look' }
    const broken = { ...game, search: () => Promise.resolve(err(problem)) }
    expect(await keywordCoverage(recommendedProbe, portsOf([broken]))).toEqual(err(problem))
    const ports = portsOf([game])
    const embedder = { ...ports.embedder, embed: () => Promise.resolve(err(problem)) }
    expect(await keywordCoverage(recommendedProbe, { ...ports, embedder })).toEqual(err(problem))
  })
})
