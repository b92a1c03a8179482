import { basename } from 'node:path'
import type { Dialog } from 'electron'
import type { Dialogs } from '../core/host/entries/host.ts'

const FILTERS = [
  { name: 'Session transcripts', extensions: ['jsonl', 'json', 'ndjson', 'parquet'] },
  { name: 'All files', extensions: ['*'] },
]

const SAVE_FILTERS = [{ name: 'Turnscope JSONL', extensions: ['jsonl'] }]

/** The native file dialogs. */
export function createDialogs(dialog: Pick<Dialog, 'showOpenDialog' | 'showSaveDialog'>): Dialogs {
  return {
    open: async () => {
      const { canceled, filePaths } = await dialog.showOpenDialog({
        title: 'Open sessions',
        properties: ['openFile', 'multiSelections'],
        filters: FILTERS,
      })
      return canceled ? [] : filePaths
    },
    folder: async () => {
      const { canceled, filePaths } = await dialog.showOpenDialog({
        title: 'Add a folder of sessions',
        buttonLabel: 'Add',
        properties: ['openDirectory'],
      })
      return canceled ? null : (filePaths[0] ?? null)
    },
    save: async (suggested) => {
      const { canceled, filePath } = await dialog.showSaveDialog({
        title: 'Export a session',
        // A name only: the system keeps the folder that was used last.
        defaultPath: basename(suggested),
        filters: SAVE_FILTERS,
      })
      return canceled || filePath === '' ? null : filePath
    },
  }
}
