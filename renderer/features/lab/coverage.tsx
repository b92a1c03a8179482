import { useMemo } from 'react'
import { Section } from '../../ui/bits.tsx'
import { Domain } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import type { StudyProps } from './study-props.ts'
import { Share } from './share.tsx'
import { Studied } from './studied.tsx'
import { askCall, useAbout, useAnswer } from './use-answer.ts'

/** Turns that no signal reaches, and how many reach the others. */
export function Coverage({ onBehind }: StudyProps) {
  const about = useAbout()
  const ask = useMemo(() => (about ? askCall('lab.coverage', about) : null), [about])
  const asked = useAnswer(ask)
  return (
    <Studied asked={asked} idle="Counting">
      {({ turns, uncovered, bySignals, domains }) => (
        <div className="study-columns wrap flex align-start">
          <Section title="Signals a turn" aside={counted(turns, 'turn')}>
            <button
              type="button"
              className="link"
              disabled={uncovered === 0}
              onClick={() =>
                onBehind({ title: 'Turns without a signal', cell: { kind: 'uncovered' } })
              }
            >
              {count(uncovered)} of {counted(turns, 'turn')} without any signal
            </button>
            <Bars rows={bySignals} total={turns} />
          </Section>
          <Section title="By domain" aside="of turns where a signal of it fired">
            <table className="metric-table">
              <thead>
                <tr>
                  <th scope="col">Domain</th>
                  <th scope="col">Fired</th>
                  <th scope="col" title="Of the turns where it fired">
                    primary
                  </th>
                  <th scope="col" title="Of the turns where it fired">
                    secondary
                  </th>
                  <th scope="col" title="No other domain fired">
                    alone
                  </th>
                </tr>
              </thead>
              <tbody>
                {domains.map(({ domain, matched, primary, secondary, alone }) => (
                  <tr key={domain}>
                    <th scope="row">
                      <Domain name={domain} />
                    </th>
                    <td>
                      <Share hits={matched} of={turns} />
                    </td>
                    <td className="num">{count(primary)}</td>
                    <td className="num">{count(secondary)}</td>
                    <td className="num">{count(alone)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
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
