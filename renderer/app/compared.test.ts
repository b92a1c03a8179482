import { describe, expect, it } from 'vitest'
import { compareBeside, compareName, compareOf, compareValue, wireCompared } from './compared.ts'
import { DEFAULT_RUN } from './store.ts'

const KNOWN = {
  presets: [{ name: 'recommended' }, { name: 'literal' }, { name: 'field' }],
  domainFiles: [{ name: 'default' }, { name: 'mine' }],
}
const of = (value: string) => compareOf(value, DEFAULT_RUN, KNOWN)

describe('[L50] [T56] the other side', () => {
  it.each(['literal', 'domains:mine', 'revision:main~3', 'observed'])(
    '%s is named in links as it is chosen',
    (value) => {
      const choice = of(value)
      if (!choice) throw new Error('it names a side')
      expect(compareValue(choice, DEFAULT_RUN)).toBe(value)
    },
  )

  it('is a configuration, or lies over the one in force', () => {
    const wire = (value: string) => {
      const choice = of(value)
      return choice && wireCompared(choice)
    }
    const config = { ...DEFAULT_RUN, classify: null }
    expect(wire('literal')).toEqual({ ...config, preset: 'literal' })
    expect(wire('domains:mine')).toEqual({ ...config, domains: 'mine' })
    expect(wire('revision:main~3')).toEqual({ kind: 'revision', config, revision: 'main~3' })
    expect(wire('observed')).toEqual({ kind: 'observed' })
  })

  it.each(['recommended', 'domains:default', 'revision: ', 'nonsense', 'draft'])(
    '%s is none',
    (value) => expect(of(value)).toBeNull(),
  )

  it('stays what it was when the configuration in force is another one', () => {
    const beside = (value: string, patch: object) => {
      const choice = of(value)
      return choice && compareBeside(choice, DEFAULT_RUN, { ...DEFAULT_RUN, ...patch })
    }
    expect(beside('literal', { preset: 'literal' })).toBeNull()
    expect(beside('literal', { domains: 'mine' })).toMatchObject({
      preset: 'literal',
      domains: 'mine',
      over: null,
    })
    expect(beside('domains:mine', { preset: 'field' })).toMatchObject({
      preset: 'field',
      domains: 'mine',
    })
    expect(beside('observed', { preset: 'field' })).toMatchObject({
      preset: 'field',
      over: { kind: 'observed' },
    })
  })

  it('has a name that people read', () => {
    const name = (value: string) => {
      const choice = of(value)
      return choice && compareName(choice, DEFAULT_RUN)
    }
    expect(['literal', 'domains:mine', 'observed', 'revision:main'].map(name)).toEqual([
      'literal',
      'mine',
      'what ran',
      'main',
    ])
    expect(name(`revision:${'ab'.repeat(20)}`)).toBe('abababab')
  })
})
