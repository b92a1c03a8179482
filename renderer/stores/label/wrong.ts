import { answerFor, firesIn, isForbidden, isRight } from '../../../core/engine/lab/metrics/label.ts'
import type { TurnLabel } from '../../../core/engine/schema/label.ts'
import { valueOf } from '../../app/async-data.ts'
import { selectSeq } from '../../app/select.ts'
import { turnOf } from '../../app/selectors.ts'
import { patchView, type Replayed, type State, store } from '../../app/store.ts'
import { remember } from '../../ui/remember.ts'
import { firstAtOrAfter } from '../../ui/sorted.ts'
import { lab, type ShownLabels } from '../lab/store.ts'

/** [U75] Events of the turns whose label says another domain, or forbids this one, rising; null without labels. */
const wrongOf = remember(
  (replayed: Replayed | null, labels: ShownLabels | null): readonly number[] | null => {
    if (!replayed || !labels || labels.bySeq.size === 0) return null
    const { columns } = replayed
    const isWrong = ([seq, label]: readonly [number, TurnLabel]) => {
      const turn = turnOf(columns, seq)
      if (turn === undefined) return false
      const primary = columns.domains[columns.primary[turn] ?? -1] ?? ''
      const secondary = columns.domains[columns.secondary[turn] ?? -1] ?? null
      const fires = firesIn(columns, turn)
      const isAnswered = isRight(label, answerFor(label, { primary, fires }))
      return !isAnswered || isForbidden(label, primary, secondary, fires)
    }
    const wrong = [...labels.bySeq].filter(isWrong).map(([seq]) => seq)
    return wrong.toSorted((a, b) => a - b)
  },
)

/** Labels are of the session in view or of none. */
export function wrongIn(
  { session }: State,
  labels = lab.getState().labels,
): readonly number[] | null {
  return wrongOf(valueOf(session.replay), valueOf(labels))
}

/** Lists the wrong turns. If the selection is not one of them, selects the next wrong turn, or else the first. */
export function openWrong(): void {
  const state = store.getState()
  const wrong = wrongIn(state)
  if (!wrong) return
  patchView({ show: 'wrong' })
  const { selected } = state.view
  if (wrong[0] !== undefined && (selected === null || !wrong.includes(selected)))
    selectSeq(wrong[firstAtOrAfter(wrong, selected ?? 0)] ?? wrong[0])
}
