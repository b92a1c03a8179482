import { begun, further } from '../../app/async-data.ts'
import type { FolderFind, FoundFile } from '../../app/find-state.ts'
import { failureOf } from '../../app/host.ts'
import { createTask } from '../../app/task.ts'
import { createGathered } from '../../app/timing.ts'
import { patchView, store } from '../../app/store.ts'
import { wireRuns } from '../../app/wire.ts'

const searching = createTask()

function patch(change: Partial<FolderFind>): void {
  const { folderFind } = store.getState().view
  if (folderFind) patchView({ folderFind: { ...folderFind, ...change } })
}

/** Files found since the last render. Batched to avoid one render per file. */
const gathered = createGathered<FoundFile>((files) => {
  const { folderFind } = store.getState().view
  if (folderFind) patch({ found: [...folderFind.found, ...files] })
})

/** [U6] Finds over all files of a folder; results come file by file. An empty query forgets the last one. */
export function findInFolder(folder: string, query: string): void {
  closeFolderFind()
  if (query.trim() === '') return
  const folderFind = { folder, query, found: [], work: begun(), done: null, problem: null }
  patchView({ folderFind })
  searching.subscribe(
    'library.find',
    { folder, query, ...wireRuns(store.getState().view) },
    {
      next: (message) => {
        const now = store.getState().view.folderFind
        if (!now) return
        if (message.kind === 'progress') patch({ work: further(now.work, message) })
        else if (message.kind === 'found') gathered.add(message)
        else {
          gathered.flush()
          const { files, sessions, total, problem } = message
          patch({ done: { files, sessions, total, cancelled: false }, problem })
        }
      },
      error: (error) => stopped({ problem: failureOf(error, folder) }),
      end: () => {
        if (store.getState().view.folderFind?.done === null) stopped({})
      },
    },
  )
}

function stopped(change: Partial<FolderFind>): void {
  gathered.flush()
  const now = store.getState().view.folderFind
  if (!now) return
  const total = now.found.reduce((sum, one) => sum + one.total, 0)
  const files = new Set(now.found.map(({ path }) => path)).size
  patch({ done: { files, sessions: now.found.length, total, cancelled: true }, ...change })
}

/** The Cancel button: keeps the results found so far. */
export function cancelFolderFind(): void {
  searching.stop()
  stopped({})
}

export function closeFolderFind(): void {
  searching.stop()
  gathered.drop()
  patchView({ folderFind: null })
}
