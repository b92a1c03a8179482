import type { EnrichmentEffect } from '../../../core/engine/schema/lab.ts'
import { Domain } from '../../ui/domain.tsx'
import { count } from '../../ui/format.ts'
import { Share } from './share.tsx'

const SIDES = [
  ['with', 'with', 'Its text was injected in at least one turn'],
  ['without', 'without', 'Injected in no turn'],
  ['heldBack', 'held back', 'Classified, but its text was held back'],
] as const

/** [L12] [T20] Sessions that passed, with a domain's enrichment and without. Observed, not caused. */
export function EnrichmentTable({ effects }: { readonly effects: readonly EnrichmentEffect[] }) {
  return (
    <>
      <table className="metric-table">
        <thead>
          <tr>
            <th scope="col">Domain</th>
            {SIDES.map(([, word, about]) => (
              <th key={word} scope="col" title={about}>
                passed {word}
              </th>
            ))}
            <th scope="col">Mean score</th>
          </tr>
        </thead>
        <tbody>
          {effects.map((effect) => (
            <tr key={effect.domain}>
              <th scope="row">
                <Domain name={effect.domain} />
              </th>
              {SIDES.map(([side]) => (
                <td key={side}>
                  <Share hits={effect[side].passed.hits} of={effect[side].passed.of} />
                </td>
              ))}
              <td className="num">
                <Mean {...effect.with} /> <span className="quiet">against</span>{' '}
                <Mean {...effect.without} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet">
        Sessions that got an enrichment differ in other ways too: this shows, it does not prove.
      </p>
    </>
  )
}

function Mean({ meanScore, scored }: EnrichmentEffect['with']) {
  if (meanScore === null) return <>–</>
  return (
    <>
      {meanScore.toFixed(2)} <span className="quiet">n {count(scored)}</span>
    </>
  )
}
