import type { LabMetrics } from '../../../core/engine/schema/lab.ts'
import type { Ratio } from '../../../core/engine/schema/ratio.ts'
import { Domain } from '../../ui/domain.tsx'
import { count } from '../../ui/format.ts'
import { Share } from './share.tsx'

interface Measure {
  readonly word: string
  readonly about: string
  readonly of: (metrics: LabMetrics) => Ratio
  /** Fewer is better. */
  readonly less?: boolean
}

const MEASURES: readonly Measure[] = [
  { word: 'Right', about: 'Primary as labelled', of: ({ strict }) => strict },
  {
    word: 'Right or accepted',
    about: 'Primary as labelled, or one that the label accepts',
    of: ({ withAlternatives }) => withAlternatives,
  },
  {
    word: 'Forbidden',
    about: 'Primary or secondary that the label forbids',
    of: ({ forbidden }) => forbidden,
    less: true,
  },
  {
    word: 'Secondary right',
    about: 'Of the turns whose label says something of the secondary',
    of: ({ secondary }) => secondary,
  },
  {
    word: 'First match wins',
    about: 'Baseline: the first domain with a signal that matches',
    of: ({ firstMatch }) => firstMatch.strict,
  },
  {
    word: 'Always the most frequent',
    about: 'Baseline: one domain for every turn',
    of: ({ mostFrequent: { hits, of } }) => ({ hits, of, value: of === 0 ? null : hits / of }),
  },
]

/** [T55] Every ratio with its counts; two sides get their difference in turns. */
export function MetricTable({
  names,
  sides,
}: {
  readonly names: readonly string[]
  readonly sides: readonly LabMetrics[]
}) {
  const [before, after] = sides
  return (
    <table className="metric-table">
      <thead>
        <tr>
          <td />
          {names.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          {after && <th scope="col">Δ</th>}
        </tr>
      </thead>
      <tbody>
        {MEASURES.map(({ word, about, of, less = false }) => (
          <tr key={word}>
            <th scope="row" title={about}>
              {word}
            </th>
            {sides.map((side, at) => (
              <td key={names[at]}>
                <Share hits={of(side).hits} of={of(side).of} />
              </td>
            ))}
            {before && after && (
              <td>
                <Delta by={of(after).hits - of(before).hits} less={less} />
              </td>
            )}
          </tr>
        ))}
        <tr>
          <th scope="row" title="Mean of the domains' F1">
            Macro F1
          </th>
          {sides.map((side, at) => (
            <td key={names[at]} className="num">
              <Score value={side.macroF1.value} of={side.macroF1.of} />
            </td>
          ))}
          {before && after && (
            <td>
              <ScoreDelta before={before.macroF1.value} after={after.macroF1.value} />
            </td>
          )}
        </tr>
      </tbody>
    </table>
  )
}

function Score({ value, of }: { readonly value: number | null; readonly of: number }) {
  if (value === null) return <span className="quiet">–</span>
  return (
    <>
      {value.toFixed(2)} <span className="quiet">of {count(of)} domains</span>
    </>
  )
}

/** More or fewer turns, with a sign and a colour. */
export function Delta({ by, less = false }: { readonly by: number; readonly less?: boolean }) {
  if (by === 0) return <span className="quiet num">=</span>
  const better = less ? by < 0 : by > 0
  return (
    <span className={`num ${better ? 'good' : 'bad'}`}>
      {by > 0 ? '+' : '−'}
      {count(Math.abs(by))}
    </span>
  )
}

function ScoreDelta({
  before,
  after,
}: {
  readonly before: number | null
  readonly after: number | null
}) {
  if (before === null || after === null || before === after)
    return <span className="quiet num">=</span>
  const by = after - before
  return (
    <span className={`num ${by > 0 ? 'good' : 'bad'}`}>
      {by > 0 ? '+' : '−'}
      {Math.abs(by).toFixed(2)}
    </span>
  )
}

/** Precision, recall and F1 of every domain that occurs; the draft's change beside them. */
export function DomainMetrics({
  before,
  after,
}: {
  readonly before: LabMetrics
  readonly after: LabMetrics | null
}) {
  const shown = (after ?? before).domains.filter(
    ({ precision, recall }) => precision.of + recall.of > 0,
  )
  const earlier = new Map(before.domains.map((one) => [one.domain, one]))
  return (
    <table className="metric-table">
      <thead>
        <tr>
          <th scope="col">Domain</th>
          <th scope="col">Precision</th>
          <th scope="col">Recall</th>
          <th scope="col">F1</th>
          {after && <th scope="col">Δ</th>}
        </tr>
      </thead>
      <tbody>
        {shown.map(({ domain, precision, recall, f1 }) => (
          <tr key={domain}>
            <th scope="row">
              <Domain name={domain} />
            </th>
            <td>
              <Share hits={precision.hits} of={precision.of} />
            </td>
            <td>
              <Share hits={recall.hits} of={recall.of} />
            </td>
            <td className="num">{f1 === null ? '–' : f1.toFixed(2)}</td>
            {after && (
              <td>
                <ScoreDelta before={earlier.get(domain)?.f1 ?? null} after={f1} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
