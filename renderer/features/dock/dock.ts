import { patchView, store } from '../../app/store.ts'

let last = 'tune'

export function openDock(dock: string): void {
  last = dock
  patchView({ dock })
}

/** Closes the dock, or opens the panel that was open last. */
export function toggleDock(): void {
  const { dock } = store.getState().view
  if (dock === null) openDock(last)
  else {
    last = dock
    patchView({ dock: null })
  }
}
