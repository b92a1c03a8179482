import { describe, expect, it } from 'vitest'
import { compileFixture, loadPreset, loadVectors, must } from '../../../fixtures/load.ts'
import { createPipeline, initialBeliefState, stepTurn, type TurnOutcome } from '../pipeline.ts'
import type { ModelProfile } from '../schema/profile.ts'
import { traceTurn } from '../trace.ts'

/** The 15 testing criteria of compound-bst.md, with the domains of the golden vectors. */
const vectors = loadVectors<{
  domain_order: readonly string[]
  domain_configs: Readonly<Record<string, object>>
}>('bst')
const set = compileFixture(
  vectors.domain_order.map((name) => ({ name, ...vectors.domain_configs[name] })),
)
const qwen: ModelProfile = { model: 'Qwen3-14B', disabled_domains: ['bugfix'] }

type Name = 'literal' | 'recommended'

function pipeline(preset: Name = 'recommended', profile: ModelProfile | null = null) {
  return must(createPipeline(set, loadPreset(preset), profile))
}

function run(
  texts: readonly string[],
  preset: Name = 'recommended',
  profile: ModelProfile | null = null,
): TurnOutcome {
  const by = pipeline(preset, profile)
  let state = initialBeliefState
  let outcome = stepTurn(by, state, '')
  for (const text of texts) {
    outcome = stepTurn(by, state, text)
    state = outcome.state
  }
  return outcome
}

const BOTH = 'investigate the public records of the corporation through the API'
const LS = 'total 8\ndrwxr-xr-x 2 user user 4096 Feb 24 09:00 .'

describe('testing criteria of compound-bst.md', () => {
  it.each([
    [1, 'debug the OpenPlanter API query timeout', 'bugfix', 'coding', 'bugfix+coding'],
    [2, 'investigate Oracle Corporation credit risk', 'investigation', null, 'investigation'],
    [3, 'fix the pip install error', 'bugfix', 'system_admin', 'bugfix+system_admin'],
    [4, 'ls -la /home/user/', 'file_ops', null, 'file_ops'],
    [5, "what's the best approach for this?", 'planning', null, 'planning'],
    [
      6,
      'analyze the stress test logs and fix the domain flip',
      'analysis',
      'bugfix',
      'analysis+bugfix',
    ],
  ])('criterion %i: %s', (...[, text, primary, secondary, signature]) => {
    const outcome = run([text])
    expect(outcome.primary.domain).toBe(primary)
    expect(outcome.secondary?.domain ?? null).toBe(secondary)
    expect(outcome.signature).toBe(signature)
  })

  it('[E5] criteria 7 and 8: _bst_domain is the primary, _bst_compound stands beside it', () => {
    const text = 'fix the pip install error'
    const turn = { turn: 0, seq: 0, kind: 'user', text, state: initialBeliefState } as const
    const { written } = traceTurn(pipeline(), turn)
    expect(written._bst_domain).toBe('bugfix')
    expect(Object.keys(written)).toEqual(['_bst_domain', '_bst_compound'])
  })

  it('[E1] criterion 9: no profile, all enrichment enabled', () =>
    expect(run(['fix the pip install error']).plan).toMatchObject({
      primary_enrichment: true,
      secondary_enrichment: true,
    }))

  it('[B1] criterion 10: strong momentum holds against ls, and fails to under literal', () => {
    const texts = [BOTH, BOTH, BOTH, LS]
    expect(run(texts)).toMatchObject({
      event: 'resist',
      signature: 'coding+investigation',
      primary: { domain: 'investigation' },
      state: { momentum: 4 },
    })
    expect(run(texts, 'literal')).toMatchObject({ event: 'break', signature: 'file_ops' })
  })

  it.each(['literal', 'recommended'] as const)(
    '[M4] criterion 11 (%s): planning breaks',
    (preset) =>
      expect(run([BOTH, BOTH, BOTH, 'plan the sprint'], preset)).toMatchObject({
        event: 'break',
        rule: 'M4',
        signature: 'planning',
      }),
  )

  it.each(['literal', 'recommended'] as const)('[M2] criterion 12 (%s): weak accepts', (preset) =>
    expect(run([BOTH, BOTH, LS], preset)).toMatchObject({ event: 'accept', signature: 'file_ops' }),
  )

  it('[E4] criterion 13: a disabled secondary is off, and the reason is logged', () => {
    const text = 'investigate who owns the corporation and fix it'
    const turn = { turn: 0, seq: 0, kind: 'user', text, state: initialBeliefState } as const
    const trace = traceTurn(pipeline('recommended', qwen), turn)
    expect(trace.signature).toBe('bugfix+investigation')
    expect(trace.plan).toEqual({
      primary_enrichment: true,
      secondary_enrichment: false,
      reason_primary_skipped: null,
      reason_secondary_skipped: 'disabled_in_profile',
    })
    expect(trace.log).toContain(
      '[BST] Secondary enrichment skipped for bugfix: disabled_in_profile (Qwen3-14B)',
    )
  })

  it('[B7] criterion 14: a disabled primary means no enrichment, except under literal', () => {
    const text = 'debug the OpenPlanter API query timeout'
    expect(run([text], 'recommended', qwen).enrichment).toBe('')
    expect(run([text], 'literal', qwen).enrichment).toContain('Secondary context: coding')
  })

  it('[E1] criterion 15: no profile, both on', () =>
    expect(run([BOTH]).plan).toMatchObject({
      primary_enrichment: true,
      secondary_enrichment: true,
    }))
})
