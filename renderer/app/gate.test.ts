import { describe, expect, it } from 'vitest'
import { gateOf } from './gate.ts'

const profile = (
  gate: Partial<Parameters<typeof gateOf>[0]['gate']>,
  problem: string | null = null,
) =>
  gateOf({
    name: 'p',
    model: null,
    problem,
    gate: { disabled: [], unknown: [], mapped: [], source: 'none', warnings: [], ...gate },
  })

describe('[L10] what a profile gates, in words', () => {
  it('says how many domains are disabled, and which', () => {
    const gate = profile({ disabled: ['git_ops', 'file_ops'], source: 'top' })
    expect(gate).toMatchObject({ tone: 'good', pill: 'gates 2', broken: false })
    expect(gate.sentence).toContain('git_ops, file_ops')
  })

  it('cries when the list has only names that no domain has', () => {
    const gate = profile({ disabled: ['codegen'], unknown: ['codegen'], source: 'bst' })
    expect(gate).toMatchObject({ tone: 'bad', pill: 'gates nothing!', broken: true })
    expect(gate.sentence).toContain('No loaded domain is called codegen')
  })

  it('warns when a part is not understood', () => {
    const gate = profile({ disabled: ['coding', 'codegen'], unknown: ['codegen'], source: 'top' })
    expect(gate).toMatchObject({ tone: 'warn', pill: 'gates 1', broken: true })
  })

  it('is calm about a profile that was never meant to gate', () =>
    expect(profile({})).toMatchObject({ tone: 'plain', broken: false }))

  it('passes on why a profile cannot be read', () =>
    expect(profile({}, 'line 3: not JSON')).toMatchObject({
      pill: 'unreadable',
      sentence: 'line 3: not JSON',
      broken: true,
    }))
})
