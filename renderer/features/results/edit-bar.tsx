import { GitCompareArrows } from 'lucide-react'
import type { ResultsAbout } from '../../../core/engine/schema/results.ts'
import { valueOf } from '../../app/async-data.ts'
import { useApp } from '../../app/use-store.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button, Switch } from '../../ui/button.tsx'
import { count, counted, duration } from '../../ui/format.ts'
import { Warnings } from '../../ui/parts.tsx'
import { ProgressView } from '../../ui/progress.tsx'
import { isChanged } from '../../stores/lab/sides.ts'
import { useLab } from '../../stores/lab/store.ts'
import { type Edited, cancelEdit, chooseFlips, tryEdit, useResults } from './state.ts'

const WHOSE = [
  ['against', 'Of the batch', 'Flips against the other configuration that the batch ran with'],
  ['edit', 'Of the edit', 'Flips against what was tried here'],
] as const

/** [F146] Tries the draft, or the preset in force, on all turns of the batch. */
export function EditBar({ about }: { readonly about: ResultsAbout }) {
  const edit = useResults((state) => state.edit)
  const flips = useResults((state) => state.flips)
  const isDraft = useLab(isChanged)
  const preset = useApp((state) => state.view.run.preset)
  const edited = valueOf(edit)
  const isBusy = edit.status === 'loading'
  return (
    <>
      <div className="results-edit row wrap no-shrink line-below on-panel pad-8-12">
        <Button
          small
          disabled={isBusy}
          title="Compares it with what the batch decided, over all turns, by the matches that the batch stored. Texts are read only for patterns that are new"
          onClick={() => tryEdit(about.path)}
        >
          <GitCompareArrows size={14} aria-hidden />
          {isDraft ? 'Try the draft of Tune' : `Try preset ${preset}`}
        </Button>
        {edited && !isBusy && <Outcome edited={edited} turns={about.turns} />}
        {!edited && !isBusy && (
          <span className="quiet text-s">
            {isDraft
              ? 'What the draft decides differently, over all turns of the batch'
              : 'Edit a signal under Tune, or choose another preset, and try it on all turns'}
          </span>
        )}
        <span className="grow" />
        {about.flips !== null && edited && (
          <Switch label="Flips" options={WHOSE} value={flips} onChoose={chooseFlips} />
        )}
      </div>
      <div className="results-progress">
        <ProgressView data={edit} idle="Comparing" onCancel={cancelEdit} />
      </div>
      {edit.status === 'failed' && <FailureNote failure={edit.failure} />}
      {edited && <Warnings texts={[...edited.warnings, ...edited.notes]} />}
    </>
  )
}

function Outcome({ edited, turns }: { readonly edited: Edited; readonly turns: number }) {
  const { total, scanned, elapsedMs } = edited
  return (
    <span className="num text-s dim" role="status">
      {counted(total, 'flip')} in {count(turns)} turns, {duration(elapsedMs)};{' '}
      {scanned === 0 ? 'no text was read' : `texts were read for ${counted(scanned, 'signal')}`}
    </span>
  )
}
