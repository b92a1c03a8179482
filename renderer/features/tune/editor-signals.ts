import {
  type EditorState,
  type Extension,
  RangeSetBuilder,
  StateEffect,
  StateField,
} from '@codemirror/state'
import { type DecorationSet, Decoration, EditorView } from '@codemirror/view'
import type { ListedSignal } from '../../../core/engine/schema/lab.ts'
import type { SignalPlace } from '../../stores/lab/store.ts'

/** A signal and the start of its line. Typing moves it; the host's next answer corrects it. */
interface Placed extends SignalPlace {
  readonly from: number
}

/** The signals of the text as the host read it. */
export const setSignals = StateEffect.define<readonly ListedSignal[]>()
/** Sets the highlighted signal. */
export const setCurrent = StateEffect.define<SignalPlace | null>()

const DASH = /^\s*- /u

/** Start of the list item that contains a line. Its keys may precede the pattern. */
function itemStart(state: EditorState, line: number): number {
  const own = state.doc.line(line)
  const indent = own.text.search(/\S/u)
  for (let at = line; at >= 1; at -= 1) {
    const { text, from } = state.doc.line(at)
    const here = text.search(/\S/u)
    if (DASH.test(text) && (at === line || here < indent)) return from
    if (here !== -1 && here < indent) break
  }
  return own.from
}

function placed(state: EditorState, rows: readonly ListedSignal[]): readonly Placed[] {
  return rows
    .filter(({ line }) => line <= state.doc.lines)
    .map(({ domain, index, line }) => ({ domain, index, from: itemStart(state, line) }))
    .toSorted((a, b) => a.from - b.from)
}

const places = StateField.define<readonly Placed[]>({
  create: () => [],
  update: (value, transaction) => {
    let now = value
    if (transaction.docChanged)
      now = now.map((one) => ({ ...one, from: transaction.changes.mapPos(one.from) }))
    for (const effect of transaction.effects)
      if (effect.is(setSignals)) now = placed(transaction.state, effect.value)
    return now
  },
})

const current = StateField.define<SignalPlace | null>({
  create: () => null,
  update: (value, transaction) =>
    transaction.effects.reduce(
      (now, effect) => (effect.is(setCurrent) ? effect.value : now),
      value,
    ),
})

/** Start of a signal; null if it is not in the text. */
export function startOf(state: EditorState, place: SignalPlace): number | null {
  return (
    state
      .field(places)
      .find(({ domain, index }) => domain === place.domain && index === place.index)?.from ?? null
  )
}

/** The signal at a position: its first line, or a line indented under it. */
export function signalAt(state: EditorState, position: number): SignalPlace | null {
  const all = state.field(places)
  const at = all.findLastIndex(({ from }) => state.doc.lineAt(from).from <= position)
  const one = all[at]
  if (!one || position > endOf(state, one.from)) return null
  return { domain: one.domain, index: one.index }
}

/** End of the last line that is indented deeper than the signal's dash. */
function endOf(state: EditorState, from: number): number {
  const first = state.doc.lineAt(from)
  const dash = first.text.search(/\S/u)
  let last = first
  for (let at = first.number + 1; at <= state.doc.lines; at += 1) {
    const line = state.doc.line(at)
    const indent = line.text.search(/\S/u)
    if (indent !== -1 && indent <= dash) break
    if (indent !== -1) last = line
  }
  return last.to
}

const lineLook = Decoration.line({ class: 'cm-signal-line' })

function decorate(state: EditorState): DecorationSet {
  const place = state.field(current)
  const from = place && startOf(state, place)
  const builder = new RangeSetBuilder<Decoration>()
  if (from !== null) {
    const to = endOf(state, from)
    for (let at = state.doc.lineAt(from); ; at = state.doc.line(at.number + 1)) {
      builder.add(at.from, at.from, lineLook)
      if (at.to >= to) break
    }
  }
  return builder.finish()
}

/** Tracks the positions of signals, marks the current one, and reports when the cursor enters another. */
export function signalLines(onSignal: (place: SignalPlace | null) => void): Extension {
  return [
    places,
    current,
    EditorView.decorations.compute([places, current, 'doc'], decorate),
    EditorView.updateListener.of((update) => {
      const refreshed = update.transactions.some(({ effects }) =>
        effects.some((effect) => effect.is(setSignals)),
      )
      if (!update.selectionSet && !refreshed && !update.docChanged) return
      if (!update.view.hasFocus) return
      onSignal(signalAt(update.state, update.state.selection.main.head))
    }),
  ]
}
