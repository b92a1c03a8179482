import type { ProbeResult } from '../../../core/engine/schema/probe.ts'
import { valueOf } from '../../app/async-data.ts'
import { isUsable } from './selectors.ts'
import { useProbe } from './store.ts'
import { Section } from '../../ui/bits.tsx'
import { duration } from '../../ui/format.ts'
import { costRows } from './cost-rows.ts'

/** What the probe of this message cost, step by step, against the budget. */
export function ProbeCost({ result }: { readonly result: ProbeResult }) {
  const collections = useProbe((state) => valueOf(state.collections)?.filter(isUsable).length ?? 1)
  return (
    <Section title="Time against the budget">
      <table className="probe-cost text-s full-width" aria-label="Time against the budget">
        <tbody>
          {costRows(result.times, collections).map(({ name, about, ms, budget }) => (
            <tr key={name} className={ms > budget ? 'over' : ''}>
              <th scope="row" title={about}>
                {name}
              </th>
              <td className="probe-cost-bar">
                <i style={{ width: `${Math.min(100, (ms / budget) * 100)}%` }} />
              </td>
              <td className="num">{duration(ms)}</td>
              <td className="num quiet">of {budget} ms</td>
              <td>{ms > budget && <span className="bad">over</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
