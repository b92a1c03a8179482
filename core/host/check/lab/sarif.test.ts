import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../fixtures/any-character.ts'
import { sarifFaults } from '../../../../fixtures/sarif-schema.ts'
import { LINT_RULES } from '../../../engine/schema/lab.ts'
import { RULE_HELP, type SarifResult, sarifText } from './sarif.ts'

const text = fc.string({ unit: anyCharacter, maxLength: 60 })
const result: fc.Arbitrary<SarifResult> = fc.record({
  rule: fc.constantFrom('duplicate', 'minimum', 'not-a-rule'),
  level: fc.constantFrom('error' as const, 'warning' as const, 'note' as const),
  text,
  file: fc.option(
    text.map((name) => resolve('/work/here', name.replaceAll('\0', ''))),
    { nil: null },
  ),
  line: fc.option(fc.integer({ min: 1, max: 1e6 }), { nil: null }),
  column: fc.option(fc.integer({ min: 1, max: 1e6 }), { nil: null }),
  identity: text,
})
const rules = [
  { id: 'duplicate', text: 'Two signals say the same.' },
  { id: 'minimum', text: 'A metric is below the minimum.' },
]
const report = (results: readonly SarifResult[], errors: readonly string[] = []) =>
  sarifText({ version: '1.2.3', root: '/work/here', rules, results, errors })

const one = (file: string): SarifResult => {
  return { rule: 'duplicate', level: 'error', text: 'a', file, line: 3, column: 5, identity: 'i' }
}
interface Place {
  readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string }
  readonly region: object
}
function placeOf(file: string): Place {
  const log = JSON.parse(report([one(file)])) as {
    readonly runs: ReadonlyArray<{
      readonly results: ReadonlyArray<{
        readonly locations: ReadonlyArray<{ readonly physicalLocation: Place }>
      }>
    }>
  }
  return log.runs[0]!.results[0]!.locations[0]!.physicalLocation
}

describe('[F188] a report of findings', () => {
  it('is valid by the published schema, whatever texts and names are in it', () => {
    fc.assert(
      fc.property(
        fc.array(result, { maxLength: 4 }),
        fc.array(text, { maxLength: 2 }),
        (all, errors) => {
          expect(sarifFaults(report(all, errors))).toEqual([])
        },
      ),
    )
  })

  it('the schema is asked: a report with a fault has one', () => {
    const broken = report([one('/work/here/a.yaml')]).replace('"startLine": 3', '"startLine": 0')
    expect(sarifFaults(broken)).toEqual([expect.stringContaining('startLine: must be >= 1')])
  })

  it.each([
    ['/work/here/a b.yaml', { uri: 'a%20b.yaml', uriBaseId: '%SRCROOT%' }],
    ['/work/here/x/c#d.yaml', { uri: 'x/c%23d.yaml', uriBaseId: '%SRCROOT%' }],
    ['/work/here/..hidden.yaml', { uri: '..hidden.yaml', uriBaseId: '%SRCROOT%' }],
    ['/work/there/a.yaml', { uri: 'file:///work/there/a.yaml' }],
    ['/work/here', { uri: 'file:///work/here' }],
  ])('%s is named as viewers find it', (file, place) => {
    expect(placeOf(file)).toEqual({
      artifactLocation: place,
      region: { startLine: 3, startColumn: 5 },
    })
  })

  it('names no folder of the machine where all files are below the root', () => {
    expect(report([one('/work/here/a.yaml')])).not.toContain('/work')
  })

  it('says what to do beside each rule', () => {
    for (const id of LINT_RULES) expect(RULE_HELP[id], id).toMatch(/\.$/u)
    const { runs } = JSON.parse(report([])) as {
      readonly runs: ReadonlyArray<{
        readonly tool: { readonly driver: { readonly rules: object[] } }
      }>
    }
    expect(runs[0]!.tool.driver.rules[0]).toMatchObject({
      id: 'duplicate',
      name: 'Duplicate',
      help: { text: expect.stringContaining('Delete one of the two') as string },
    })
  })
})
