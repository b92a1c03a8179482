import { answerFor, firesIn, isForbidden, isRight } from '../../../core/engine/lab/metrics/label.ts'
import type { TurnLabel } from '../../../core/engine/schema/label.ts'
import { valueOf } from '../../app/async-data.ts'
import { selectSeq } from '../../app/select.ts'
import { patchView, type Replayed, type Row, type State, store } from '../../app/store.ts'
import { turnOf } from '../../app/selectors.ts'
import { remember } from '../../ui/remember.ts'
import { firstAtOrAfter } from '../../ui/sorted.ts'
import { openDock } from '../../app/dock.ts'
import { lab, type ShownLabels } from '../../stores/lab/store.ts'
import { openLine, openSignal } from '../tune/editor-open.ts'

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

/** Selects the next (`by` 1) or previous wrong turn; stays at the ends. */
export function moveToWrong(by: 1 | -1): void {
  const state = store.getState()
  const wrong = wrongIn(state) ?? []
  const from = state.view.selected ?? -1
  const after = firstAtOrAfter(wrong, by === 1 ? from + 1 : from)
  const seq = wrong[by === 1 ? after : after - 1]
  if (seq !== undefined) selectSeq(seq)
}

/** Lists the wrong turns, and selects the first one where none is. */
export function openWrong(): void {
  const state = store.getState()
  const wrong = wrongIn(state)
  if (!wrong) return
  patchView({ show: 'wrong' })
  const { selected } = state.view
  if (wrong[0] !== undefined && (selected === null || !wrong.includes(selected)))
    selectSeq(wrong[firstAtOrAfter(wrong, selected ?? 0)] ?? wrong[0])
}

/** What of the domain file decided wrongly: a signal of the answer that matched, else the domain that is missing. */
export type Blamed =
  | { readonly kind: 'signal'; readonly domain: string; readonly index: number }
  | { readonly kind: 'domain'; readonly domain: string }

export function blamedFor(row: Row, primary: string, expected: string): Blamed {
  const mark = row.marks.find(({ domain }) => domain === primary)
  return mark === undefined
    ? { kind: 'domain', domain: expected }
    : { kind: 'signal', domain: primary, index: mark.signal }
}

/** How long the editor and its signals are waited for, in milliseconds. */
const PATIENCE_MS = 20_000

/** [U76] Opens the tab Tune at the line of what is to be edited; the first time the file is read before. */
export function editBlamed(blamed: Blamed): void {
  openDock('tune')
  const show = () => {
    const { text, signals } = lab.getState()
    if (text === null || (blamed.kind === 'signal' && valueOf(signals) === null)) return false
    if (blamed.kind === 'signal') openSignal(blamed)
    else openLine(lineOf(text, blamed.domain))
    return true
  }
  if (show()) return
  const stop = lab.subscribe(() => {
    // The editor takes the text, and its signals, in the frames after.
    if (isReady()) {
      end()
      setTimeout(show, 100)
    }
  })
  const isReady = () => {
    const { text, signals } = lab.getState()
    return text !== null && (blamed.kind === 'domain' || valueOf(signals) !== null)
  }
  const timer = setTimeout(() => stop(), PATIENCE_MS)
  const end = () => {
    clearTimeout(timer)
    stop()
  }
}

/** Line of a domain's name in its file, from 1; the first line where it is not written as YAML usually is. */
export function lineOf(text: string, domain: string): number {
  const at = text.split('\n').findIndex((line) => {
    const name = /^\s*(?:-\s+)?["']?name["']?\s*:\s*(.+?),?\s*(?:#.*)?$/u.exec(line)?.[1]
    return name?.replaceAll(/^["']|["']$/gu, '') === domain
  })
  return Math.max(0, at) + 1
}
