import type { AbstainRow, LabMetrics } from '../../../core/engine/schema/metrics.ts'
import { has } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Section } from '../../ui/parts.tsx'
import { useLab } from '../../stores/lab/store.ts'
import { setOption } from '../../stores/drafts/draft.ts'
import { Share } from '../../views/lab/share.tsx'

const percent = (share: number): string => `${Math.round(100 * share)}`

function marginName(margin: number | null): string {
  if (margin === null) return 'off'
  return margin === 0 ? 'ties only' : `below ${margin}`
}

const COLUMNS: ReadonlyArray<Column<AbstainRow>> = [
  { head: 'Abstain', isName: true, cell: ({ margin }) => marginName(margin) },
  { head: 'Answered', cell: ({ answered }) => <Share {...answered} /> },
  { head: 'Right of those', cell: ({ strict }) => <Share {...strict} /> },
  {
    head: '95 %',
    about: 'Wilson’s interval, which takes turns as independent',
    num: true,
    cell: ({ interval }) =>
      interval === null ? '–' : `${percent(interval.low)}–${percent(interval.high)} %`,
  },
  {
    head: 'Folds',
    about:
      'Mean and standard deviation over folds of whole sources; labels of one source have none',
    num: true,
    cell: ({ folds }) =>
      folds === null ? '–' : `${percent(folds.mean)} ± ${percent(folds.deviation)} %`,
  },
]

const TRY: Column<AbstainRow> = {
  cell: ({ margin }) => <Try margin={margin} />,
}

/** Puts the margin into the draft, as the sliders of What if do with their options. */
function Try({ margin }: Pick<AbstainRow, 'margin'>) {
  const tried = useLab((state) => state.options.abstainMargin)
  return (
    <Button
      small
      aria-pressed={tried === margin}
      aria-label={`Try a margin in the draft: ${marginName(margin)}`}
      title="The draft gets this margin; the preset's file is not changed"
      onClick={() => setOption('abstainMargin', tried === margin ? undefined : margin)}
    >
      {tried === margin ? 'In the draft' : 'Try'}
    </Button>
  )
}

/** [L95] Turns that would be answered with abstaining, and how many of those are right, margin by margin. */
export function Abstain({ metrics }: { readonly metrics: LabMetrics }) {
  if ((metrics.abstain ?? []).length === 0) return null
  return (
    <Section title="If it abstained" aside="lead of the first domain too small">
      <DataTable
        className="metric-table"
        rows={metrics.abstain ?? []}
        keyOf={({ margin }) => String(margin)}
        columns={has('edit') ? [...COLUMNS, TRY] : COLUMNS}
      />
      <p className="quiet">
        Set <code>abstainMargin</code> in the preset: it marks such turns and changes no decision.
      </p>
    </Section>
  )
}
