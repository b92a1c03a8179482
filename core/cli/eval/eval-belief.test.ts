import { describe, expect, it } from 'vitest'
import { compileFixture, loadPreset } from '../../../fixtures/load.ts'
import { evalBelief } from './eval-belief.ts'

const domains = compileFixture([
  { name: 'coding', signals: ['cod1', 'cod2'], enrichment_template: 'Code.' },
  { name: 'bugfix', signals: ['fix1'], brief_description: 'Logs first.' },
])

async function* linesOf(
  lines: readonly string[],
  together = 1,
): AsyncGenerator<readonly string[], void, undefined> {
  for (let from = 0; from < lines.length; from += together)
    yield await Promise.resolve(lines.slice(from, from + together))
}

async function evaluate(preset: 'literal' | 'recommended', ...lines: readonly string[]) {
  const results: unknown[] = []
  for await (const line of evalBelief(linesOf(lines), { domains, preset: loadPreset(preset) }))
    results.push(JSON.parse(line))
  return results
}

describe('eval belief', () => {
  it('answers a line with exactly the documented keys', async () => {
    const [answer] = await evaluate('recommended', '{"message":"cod2 cod1 fix1"}')
    expect(answer).toEqual({
      scores: [
        { domain: 'coding', score: 2, signals: [0, 1] },
        { domain: 'bugfix', score: 1, signals: [0] },
      ],
      primary: { domain: 'coding', confidence: 2, signals: [0, 1] },
      secondary: { domain: 'bugfix', confidence: 1, signals: [0] },
      signature: 'bugfix+coding',
      momentum: 1,
      event: 'accept',
      plan: {
        primary_enrichment: true,
        secondary_enrichment: true,
        reason_primary_skipped: null,
        reason_secondary_skipped: null,
      },
      enrichment: '[BST] Domain: coding\nCode.\n[BST] Secondary context: bugfix — Logs first.',
    })
  })

  it('[B15] keeps state by session; a line without one stands alone', async () => {
    const line = (session: string | null) => JSON.stringify({ session, message: 'cod1' })
    const alone = '{"message":"cod1"}'
    const results = await evaluate(
      'recommended',
      line('a'),
      alone,
      line('b'),
      line('a'),
      alone,
      line(null),
    )
    expect(results.map((result) => (result as { momentum: number }).momentum)).toEqual([
      1, 1, 1, 2, 1, 1,
    ])
  })

  it('takes a profile with each line', async () => {
    const [answer] = await evaluate(
      'recommended',
      '{"message":"cod1","profile":{"disabled_domains":["coding"]}}',
    )
    expect(answer).toMatchObject({ enrichment: '', plan: { primary_enrichment: false } })
  })

  it('answers the same however lines come together', async () => {
    const profile = { disabled_domains: ['coding'] }
    const lines = Array.from({ length: 60 }, (_, at) => {
      if (at % 13 === 5) return at % 2 === 0 ? '' : 'not json'
      const session = at % 7 === 3 ? undefined : `s${at % 4}`
      const message = ['cod1 cod2', 'fix1', 'hmm', 'cod2 fix1'][(at * 5) % 4]
      return JSON.stringify({ session, message, ...(at % 9 < 2 ? { profile } : {}) })
    })
    const options = { domains, preset: loadPreset('recommended') }
    const answers = async (together: number) => {
      const said: string[] = []
      for await (const answer of evalBelief(linesOf(lines, together), options)) said.push(answer)
      return said
    }
    const alone = await answers(1)
    expect(alone.length).toBe(lines.filter((line) => line !== '').length)
    for (const together of [2, 7, 60]) expect(await answers(together)).toEqual(alone)
  })

  it('goes on after a bad line, and says which it was', async () => {
    const results = await evaluate(
      'recommended',
      '{',
      '',
      '{"message":1}',
      '[]',
      '{"message":"cod1"}',
    )
    expect(
      results.map((result) => String((result as { error?: string }).error).slice(0, 7)),
    ).toEqual(['line 1:', 'line 3:', 'line 4:', 'undefin'])
  })

  it('[B10] literal answers with the document’s KeyError', async () =>
    expect(await evaluate('literal', '{"message":"hmm"}')).toMatchObject([
      { enrichment: { error: 'KeyError', key: 'conversation' } },
    ]))
})
