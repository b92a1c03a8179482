import { patchView, store } from '../../app/store.ts'

export function openDock(dock: string): void {
  patchView({ dock, lastDock: dock })
}

/** Closes the dock, or opens the panel that was open last. */
export function toggleDock(): void {
  const { dock, lastDock } = store.getState().view
  if (dock === null) openDock(lastDock)
  else patchView({ dock: null, lastDock: dock })
}
