import { useMemo, useState } from 'react'
import type { ThresholdPoint } from '../../../core/engine/schema/probe.ts'
import { valueOf } from '../../app/async-data.ts'
import { isUsable } from '../probe/selectors.ts'
import { useProbe } from '../probe/store.ts'
import { useApp } from '../../app/use-store.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Answered } from '../lab/answered.tsx'
import { CollectionName } from '../probe/collection-name.tsx'
import { Share } from '../lab/share.tsx'
import { askStream, useAnswer } from '../lab/use-answer.ts'
import { EmbedderSelect } from './embedder-select.tsx'
import { PrChart } from './pr-chart.tsx'
import { QuerySetSelect } from './query-set-select.tsx'
import { useCurves, type Curves } from './use-curves.ts'
import { useQuerySets } from './use-query-sets.ts'

/** Precision and recall of labelled queries at every threshold, by embedder and collection. */
export function CurveView() {
  const { data, sets, set, choose } = useQuerySets()
  const [embedder, setEmbedder] = useState<string | null>(null)
  const [collection, setCollection] = useState<string | null>(null)
  const [every, setEvery] = useState(true)
  const preset = useApp((state) => state.view.run.preset)
  const revision = useProbe((state) => state.revision)
  const collections = useProbe((state) => valueOf(state.collections))
  const ask = useMemo(
    () =>
      set === null
        ? null
        : askStream('probe.curve', { queries: set, embedder, collection, preset }),
    // Asked again when collections changed.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
    [set, embedder, collection, preset, revision],
  )
  const asked = useAnswer(ask)
  const names = useMemo(
    () => collections?.filter(isUsable).map(({ name }) => name) ?? [],
    [collections],
  )
  const question = set === null || !every ? null : { queries: set, embedder, preset }
  const beside = useCurves(question, names)
  if (data.status === 'failed') return <FailureNote failure={data.failure} />
  if (sets?.length === 0)
    return (
      <p className="list-empty quiet">
        No labelled queries: put a file of them beside your collections, one JSON object a line.
      </p>
    )
  return (
    <>
      <div className="panel-bar plab-bar wrap">
        {sets && set !== null && <QuerySetSelect sets={sets} value={set} onChoose={choose} />}
        <EmbedderSelect label="Embedder" value={embedder} onChoose={setEmbedder} />
        <label className="inline-field">
          <span>Collection</span>
          <select
            className="field"
            value={collection ?? ''}
            onChange={(event) =>
              setCollection(event.target.value === '' ? null : event.target.value)
            }
          >
            <option value="">all together</option>
            {collections?.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label className="inline-field">
          <input
            type="checkbox"
            checked={every}
            onChange={(event) => setEvery(event.target.checked)}
          />
          <span>each collection beside it</span>
        </label>
      </div>
      <Answered asked={asked} idle="Asking every labelled query">
        {(curve) => (
          <Points
            key={`${set} ${embedder} ${collection}`}
            points={curve.points}
            queries={curve.queries}
            embedder={embedder}
            beside={beside}
          />
        )}
      </Answered>
    </>
  )
}

interface PointsProps {
  readonly points: readonly ThresholdPoint[]
  readonly queries: number
  readonly embedder: string | null
  readonly beside: Curves
}

/** The threshold that an embedder starts from; null where none was measured. */
function useThreshold(embedder: string | null): number | null {
  const known = useProbe((state) => valueOf(state.embedders))
  const name = embedder ?? known?.current
  return known?.embedders.find((one) => one.name === name)?.threshold ?? null
}

/** Place of the point nearest to a threshold; 0 without one. */
function nearestPoint(
  points: ReadonlyArray<Pick<ThresholdPoint, 'threshold'>>,
  threshold: number | null,
): number {
  if (threshold === null) return 0
  const away = points.map((point) => Math.abs(point.threshold - threshold))
  return Math.max(0, away.indexOf(Math.min(...away)))
}

function Points({ points, queries, embedder, beside }: PointsProps) {
  const threshold = useThreshold(embedder)
  const inForce = nearestPoint(points, threshold)
  const [moved, setAt] = useState<number | null>(null)
  const at = Math.min(points.length - 1, moved ?? inForce)
  const point = points[at]
  if (!point) return <p className="list-empty quiet">These queries have no points.</p>
  return (
    <div className="plab-curve stack pad-16">
      <PrChart
        points={points}
        at={at}
        inForce={threshold === null ? -1 : inForce}
        beside={beside}
        onChoose={setAt}
      />
      <div className="stack gap-12 one-column">
        <label className="plab-slider">
          <span>Threshold {point.threshold.toFixed(2)}</span>
          <input
            type="range"
            min={0}
            max={points.length - 1}
            step={1}
            value={at}
            aria-valuetext={point.threshold.toFixed(2)}
            onChange={(event) => setAt(Number(event.target.value))}
          />
        </label>
        <dl className="facts-row num">
          <Fact
            name="right primary"
            about="Queries that have a collection and got it as primary"
            ratio={point.primary}
          />
          <Fact
            name="precision"
            about="Of the collections that were hit, those that were wanted"
            ratio={point.precision}
          />
          <Fact
            name="recall"
            about="Of the collections that were wanted, those that were hit"
            ratio={point.recall}
          />
          <Fact
            name="false hits"
            about="Queries of no collection that hit something"
            ratio={point.falseHits}
          />
        </dl>
        <p className="quiet text-s">
          {queries} labelled queries
          {threshold === null
            ? '; no threshold of this embedder is measured'
            : `; ${threshold.toFixed(2)} is the embedder’s own, before calibration`}
          .
        </p>
        {beside.size > 0 && (
          <p className="plab-beside row wrap text-s">
            {[...beside.keys()].map((name) => (
              <CollectionName key={name} name={name} />
            ))}
            <span className="quiet">thin: seen alone, what others answer belongs to none</span>
          </p>
        )}
        <details className="plab-moved text-s">
          <summary>All points</summary>
          <PointTable points={points} at={at} />
        </details>
      </div>
    </div>
  )
}

interface FactProps {
  readonly name: string
  readonly about: string
  readonly ratio: ThresholdPoint['recall']
}

function Fact({ name, about, ratio }: FactProps) {
  return (
    <div title={about}>
      <dt>{name}</dt>
      <dd>
        <Share hits={ratio.hits} of={ratio.of} />
      </dd>
    </div>
  )
}

function PointTable({
  points,
  at,
}: {
  readonly points: readonly ThresholdPoint[]
  readonly at: number
}) {
  return (
    <table className="metric-table num" aria-label="Points">
      <thead>
        <tr>
          <th scope="col">threshold</th>
          <th scope="col">right primary</th>
          <th scope="col">precision</th>
          <th scope="col">recall</th>
          <th scope="col">false hits</th>
        </tr>
      </thead>
      <tbody>
        {points.map((point, index) => (
          <tr key={point.threshold} className={index === at ? 'on' : ''}>
            <th scope="row">{point.threshold.toFixed(2)}</th>
            {[point.primary, point.precision, point.recall, point.falseHits].map(
              (ratio, column) => (
                <td key={column}>
                  <Share hits={ratio.hits} of={ratio.of} />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
