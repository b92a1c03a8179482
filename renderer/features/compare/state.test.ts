import { describe, expect, it } from 'vitest'
import { ready } from '../../app/async-data.ts'
import { sideOf } from './state.ts'
import { initialLab } from '../lab-corpus/store.ts'
import { DEFAULT_RUN } from '../../app/store.ts'

const file = {
  text: 'domains: []\n',
  file: 'default.yaml',
  fingerprint: 'f',
  writable: true,
  draft: null,
  problem: null,
}
const edited = { ...initialLab, file: ready(file), text: 'domains: [] # x\n' }

describe('[T56] sides of a comparison', () => {
  it('names presets, files and revisions over the configuration in force', () => {
    expect(sideOf('preset:literal', DEFAULT_RUN, initialLab)).toMatchObject({
      kind: 'config',
      config: { preset: 'literal', domains: 'default' },
    })
    expect(sideOf('domains:mine', DEFAULT_RUN, initialLab)).toMatchObject({
      config: { preset: 'recommended', domains: 'mine' },
    })
    expect(sideOf('revision:main~3', DEFAULT_RUN, initialLab)).toMatchObject({
      kind: 'revision',
      revision: 'main~3',
    })
  })

  it('has a draft only where something was changed', () => {
    expect(sideOf('draft', DEFAULT_RUN, initialLab)).toBeNull()
    expect(sideOf('draft', DEFAULT_RUN, edited)).toMatchObject({
      kind: 'draft',
      draft: { domainsText: 'domains: [] # x\n' },
    })
  })

  it('is nothing for a revision that was not typed yet', () => {
    expect(sideOf('revision: ', DEFAULT_RUN, initialLab)).toBeNull()
    expect(sideOf('nonsense', DEFAULT_RUN, initialLab)).toBeNull()
  })
})
