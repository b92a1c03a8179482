import { expect, test } from 'vitest'
import { Compared, configOf, deciderOf, sideOf } from './compare.ts'

const config = { preset: 'recommended', domains: 'default', profile: null, classify: null }
const revision = { kind: 'revision', config, revision: 'abc' } as const

test('[L50] a configuration decides, is a side, and is its own configuration', () => {
  const compared = Compared.parse(config)
  expect(deciderOf(compared)).toEqual(compared)
  expect(sideOf(compared)).toEqual({ kind: 'config', config: compared })
  expect(configOf(compared)).toEqual(compared)
})

test('[L50] what was observed has no rules: it decides nothing and is no side', () => {
  const observed = Compared.parse({ kind: 'observed' })
  expect([deciderOf(observed), sideOf(observed), configOf(observed)]).toEqual([null, null, null])
})

test('[L50] a revision decides by the configuration that it lies over', () => {
  const compared = Compared.parse(revision)
  expect(deciderOf(compared)).toEqual(compared)
  expect(sideOf(compared)).toEqual(compared)
  expect(configOf(compared)).toMatchObject(config)
})

test.each([{ kind: 'nobody' }, { ...revision, revision: '' }, { preset: 1 }, null, 'observed'])(
  '[L50] %j is no side of a comparison',
  (given) => {
    expect(Compared.safeParse(given).success).toBe(false)
  },
)
