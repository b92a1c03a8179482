import { valueOf } from '../../app/async-data.ts'
import { selectedTurn } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'
import { replayInForce, verdictOf } from '../../app/verdicts.ts'
import { Empty, FailureNote } from '../../ui/answered.tsx'
import { Domain } from '../../ui/domain.tsx'
import { count } from '../../ui/format.ts'
import { useLab } from '../../stores/lab/store.ts'
import { rowAt } from '../../app/rows.ts'
import { KeysNote } from '../../views/label/keys-note.tsx'
import { LabelChoices } from '../../views/label/label-choices.tsx'
import { LabelSide } from '../../views/label/label-side.tsx'
import { labelledTurns } from '../../stores/label/labels.ts'
import { UndoNote } from '../../views/label/undo-note.tsx'

/** Says what turns should have been: keys 1 to 9 on the selected turn, n to the next without a label. */
export function LabelPanel() {
  const labels = useLab((state) => state.labels)
  const turn = useApp(selectedTurn)
  if (labels.status === 'failed') return <FailureNote failure={labels.failure} />
  return (
    <section
      className="label-panel takes-keys shrink-y full-height"
      aria-label="Label"
      tabIndex={-1}
      data-takes-keys="label"
    >
      {turn === null ? (
        <Empty of="dock" title="Select a turn">
          <p>
            Labels are of turns. <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>n</kbd> goes to the next
            turn without a label.
          </p>
        </Empty>
      ) : (
        <SelectedTurn turn={turn} />
      )}
      <LabelSide />
    </section>
  )
}

function SelectedTurn({ turn }: { readonly turn: number }) {
  const seq = useApp((state) => state.view.selected ?? -1)
  const row = useApp((state) => rowAt(state.session.windows, seq))
  const label = useLab((state) => valueOf(state.labels)?.bySeq.get(seq) ?? null)
  const replayed = useApp(replayInForce)
  const verdict = replayed && verdictOf(replayed, seq)
  return (
    <div className="label-turn shrink-y column scroll">
      <header className="label-head row no-shrink line-below gap-12 on-panel pad-x-12">
        <strong className="num no-shrink">Turn {count(turn + 1)}</strong>
        {verdict && (
          <span className="inline-row no-shrink text-s gap-7">
            <span className="quiet">decided</span> <Domain name={verdict.primary} strong />
            {verdict.secondary !== null && <span className="quiet">+ {verdict.secondary}</span>}
          </span>
        )}
        <KeysNote opens="L" />
        <span className="truncate quiet grow">
          {row?.text.replaceAll(/\s+/gu, ' ').slice(0, 300)}
        </span>
      </header>
      <LabelChoices seq={seq} label={label} decided={verdict?.primary ?? null} />
      <UndoNote />
    </div>
  )
}

/** Number of turns of the session that have a label. */
export function LabelCount() {
  const labels = useLab((state) => valueOf(state.labels))
  const replayed = useApp(replayInForce)
  if (labels === null || labels.bySeq.size === 0) return null
  return (
    <span className="text-xs accent num" aria-busy={replayed === null}>
      {replayed === null
        ? '…'
        : `${count(labelledTurns(labels, replayed))} of ${count(replayed.columns.turns)}`}
    </span>
  )
}
