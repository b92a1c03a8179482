import { call } from '../../app/question.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Domain } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import { Section } from '../../ui/parts.tsx'
import { Share } from '../../views/lab/share.tsx'
import { type StudyProps, LAB, Studied, useStudy } from '../../views/lab/studied.tsx'

const OF = 'Of the turns where it fired'

/** Turns that no signal reaches, and how many reach the others. */
export function Coverage({ onBehind }: StudyProps) {
  const asked = useStudy((about) => call('lab.coverage', about, LAB))
  return (
    <Studied asked={asked} idle="Counting">
      {({ turns, uncovered, bySignals, domains }) => (
        <div className="study-columns wrap flex align-start">
          <Section title="Signals a turn" aside={counted(turns, 'turn')}>
            <Button
              kind="link"
              disabled={uncovered === 0}
              onClick={() =>
                onBehind({ title: 'Turns without a signal', cell: { kind: 'uncovered' } })
              }
            >
              {count(uncovered)} of {counted(turns, 'turn')} without any signal
            </Button>
            <Bars rows={bySignals} total={turns} />
          </Section>
          <Section title="By domain" aside="of turns where a signal of it fired">
            <DataTable
              className="metric-table"
              rows={domains}
              keyOf={({ domain }) => domain}
              columns={[
                { head: 'Domain', isName: true, cell: ({ domain }) => <Domain name={domain} /> },
                { head: 'Fired', cell: ({ matched }) => <Share hits={matched} of={turns} /> },
                { head: 'primary', about: OF, num: true, cell: (row) => count(row.primary) },
                { head: 'secondary', about: OF, num: true, cell: (row) => count(row.secondary) },
                {
                  head: 'alone',
                  about: 'No other domain fired',
                  num: true,
                  cell: (row) => count(row.alone),
                },
              ]}
            />
          </Section>
        </div>
      )}
    </Studied>
  )
}

interface BarsProps {
  readonly rows: ReadonlyArray<{ readonly signals: number; readonly turns: number }>
  readonly total: number
}

function Bars({ rows, total }: BarsProps) {
  const most = Math.max(1, ...rows.map(({ turns }) => turns))
  return (
    <ol className="bars mt-8 stack text-s gap-3">
      {rows.map(({ signals, turns }) => (
        <li className="stack center-items" key={signals}>
          <span className="num quiet">{counted(signals, 'signal')}</span>
          <span className="bar meter">
            <i style={{ width: `${(100 * turns) / most}%` }} />
          </span>
          <Share hits={turns} of={total} />
        </li>
      ))}
    </ol>
  )
}
