import { TAKES_KEYS } from './pane-keys.ts'
import { patchView, store } from './store.ts'

const KEY = 'turnscope.dock'
const DEFAULT_PX = 320

/** Height of the dock as it was left, in pixels. */
export function dockHeight(): number {
  const kept = Number(localStorage.getItem(KEY))
  return kept >= 150 && kept <= 2000 ? kept : DEFAULT_PX
}

export function rememberDockHeight(pixels: number): void {
  if (pixels > 0) localStorage.setItem(KEY, String(Math.round(pixels)))
}

export function openDock(dock: string): void {
  patchView({ dock, lastDock: dock })
}

/** Frames that a panel may need until it is drawn: its code may have to be fetched first. */
const MOST_FRAMES = 120

/** [U221] Opens a panel by its key: one that takes keys or text gets the keyboard. */
export function focusDock(dock: string): void {
  openDock(dock)
  const look = (left: number) => {
    if (store.getState().view.dock !== dock) return
    const panel = document.querySelector<HTMLElement>(`${TAKES_KEYS}[data-takes-keys="${dock}"]`)
    if (panel) panel.focus()
    else if (left > 0 && TAKING.has(dock)) requestAnimationFrame(() => look(left - 1))
  }
  look(MOST_FRAMES)
}

const TAKING: ReadonlySet<string> = new Set(['label', 'queue', 'scratch'])

/** Closes the dock, or opens the panel that was open last. */
export function toggleDock(): void {
  const { dock, lastDock } = store.getState().view
  if (dock === null) openDock(lastDock)
  else patchView({ dock: null, lastDock: dock })
}
