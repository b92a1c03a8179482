import { useMemo, useState } from 'react'
import type { ThresholdPoint } from '../../../core/engine/schema/probe.ts'
import { valueOf } from '../../app/async-data.ts'
import { stream } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { Computed, Empty, FailureNote } from '../../ui/answered.tsx'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Check, Select, Slider } from '../../ui/form.tsx'
import { Details, Fact } from '../../ui/parts.tsx'
import { nearestTo } from '../../ui/sorted.ts'
import { Share } from '../../views/lab/share.tsx'
import { LAB } from '../../views/lab/studied.tsx'
import { CollectionName } from '../../views/probe/collection-name.tsx'
import { isUsable } from '../../stores/probe/selectors.ts'
import { useProbe } from '../../stores/probe/store.ts'
import { EmbedderSelect, QuerySetSelect, useQuerySets } from './choices.tsx'
import { PrChart } from './charts.tsx'
import { type Curves, useCurves } from './use-curves.ts'

/** Precision and recall of labelled queries at every threshold, by embedder and collection. */
export function CurveView() {
  const { data, sets, set, choose } = useQuerySets()
  const [embedder, setEmbedder] = useState<string | null>(null)
  const [collection, setCollection] = useState<string | null>(null)
  const [every, setEvery] = useState(true)
  const preset = useApp((state) => state.view.run.preset)
  const revision = useProbe((state) => state.revision)
  const collections = useProbe((state) => valueOf(state.collections))
  const input = { queries: set ?? '', embedder, collection, preset }
  // Asked again when collections changed.
  const about = { ...LAB, of: String(revision) }
  const asked = useQuery(set === null ? null : stream('probe.curve', input, about))
  const names = useMemo(
    () => collections?.filter(isUsable).map(({ name }) => name) ?? [],
    [collections],
  )
  const question = set === null || !every ? null : { queries: set, embedder, preset }
  const beside = useCurves(question, names)
  if (data.status === 'failed') return <FailureNote failure={data.failure} />
  if (sets?.length === 0)
    return (
      <Empty>
        No labelled queries: put a file of them beside your collections, one JSON object a line.
      </Empty>
    )
  return (
    <>
      <div className="panel-bar plab-bar wrap">
        {sets && set !== null && <QuerySetSelect sets={sets} value={set} onChoose={choose} />}
        <EmbedderSelect label="Embedder" value={embedder} onChoose={setEmbedder} />
        <Select
          label="Collection"
          value={collection}
          options={[null, ...(collections ?? []).map(({ name }) => name)]}
          words={(name) => name ?? 'all together'}
          onChoose={setCollection}
        />
        <Check className="inline-field" checked={every} onCheck={setEvery}>
          <span>each collection beside it</span>
        </Check>
      </div>
      <Computed {...asked} idle="Asking every labelled query">
        {(curve) => (
          <Points
            key={`${set} ${embedder} ${collection}`}
            points={curve.points}
            queries={curve.queries}
            embedder={embedder}
            beside={beside}
          />
        )}
      </Computed>
    </>
  )
}

const RATIOS = [
  ['primary', 'right primary', 'Queries that have a collection and got it as primary'],
  ['precision', 'precision', 'Of the collections that were hit, those that were wanted'],
  ['recall', 'recall', 'Of the collections that were wanted, those that were hit'],
  ['falseHits', 'false hits', 'Queries of no collection that hit something'],
] as const

interface PointsProps {
  readonly points: readonly ThresholdPoint[]
  readonly queries: number
  readonly embedder: string | null
  readonly beside: Curves
}

/** The initial threshold of an embedder; null if none was measured. */
function useThreshold(embedder: string | null): number | null {
  const known = useProbe((state) => valueOf(state.embedders))
  const name = embedder ?? known?.current
  return known?.embedders.find((one) => one.name === name)?.threshold ?? null
}

function Points({ points, queries, embedder, beside }: PointsProps) {
  const threshold = useThreshold(embedder)
  const thresholds = points.map((point) => point.threshold)
  const inForce = threshold === null ? 0 : nearestTo(thresholds, threshold)
  const [moved, setAt] = useState<number | null>(null)
  const at = Math.min(points.length - 1, moved ?? inForce)
  const point = points[at]
  if (!point) return <Empty>These queries have no points.</Empty>
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
          <Slider
            max={points.length - 1}
            value={at}
            aria-valuetext={point.threshold.toFixed(2)}
            onSlide={setAt}
          />
        </label>
        <dl className="facts-row num">
          {RATIOS.map(([field, name, about]) => (
            <Fact key={name} name={name} title={about}>
              <Share {...point[field]} />
            </Fact>
          ))}
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
        <Details className="plab-moved text-s" summary="All points">
          <PointTable points={points} at={at} />
        </Details>
      </div>
    </div>
  )
}

interface PointTableProps {
  readonly points: readonly ThresholdPoint[]
  readonly at: number
}

function PointTable({ points, at }: PointTableProps) {
  return (
    <DataTable
      className="metric-table num"
      label="Points"
      rows={points}
      keyOf={({ threshold }) => threshold}
      rowProps={(_, index) => ({ className: index === at ? 'on' : '' })}
      columns={[
        { head: 'threshold', isName: true, cell: ({ threshold }) => threshold.toFixed(2) },
        ...RATIOS.map(([field, name]): Column<ThresholdPoint> => ({
          head: name,
          cell: (point) => <Share {...point[field]} />,
        })),
      ]}
    />
  )
}
