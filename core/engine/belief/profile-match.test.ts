import { describe, expect, it } from 'vitest'
import { matchProfile, modelsOf, profileAdvice } from './profile-match.ts'

const PROFILES = [
  { name: 'qwen3-14b', model: 'Qwen3-14B' },
  { name: 'granite', model: 'Granite-3.3-8B' },
  { name: 'qwen3', model: null },
]

describe('[F60] the profile of a model', () => {
  it.each([
    ['Qwen3-14B', 'qwen3-14b'],
    ['vendor/Qwen3 14B:latest', 'qwen3-14b'],
    ['qwen3-14b-instruct-2507', 'qwen3-14b'],
    ['qwen3-32b', 'qwen3'],
    ['ibm/granite-3.3-8b-instruct', 'granite'],
    ['qwen30', null],
    ['gpt-4o', null],
  ])('of %s is %s', (model, profile) => expect(matchProfile(model, PROFILES)).toBe(profile))

  it('models are counted; what no model said is none', () => {
    const events = ['a', null, 'b', 'b', '<synthetic>', '<synthetic>', '<synthetic>']
    expect(modelsOf(events.map((model) => ({ model })))).toEqual(['b', 'a'])
  })

  it('[F60] says what is wrong with the choice', () => {
    const advice = (models: readonly string[], chosen: string | null) =>
      profileAdvice(models, PROFILES, chosen)
    expect(advice(['Qwen3-14B'], null)).toEqual({
      kind: 'suggested',
      model: 'Qwen3-14B',
      profile: 'qwen3-14b',
    })
    expect(advice(['gpt-4o'], null)).toEqual({ kind: 'no_profile', model: 'gpt-4o' })
    expect(advice(['Qwen3-14B'], 'granite')).toMatchObject({ kind: 'other_model' })
    expect(advice(['Qwen3-14B'], 'qwen3-14b')).toEqual({ kind: 'fits' })
    expect(advice(['gpt-4o', 'Qwen3-14B'], 'qwen3-14b')).toEqual({ kind: 'fits' })
    expect(advice([], null)).toEqual({ kind: 'fits' })
    expect(advice([], 'nobody')).toEqual({ kind: 'missing', profile: null })
    expect(advice(['Qwen3-14B'], 'nobody')).toEqual({ kind: 'missing', profile: 'qwen3-14b' })
  })
})
