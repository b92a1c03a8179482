import type { LabMetrics } from '../../../core/engine/schema/metrics.ts'
import type { Ratio } from '../../../core/engine/schema/ratio.ts'
import { Pressable } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Domain } from '../../ui/domain.tsx'
import { count } from '../../ui/format.ts'
import { openWrong } from '../../stores/label/wrong.ts'
import { Share } from './share.tsx'

interface Measure {
  readonly word: string
  readonly about: string
  /** Null is the mean F1, which is no share of turns. */
  readonly of: ((metrics: LabMetrics) => Ratio) | null
  /** Fewer is better. */
  readonly less?: boolean
  /** Action on a press of the figure. */
  readonly open?: () => void
}

const MEASURES: readonly Measure[] = [
  {
    word: 'Right',
    about: 'Primary as labelled; opens the wrong turns of this session',
    of: ({ strict }) => strict,
    open: openWrong,
  },
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
  { word: 'Macro F1', about: 'Mean of the domains’ F1', of: null },
]

interface TableProps {
  readonly names: readonly string[]
  readonly sides: readonly LabMetrics[]
}

/** [T55] Every ratio with its counts; two sides get their difference in turns. */
export function MetricTable({ names, sides }: TableProps) {
  const [before, after] = sides
  const ofSides = sides.map((side, at): Column<Measure> => ({
    head: names[at],
    cell: ({ of, open, about }) => {
      const figure = of ? <Share {...of(side)} interval /> : <Score {...side.macroF1} />
      if (!open) return figure
      return (
        <Pressable className="underlined" title={about} onClick={open}>
          {figure}
        </Pressable>
      )
    },
  }))
  const change: Column<Measure> = {
    head: 'Δ',
    cell: ({ of, less }) => {
      if (!before || !after) return null
      if (!of) return <ScoreDelta before={before.macroF1.value} after={after.macroF1.value} />
      return <Delta by={of(after).hits - of(before).hits} less={less ?? false} />
    },
  }
  return (
    <DataTable
      className="metric-table"
      rows={MEASURES}
      keyOf={({ word }) => word}
      columns={[
        { isName: true, title: ({ about }) => about, cell: ({ word }) => word },
        ...ofSides,
        ...(after ? [change] : []),
      ]}
    />
  )
}

function Score({ value, of }: { readonly value: number | null; readonly of: number }) {
  if (value === null) return <span className="quiet">–</span>
  return (
    <span className="num">
      {value.toFixed(2)} <span className="quiet">of {count(of)} domains</span>
    </span>
  )
}

/** More or fewer turns, with a sign and a colour. */
export function Delta({ by, less = false }: { readonly by: number; readonly less?: boolean }) {
  return <Signed by={by} good={less ? by < 0 : by > 0} words={count(Math.abs(by))} />
}

interface SignedProps {
  readonly by: number
  readonly good: boolean
  readonly words: string
}

function Signed({ by, good, words }: SignedProps) {
  if (by === 0) return <span className="quiet num">=</span>
  return (
    <span className={`num ${good ? 'good' : 'bad'}`}>
      {by > 0 ? '+' : '−'}
      {words}
    </span>
  )
}

interface Change {
  readonly before: number | null
  readonly after: number | null
}

function ScoreDelta({ before, after }: Change) {
  const by = before === null || after === null ? 0 : after - before
  return <Signed by={by} good={by > 0} words={Math.abs(by).toFixed(2)} />
}

interface DomainProps {
  readonly before: LabMetrics
  readonly after: LabMetrics | null
}

/** Precision, recall and F1 of every domain that occurs; the draft's change beside them. */
export function DomainMetrics({ before, after }: DomainProps) {
  const earlier = new Map(before.domains.map((one) => [one.domain, one.f1]))
  const columns: ReadonlyArray<Column<LabMetrics['domains'][number]>> = [
    { head: 'Domain', isName: true, cell: ({ domain }) => <Domain name={domain} /> },
    { head: 'Precision', cell: ({ precision }) => <Share {...precision} interval /> },
    { head: 'Recall', cell: ({ recall }) => <Share {...recall} interval /> },
    { head: 'F1', num: true, cell: ({ f1 }) => (f1 === null ? '–' : f1.toFixed(2)) },
    {
      head: 'Δ',
      cell: ({ domain, f1 }) => <ScoreDelta before={earlier.get(domain) ?? null} after={f1} />,
    },
  ]
  return (
    <DataTable
      className="metric-table"
      rows={(after ?? before).domains.filter(
        ({ precision, recall }) => precision.of + recall.of > 0,
      )}
      keyOf={({ domain }) => domain}
      columns={after ? columns : columns.slice(0, -1)}
    />
  )
}
