import { patchView, store } from '../../app/store.ts'

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

/** Closes the dock, or opens the panel that was open last. */
export function toggleDock(): void {
  const { dock, lastDock } = store.getState().view
  if (dock === null) openDock(lastDock)
  else patchView({ dock: null, lastDock: dock })
}
