import { weightsVerdict } from '../../../core/engine/lab/weights/words.ts'
import type { FittedWeight, FittedWeights } from '../../../core/engine/schema/weights.ts'
import { has } from '../../app/api.ts'
import { stream } from '../../app/question.ts'
import { Button, Pressable } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Swatch } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import { shortName } from '../../ui/visible.ts'
import { takeWeights } from '../../stores/drafts/draft.ts'
import { CorpusBasis } from '../../views/lab/basis.tsx'
import { type StudyProps, LAB, Studied, useStudy } from '../../views/lab/studied.tsx'
import { act } from '../../app/tell.ts'

/** More rows than anybody reads cost more than a frame. */
const MOST = 60

const COLUMNS: ReadonlyArray<Column<FittedWeight>> = [
  {
    head: 'Signal',
    isName: true,
    cell: (row) => (
      <Pressable
        className="signal-link inline-row"
        title={row.pattern}
        disabled={!has('edit')}
        onClick={() => act('edit-signal', row)}
      >
        <Swatch domain={row.domain} />
        <span className="visually-hidden">{shortName(row.domain)}</span>
        {row.id ?? `signal ${row.index + 1}`}
      </Pressable>
    ),
  },
  { head: 'Would count', num: true, cell: ({ weight }) => weight.toFixed(2) },
  { head: 'Counts now', num: true, cell: ({ now }) => String(now) },
  { head: 'Right', num: true, cell: ({ right }) => count(right) },
  { head: 'Fired, labelled', num: true, cell: ({ fired }) => count(fired) },
]

/**
 * [L96] [L98] Suggested weight of each signal, computed from labels. The operator can add them to the draft if they
 * improve the results.
 */
export function WeightsView(_: StudyProps) {
  const asked = useStudy((about) => stream('queue.weights', about, LAB))
  return (
    <Studied asked={asked} idle="Fitting weights without one fold of sources at a time">
      {(found) => <Found found={found} />}
    </Studied>
  )
}

function Found({ found }: { readonly found: FittedWeights }) {
  const { weights, labels, sources, folds, note, wins, madeFrom } = found
  return (
    <>
      <p className="text-s dim pad-8-12">
        {note === null &&
          `${counted(labels, 'label')} of ${counted(sources, 'source')} in ${count(folds)} folds by source; each fold is decided by weights that were fitted without it. `}
        {weightsVerdict(found)}
      </p>
      <CorpusBasis />
      {wins && has('edit') && (
        <p className="text-s pad-8-12">
          <Button small onClick={() => void takeWeights(weights, madeFrom)}>
            Take {counted(weights.length, 'weight')} into the draft
          </Button>
        </p>
      )}
      {weights.length > 0 && (
        <DataTable
          className="metric-table metric-rows full-width"
          columns={COLUMNS}
          rows={weights.slice(0, MOST)}
          keyOf={({ domain, index }) => `${domain} ${index}`}
        />
      )}
      {weights.length > MOST && (
        <p className="quiet text-s dim pad-8-12">
          The {count(MOST)} largest changes of {count(weights.length)}.
        </p>
      )}
    </>
  )
}
