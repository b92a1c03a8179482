import { valueOf } from '../../app/async-data.ts'
import { selectSeq } from '../../app/select.ts'
import { type Row, store } from '../../app/store.ts'
import { firstAtOrAfter } from '../../ui/sorted.ts'
import { openDock } from '../../app/dock.ts'
import { wrongIn } from '../../stores/label/wrong.ts'
import { lab } from '../../stores/lab/store.ts'
import { act } from '../../app/tell.ts'

/** Selects the next (`by` 1) or previous wrong turn; stays at the ends. */
export function moveToWrong(by: 1 | -1): void {
  const state = store.getState()
  const wrong = wrongIn(state) ?? []
  const from = state.view.selected ?? -1
  const after = firstAtOrAfter(wrong, by === 1 ? from + 1 : from)
  const seq = wrong[by === 1 ? after : after - 1]
  if (seq !== undefined) selectSeq(seq)
}

/**
 * The domain file entry responsible for a wrong decision: a matched signal of the decided domain, else the missing
 * domain.
 */
export type Blamed =
  | { readonly kind: 'signal'; readonly domain: string; readonly index: number }
  | { readonly kind: 'domain'; readonly domain: string }

export function blamedFor(row: Row, primary: string, expected: string): Blamed {
  const mark = row.marks.find(({ domain }) => domain === primary)
  return mark === undefined
    ? { kind: 'domain', domain: expected }
    : { kind: 'signal', domain: primary, index: mark.signal }
}

/** Maximum wait for the editor and its signals, in milliseconds. */
const PATIENCE_MS = 20_000

/** [U76] Opens the Tune tab at the line to edit. The first time, the file is loaded before. */
export function editBlamed(blamed: Blamed): void {
  openDock('tune')
  const show = () => {
    const { text, signals } = lab.getState()
    if (text === null || (blamed.kind === 'signal' && valueOf(signals) === null)) return false
    if (blamed.kind === 'signal') act('edit-signal', blamed)
    else act('edit-line', lineOf(text, blamed.domain))
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

/** Line of a domain's name in its file, from 1. Returns the first line if the file's YAML has an unusual form. */
export function lineOf(text: string, domain: string): number {
  const at = text.split('\n').findIndex((line) => {
    const name = /^\s*(?:-\s+)?["']?name["']?\s*:\s*(.+?),?\s*(?:#.*)?$/u.exec(line)?.[1]
    return name?.replaceAll(/^["']|["']$/gu, '') === domain
  })
  return Math.max(0, at) + 1
}
