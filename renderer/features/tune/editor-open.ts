import { host } from '../../app/host.ts'
import { openDock } from '../../app/dock.ts'
import type { SignalPlace } from '../../stores/lab/store.ts'
import type * as EditorModule from './editor-doc.ts'
import { draftText } from '../../stores/drafts/draft.ts'
import { chooseSignalRow } from '../../stores/drafts/signals.ts'

/**
 * Module of the editor. The functions here open Tune at a place; the editor itself is fetched with the panel (U200).
 */
type Editor = typeof EditorModule

/** Frames that the editor may take to be there, after the dock was opened. */
const MOST_FRAMES = 120

/** Calls `act` once the editor is on screen. If the editor cannot be fetched, the panel reports it. */
function whenShown(act: (editor: Editor) => void): void {
  const look = (editor: Editor, frames: number) => {
    if (editor.isShown()) act(editor)
    else if (frames > 0) requestAnimationFrame(() => look(editor, frames - 1))
  }
  void import('./editor-doc.ts').then(
    (editor) => requestAnimationFrame(() => look(editor, MOST_FRAMES)),
    () => undefined,
  )
}

/** Shows a signal in the tab Tune: its row, and its line in the editor. */
export function openSignal({ domain, index }: SignalPlace): void {
  openDock('tune')
  chooseSignalRow({ domain, index })
  whenShown(({ showSignal }) => showSignal({ domain, index }, true))
}

interface TracedSignal extends SignalPlace {
  readonly pattern: string
}

/**
 * [T79] Opens Tune at the line of a signal of the turn; its row is chosen too once the corpus is read. With
 * `focus` the editor takes the keyboard.
 */
export async function openSignalLine(
  { domain, index, pattern }: TracedSignal,
  focus = true,
): Promise<void> {
  openDock('tune')
  const text = await draftText()
  if (text === null) return
  const asked = { text, domain, signal: index, pattern }
  const found = await host()
    .call('draft.line', asked)
    .catch(() => null)
  const line = found?.line ?? null
  if (line === null) return
  chooseSignalRow({ domain, index: found?.signal ?? index })
  whenShown(({ showLine }) => showLine(line, focus))
}

/** Shows a line of the draft in the editor. */
export function openLine(line: number): void {
  openDock('tune')
  whenShown(({ showLine }) => showLine(line))
}
