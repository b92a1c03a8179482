import {
  autocompletion,
  closeBrackets,
  closeCompletion,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { unifiedMergeView } from '@codemirror/merge'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import {
  type Extension,
  type StateEffect,
  type Text,
  Compartment,
  EditorSelection,
  EditorState,
  Prec,
} from '@codemirror/state'
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import type { DraftProblem, ListedSignal } from '../../../core/engine/schema/lab.ts'
import type { SignalPlace } from '../../stores/lab/store.ts'
import { saveDraft, setEditor, setText } from '../../stores/drafts/draft.ts'
import { completeYaml } from './editor-complete.ts'
import { editorLook } from './editor-look.ts'
import { setCurrent, setSignals, signalLines, startOf } from './editor-signals.ts'
import { chooseSignalRow } from '../../stores/drafts/signals.ts'

/**
 * Esc closes a visible list of completions. Without one it leaves the editor, so that Tab is never a trap. While
 * completions are still loading, nothing is visible. The editor's own keys would use Esc to cancel them, and the next
 * typed text would go into the file.
 */
function leave(shown: EditorView): boolean {
  if (completionStatus(shown.state) === 'active') return closeCompletion(shown)
  closeCompletion(shown)
  shown.contentDOM.blur()
  return true
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

/** Shows only the revert button, because accepting is the same as saving. */
function revertButton(kind: 'reject' | 'accept', act: (event: MouseEvent) => void): HTMLElement {
  if (kind === 'accept') return document.createElement('span')
  const button = document.createElement('button')
  button.textContent = 'Revert'
  button.title = 'Put this part back as it is saved'
  button.addEventListener('mousedown', act)
  return button
}

/**
 * The draft's editor. Its state outlives the panel that shows it, so that undo, cursor and scroll are
 * there again when the tab is.
 */
class EditorDoc {
  #state: EditorState | null = null
  #view: EditorView | null = null
  #names: readonly string[] = []
  readonly #diff = new Compartment()

  constructor() {
    setEditor({
      load: (text) => {
        if (!this.#state) return
        this.#state = this.#fresh(text)
        this.#view?.setState(this.#state)
      },
      replace: (text) => {
        if (!this.#state) return
        const change = changeTo(this.#state.doc, text)
        if (this.#view) this.#view.dispatch({ changes: change, scrollIntoView: true })
        else this.#state = this.#state.update({ changes: change }).state
      },
    })
  }

  #extensions(): Extension {
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
      Prec.highest(keymap.of([{ key: 'Escape', run: leave }])),
      autocompletion({ override: [completeYaml(() => this.#names)], icons: false }),
      EditorView.contentAttributes.of({ 'aria-label': 'Domain file', tabindex: '0' }),
      keymap.of([
        {
          key: 'Mod-s',
          run: () => {
            void saveDraft()
            return true
          },
        },
        ...completionKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...lintKeymap,
        ...defaultKeymap,
        indentWithTab,
      ]),
      EditorView.updateListener.of((update) => {
        this.#state = update.state
        if (update.docChanged) setText(update.state.doc.toString())
      }),
      signalLines(chooseSignalRow),
      this.#diff.of([]),
      editorLook,
    ]
  }

  #fresh(text: string): EditorState {
    return EditorState.create({ doc: text, extensions: this.#extensions() })
  }

  #dispatch(effects: ReadonlyArray<StateEffect<unknown>>): void {
    if (this.#view) this.#view.dispatch({ effects: [...effects] })
    else if (this.#state) this.#state = this.#state.update({ effects: [...effects] }).state
  }

  /** Shows the editor inside an element; returns what takes it away. Its styles stay inside a shadow root, as the CSP wants. */
  readonly mountEditor = (element: HTMLElement, text: string): (() => void) => {
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    if (this.#state?.doc.toString() !== text) this.#state = this.#fresh(text)
    const shown = new EditorView({ state: this.#state, parent: root, root })
    this.#view = shown
    return () => {
      this.#state = shown.state
      shown.destroy()
      if (this.#view === shown) this.#view = null
    }
  }

  readonly showSignals = (rows: readonly ListedSignal[]): void => {
    this.#dispatch([setSignals.of(rows)])
  }

  /** Marks a signal; with `scroll` its line is brought to the middle and gets the cursor. */
  readonly showSignal = (place: SignalPlace | null, scroll: boolean): void => {
    this.#dispatch([setCurrent.of(place)])
    const from = scroll && place && this.#state ? startOf(this.#state, place) : null
    if (from !== null) this.#goTo(from)
  }

  #goTo(position: number): void {
    this.#view?.dispatch({
      selection: EditorSelection.cursor(position),
      effects: EditorView.scrollIntoView(position, { y: 'center' }),
    })
  }

  /** Puts the cursor on a line, from 1; false while there is no editor. */
  readonly showLine = (line: number, focus = true): boolean => {
    if (!this.#state || !this.#view) return false
    this.#goTo(this.#state.doc.line(Math.min(Math.max(1, line), this.#state.doc.lines)).from)
    if (focus) this.#view.focus()
    return true
  }

  /** True while the editor is on screen. */
  readonly isShown = (): boolean => this.#view !== null

  readonly focusEditor = (): void => {
    this.#view?.focus()
  }

  /** Names that the completion offers. */
  readonly offerNames = (all: readonly string[]): void => {
    this.#names = all
  }

  /** Underlines problems at their place. */
  readonly showProblems = (problems: ReadonlyArray<Immutable<DraftProblem>>): void => {
    if (!this.#view) return
    const { doc } = this.#view.state
    this.#view.dispatch(
      setDiagnostics(
        this.#view.state,
        problems.map((one) => diagnosticOf(doc, one)),
      ),
    )
  }

  /** Shows what differs from the saved text, inside the editor; null = the draft alone. */
  readonly showChanges = (saved: string | null): void => {
    const extension =
      saved === null
        ? []
        : unifiedMergeView({
            original: saved,
            mergeControls: revertButton,
            gutter: true,
            collapseUnchanged: { margin: 3, minSize: 6 },
          })
    this.#dispatch([this.#diff.reconfigure(extension)])
  }
}

export const {
  mountEditor,
  showSignals,
  showSignal,
  showLine,
  isShown,
  focusEditor,
  offerNames,
  showProblems,
  showChanges,
} = new EditorDoc()
