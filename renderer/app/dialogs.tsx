import { DIALOGS } from './features.ts'
import { patchView } from './store.ts'
import { useApp } from './use-store.ts'

function close(): void {
  patchView({ dialog: null })
}

/** The dialog that is open, if any. */
export function Dialogs() {
  const open = useApp((state) => state.view.dialog)
  const Dialog = DIALOGS.find(([name]) => name === open)?.[1]
  return Dialog ? <Dialog onClose={close} /> : null
}
