import type { ProbeResult, QueryInContext } from '../../../core/engine/schema/probe.ts'
import type { QueryClassification } from '../../../core/engine/schema/query.ts'
import { CopyButton, Section } from '../../ui/bits.tsx'

/** The block that goes into the prompt, letter for letter. */
export function PromptBlock({ result }: { readonly result: ProbeResult }) {
  if (result.prompt === null)
    return (
      <Section title="Goes into the prompt">
        <p>Nothing: without a hit the prompt receives no context.</p>
      </Section>
    )
  return (
    <Section title="Goes into the prompt" aside={<CopyButton text={result.prompt} what="block" />}>
      <pre className="block" tabIndex={0} aria-label="Block for the prompt">
        {result.prompt}
      </pre>
    </Section>
  )
}

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
        <table
          className="table states probe-query mt-8"
          aria-label="Query without and with the probe"
        >
          <thead>
            <tr>
              <td />
              <th scope="col">without</th>
              <th scope="col">with the probe</th>
            </tr>
          </thead>
          <tbody>
            {FIELDS.map(([name, read]) => {
              const changed = read(before) !== read(after)
              return (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{read(before)}</td>
                  <td className={changed ? 'changed' : ''}>{read(after)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </Section>
  )
}

/** The data field of the cognition packet, as JSON. */
export function DataField({ field }: { readonly field: unknown }) {
  const text = JSON.stringify(field, null, 2)
  return (
    <Section title="Data field" aside={<CopyButton text={text} what="data field" />}>
      <details className="fold">
        <summary className="mono">semantic_probe_result</summary>
        <pre className="block" tabIndex={0} aria-label="Data field as JSON">
          {text}
        </pre>
      </details>
    </Section>
  )
}
