import type { Dialog } from 'electron'
import type { Dialogs } from '../core/host/host.ts'

const FILTERS = [
  { name: 'Session transcripts', extensions: ['jsonl', 'json', 'ndjson'] },
  { name: 'All files', extensions: ['*'] },
]

/** The native file dialog; a chosen path also joins the system's recent documents. */
export function createDialogs(
  dialog: Pick<Dialog, 'showOpenDialog'>,
  onChosen: (path: string) => void,
): Dialogs {
  return {
    open: async () => {
      const { canceled, filePaths } = await dialog.showOpenDialog({
        title: 'Open a session',
        properties: ['openFile'],
        filters: FILTERS,
      })
      const [path] = filePaths
      if (canceled || path === undefined) return null
      onChosen(path)
      return path
    },
  }
}
