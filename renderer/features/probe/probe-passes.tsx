import type { QueryInContext } from '../../../core/engine/schema/probe.ts'
import type { QueryClassification } from '../../../core/engine/schema/query.ts'
import { ChangeTable } from '../../ui/data-table.tsx'
import { Block, Details, Section } from '../../ui/parts.tsx'

const yes = (value: boolean) => (value ? 'yes' : 'no')

const FIELDS: ReadonlyArray<readonly [name: string, read: (query: QueryClassification) => string]> =
  [
    ['type', ({ type }) => type],
    ['confidence', ({ confidence }) => confidence.toFixed(2)],
    ['needs code', ({ needsCode }) => yes(needsCode)],
    ['needs the vault', ({ needsVault }) => yes(needsVault)],
    ['needs the web', ({ needsWeb }) => yes(needsWeb)],
    ['segment', ({ segment }) => segment],
  ]

/** [D15] The classification of the query without and with the probe's sentence. */
export function QueryContext({ query }: { readonly query: QueryInContext }) {
  const { context, before, after, why } = query
  return (
    <Section title="Query in context">
      {context !== null && <p className="probe-context mb-8 dim">{context}</p>}
      <p>{why}</p>
      {context !== null && (
        <ChangeTable
          label="Query without and with the probe"
          className="mt-8"
          heads={['without', 'with the probe']}
          rows={FIELDS.map(([name, read]) => [name, read(before), read(after)])}
        />
      )}
    </Section>
  )
}

/** The data field of the cognition packet, as JSON. */
export function DataField({ field }: { readonly field: unknown }) {
  const text = JSON.stringify(field, null, 2)
  return (
    <Section title="Data field" copy={{ text: text, what: 'data field' }}>
      <Details className="fold" summary={<span className="mono">semantic_probe_result</span>}>
        <Block label="Data field as JSON">{text}</Block>
      </Details>
    </Section>
  )
}
