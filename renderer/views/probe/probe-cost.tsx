import type { ProbeResult } from '../../../core/engine/schema/probe.ts'
import { valueOf } from '../../app/async-data.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { counted, duration } from '../../ui/format.ts'
import { Section } from '../../ui/parts.tsx'
import { BUDGET } from './probe-words.ts'
import { isUsable } from '../../stores/probe/selectors.ts'
import { useProbe } from '../../stores/probe/store.ts'

/** [D53] Rows against the document's budget; search is allowed 20 ms a collection. */
export function costRows(times: ProbeResult['times'], collections: number) {
  const searched = Math.max(1, collections)
  const allowed = { ...BUDGET, search: BUDGET.search * searched }
  const each = `${BUDGET.search} ms for each of ${counted(searched, 'collection')}`
  const rows = [
    ['phrases', 'extract', 'Taking phrases from the message'],
    ['embedding', 'embed', 'Vectors of phrases that the cache does not know'],
    ['search', 'search', each],
    ['total', 'total', 'All of it, as the host measured it'],
  ] as const
  return rows.map(([name, step, about]) => {
    return { name, about, ms: times[step], budget: allowed[step] }
  })
}

/** Cost of the probe for this message, step by step, against the budget. */
export function ProbeCost({ result }: { readonly result: ProbeResult }) {
  const collections = useProbe((state) => valueOf(state.collections)?.filter(isUsable).length ?? 1)
  return (
    <Section title="Time against the budget">
      <DataTable
        className="probe-cost text-s full-width"
        label="Time against the budget"
        rows={costRows(result.times, collections)}
        keyOf={({ name }) => name}
        rowProps={({ ms, budget }) => ({ className: ms > budget ? 'over' : '' })}
        columns={[
          { isName: true, title: ({ about }) => about, cell: ({ name }) => name },
          {
            className: 'probe-cost-bar',
            cell: ({ ms, budget }) => (
              <i style={{ width: `${Math.min(100, (ms / budget) * 100)}%` }} />
            ),
          },
          { num: true, cell: ({ ms }) => duration(ms) },
          { className: 'num quiet', cell: ({ budget }) => `of ${budget} ms` },
          { cell: ({ ms, budget }) => ms > budget && <span className="bad">over</span> },
        ]}
      />
    </Section>
  )
}
