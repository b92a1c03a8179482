import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { unifiedMergeView } from '@codemirror/merge'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import {
  type Extension,
  type StateEffect,
  type Text,
  Compartment,
  EditorSelection,
  EditorState,
} from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import type { DraftProblem, SignalRow } from '../../../core/engine/schema/lab.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { saveDraft, setEditor, setText } from './draft.ts'
import { chooseSignalRow } from './signals.ts'
import type { SignalPlace } from '../lab-corpus/store.ts'
import { completeYaml } from './editor-complete.ts'
import { editorLook } from './editor-look.ts'
import { setCurrent, setSignals, signalLines, startOf } from './editor-signals.ts'

/**
 * The draft's editor. Its state outlives the panel that shows it, so that undo, cursor and scroll are
 * there again when the tab is.
 */
let state: EditorState | null = null
let view: EditorView | null = null
let names: readonly string[] = []
const diff = new Compartment()

function extensions(): Extension {
  return [
    lineNumbers(),
    lintGutter({ markerFilter: (all) => all.filter(({ severity }) => severity !== 'info') }),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    EditorView.lineWrapping,
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    closeBrackets(),
    search({ top: false }),
    highlightSelectionMatches(),
    yaml(),
    autocompletion({ override: [completeYaml(() => names)], icons: false }),
    EditorView.contentAttributes.of({ 'aria-label': 'Domain file', tabindex: '0' }),
    keymap.of([
      {
        key: 'Mod-s',
        run: () => {
          void saveDraft()
          return true
        },
      },
      // Esc leaves the editor, so that Tab is never a trap.
      { key: 'Escape', run: leave },
      ...completionKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...lintKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    EditorView.updateListener.of((update) => {
      state = update.state
      if (update.docChanged) setText(update.state.doc.toString())
    }),
    signalLines(chooseSignalRow),
    diff.of([]),
    editorLook,
  ]
}

function leave(shown: EditorView): boolean {
  shown.contentDOM.blur()
  return true
}

function fresh(text: string): EditorState {
  return EditorState.create({ doc: text, extensions: extensions() })
}

/** One change that turns the text into another: what both have in common stays, the cursor with it. */
function changeTo(doc: Text, text: string) {
  const before = doc.toString()
  const most = Math.min(before.length, text.length)
  let from = 0
  while (from < most && before[from] === text[from]) from += 1
  let tail = 0
  while (tail < most - from && before[before.length - 1 - tail] === text[text.length - 1 - tail])
    tail += 1
  return { from, to: before.length - tail, insert: text.slice(from, text.length - tail) }
}

function dispatch(effects: ReadonlyArray<StateEffect<unknown>>): void {
  if (view) view.dispatch({ effects: [...effects] })
  else if (state) state = state.update({ effects: [...effects] }).state
}

setEditor({
  load: (text) => {
    if (!state) return
    state = fresh(text)
    view?.setState(state)
  },
  replace: (text) => {
    if (!state) return
    const change = changeTo(state.doc, text)
    if (view) view.dispatch({ changes: change, scrollIntoView: true })
    else state = state.update({ changes: change }).state
  },
})

/** Shows the editor inside an element; returns what takes it away. Its styles stay inside a shadow root, as the CSP wants. */
export function mountEditor(element: HTMLElement, text: string): () => void {
  const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
  if (state?.doc.toString() !== text) state = fresh(text)
  const shown = new EditorView({ state, parent: root, root })
  view = shown
  return () => {
    state = shown.state
    shown.destroy()
    if (view === shown) view = null
  }
}

export function showSignals(rows: readonly SignalRow[]): void {
  dispatch([setSignals.of(rows)])
}

/** Marks a signal; with `scroll` its line is brought to the middle and gets the cursor. */
export function showSignal(place: SignalPlace | null, scroll: boolean): void {
  dispatch([setCurrent.of(place)])
  const from = scroll && place && state ? startOf(state, place) : null
  if (from !== null) goTo(from)
}

function goTo(position: number): void {
  view?.dispatch({
    selection: EditorSelection.cursor(position),
    effects: EditorView.scrollIntoView(position, { y: 'center' }),
  })
}

/** Puts the cursor on a line, from 1. */
export function showLine(line: number, focus = true): void {
  if (!state || !view) return
  goTo(state.doc.line(Math.min(Math.max(1, line), state.doc.lines)).from)
  if (focus) view.focus()
}

export function focusEditor(): void {
  view?.focus()
}

/** Names that the completion offers. */
export function offerNames(all: readonly string[]): void {
  names = all
}

/** Underlines problems where they stand. */
export function showProblems(problems: ReadonlyArray<Immutable<DraftProblem>>): void {
  if (!view) return
  const { doc } = view.state
  view.dispatch(
    setDiagnostics(
      view.state,
      problems.map((one) => diagnosticOf(doc, one)),
    ),
  )
}

function diagnosticOf(doc: Text, problem: Immutable<DraftProblem>): Diagnostic {
  const from = positionOf(doc, problem.line, problem.column)
  const to = positionOf(doc, problem.endLine, problem.endColumn)
  return {
    from,
    to: Math.max(to, from),
    severity: problem.severity,
    source: problem.rule,
    message: problem.do === '' ? problem.what : `${problem.what}. ${problem.do}`,
  }
}

function positionOf(doc: Text, line: number, column: number): number {
  const at = doc.line(Math.min(Math.max(1, line), doc.lines))
  return Math.min(at.from + column - 1, at.to)
}

/** Only going back makes sense here: what is accepted is what is saved. */
function revertButton(kind: 'reject' | 'accept', act: (event: MouseEvent) => void): HTMLElement {
  if (kind === 'accept') return document.createElement('span')
  const button = document.createElement('button')
  button.textContent = 'Revert'
  button.title = 'Put this part back as it is saved'
  button.addEventListener('mousedown', act)
  return button
}

/** Shows what differs from the saved text, inside the editor; null = the draft alone. */
export function showChanges(saved: string | null): void {
  const extension =
    saved === null
      ? []
      : unifiedMergeView({
          original: saved,
          mergeControls: revertButton,
          gutter: true,
          collapseUnchanged: { margin: 3, minSize: 6 },
        })
  dispatch([diff.reconfigure(extension)])
}
