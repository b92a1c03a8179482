import { describe, expect, it } from 'vitest'
import { DEFAULT_RUN } from '../../app/store.ts'
import { canSwap, sideOptions } from './state.ts'

const info = {
  presets: [{ name: 'recommended' }, { name: 'literal' }],
  domainFiles: [{ name: 'default' }, { name: 'mine' }],
} as unknown as Parameters<typeof sideOptions>[0] // the names are all that is read

describe('[L50] sides to choose from', () => {
  const values = (changed: boolean) =>
    sideOptions(info, DEFAULT_RUN, changed, [{ revision: 'a'.repeat(40), subject: 'Less' }]).map(
      ({ value }) => value,
    )

  it('are what ran, presets, files and revisions, and a draft where something was changed', () => {
    const rest = ['literal', 'domains:mine', `revision:${'a'.repeat(40)}`]
    expect(values(false)).toEqual(['observed', ...rest])
    expect(values(true)).toEqual(['observed', 'draft', ...rest])
  })

  it('may be swapped where both are configurations', () => {
    expect(canSwap({ ...DEFAULT_RUN, preset: 'literal', over: null })).toBe(true)
    expect(canSwap({ ...DEFAULT_RUN, over: { kind: 'observed' } })).toBe(false)
    expect(canSwap(null)).toBe(false)
  })
})
