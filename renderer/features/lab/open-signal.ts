import { openDock } from '../dock/dock.ts'
import { chooseSignalRow } from '../tune/signals.ts'
import type { SignalPlace } from '../lab-corpus/store.ts'
import { showLine, showSignal } from '../tune/editor-doc.ts'

/** Shows a signal in the tab Tune: its row, and its line in the editor. */
export function openSignal({ domain, index }: SignalPlace): void {
  openDock('tune')
  chooseSignalRow({ domain, index })
  // The editor is there in the next frame.
  requestAnimationFrame(() => showSignal({ domain, index }, true))
}

/** Shows a line of the draft in the editor. */
export function openLine(line: number): void {
  openDock('tune')
  requestAnimationFrame(() => showLine(line))
}
