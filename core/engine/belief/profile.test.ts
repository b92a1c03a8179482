import { describe, expect, it } from 'vitest'
import { compileFixture } from '../../../fixtures/load.ts'
import { gateReport, profileFileName } from './profile.ts'

const set = compileFixture([
  { name: 'coding', signals: ['c'], aliases: ['codegen'] },
  { name: 'bugfix', signals: ['b'] },
])

describe('[L10] what a model profile gates', () => {
  it('accepts both nestings and maps aliases of domains and profile', () => {
    const profile = {
      disabled_domains: ['codegen'],
      bst: { disabled_domains: ['debugging'] },
      aliases: { debugging: 'bugfix' },
    }
    expect(gateReport(profile, set, true)).toEqual({
      disabled: ['coding', 'bugfix'],
      unknown: [],
      mapped: [
        { from: 'codegen', to: 'coding' },
        { from: 'debugging', to: 'bugfix' },
      ],
      source: 'both',
      warnings: [],
    })
  })

  it('says loudly what gates nothing', () => {
    const report = gateReport({ bst: { disabled_domains: ['osint'] } }, set, true)
    expect(report).toMatchObject({ source: 'bst', unknown: ['osint'] })
    expect(report.warnings).toEqual([
      'disabled domain "osint" is not known here: it gates nothing',
      'nothing is gated: every domain enriches',
    ])
    expect(gateReport(null, set, true).warnings).toHaveLength(1)
    expect(gateReport({}, set, true).warnings).toHaveLength(1)
  })

  it('[B10] literal reads the top level only, and warns of what it misses', () => {
    const report = gateReport({ bst: { disabled_domains: ['coding'] } }, set, false)
    expect(report.disabled).toEqual([])
    expect(report.warnings[0]).toContain('bst.disabled_domains is not read')
    expect(gateReport({ disabled_domains: null }, set, false).warnings[0]).toContain('TypeError')
    expect(gateReport({ disabled_domains: ['codegen'] }, set, false).unknown).toEqual(['codegen'])
  })

  it.each([
    ['Qwen3-14B', 'Qwen3-14B.json'],
    ['vendor/model', 'vendor_model.json'],
    ['../../etc/passwd', 'etc_passwd.json'],
    ['..', 'unnamed.json'],
    ['a\\b:c*', 'a_b_c_.json'],
    ['', 'unnamed.json'],
  ])('[B10] the file of model "%s" is %s', (model, file) =>
    expect(profileFileName(model)).toBe(file),
  )
})
