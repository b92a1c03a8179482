import { begun, failed, further, idle, loading, ready, valueOf } from '../../app/async-data.ts'
import type { Entry, Scan } from '../../app/folders-state.ts'
import { createAsking } from '../../app/asking.ts'
import { closeFolder } from '../../app/folder-in-view.ts'
import { failureOf, host } from '../../app/host.ts'
import type { Link } from '../../app/link.ts'
import { createQuery } from '../../app/query.ts'
import { call, mapped } from '../../app/question.ts'
import { createTask } from '../../app/task.ts'
import { createGathered } from '../../app/timing.ts'
import { patchFolders, patchView, runKey, store, foldersPlace } from '../../app/store.ts'
import { wireRuns } from '../../app/wire.ts'

const scanning = createTask()

const list = createQuery({ place: foldersPlace('list') })

/** Which folders the library has. */
export function refreshFolders(): Promise<void> {
  const question = call('library.folders', {}, { where: 'Folders' })
  return list.ask(mapped(question, ({ folders }) => folders))
}

/** Adds a folder and shows it; [F141] one of results is shown as that. Rejects with the host's refusal, for the form to say. */
export async function addFolder(path: string): Promise<void> {
  const results = await host().call('results.at', { path })
  if (results.path !== null) {
    patchView({ results: results.path, drawer: false })
    return
  }
  const folder = await host().call('library.addFolder', { path })
  await refreshFolders()
  await showFolder(folder.path)
}

/** The native dialog for folders; null when cancelled. Rejects with the host's refusal. */
export async function chooseFolder(): Promise<string | null> {
  const { path } = await host().call('dialog.folder', {})
  return path
}

/** Removes a folder from the library. Its files are not touched. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await host().call('library.removeFolder', { path })
    if (store.getState().folders.shown === path) closeFolder()
    await refreshFolders()
  } catch (error) {
    patchView({ notice: failureOf(error, path) })
  }
}

/** Identifies the data that `entries` hold. Another folder or configuration has other entries. */
function subject(folder: string): string {
  const { run, compare } = store.getState().view
  return `${folder}\n${runKey(run)}\n${compare ? runKey(compare) : ''}`
}

function isCurrent(of: string): boolean {
  return store.getState().folders.of === of
}

function entriesOf(folder: string) {
  const input = { folder, ...wireRuns(store.getState().view) }
  return mapped(call('library.entries', input, { where: folder }), ({ entries, stale }) => ({
    entries: new Map(entries.map((entry) => [entry.path, entry])),
    stale,
  }))
}

/** Entries as the index of the host has them. */
const listed = createAsking()

/** [U7] Shows a folder over the session: the indexed rows immediately, then the changes. */
export async function showFolder(folder: string): Promise<void> {
  const of = subject(folder)
  const { folders } = store.getState()
  patchView({ drawer: false, results: null })
  // [U62] A filter belongs to the folder that it was typed in.
  const isOther = !folders.of.startsWith(`${folder}\n`)
  patchFolders({ shown: folder, ...(isOther ? { filter: '', current: null } : {}) })
  if (folders.of === of && folders.entries.status === 'ready') return
  stopScan()
  listed.stop()
  const previous = folders.of.startsWith(`${folder}\n`) ? folders.entries : idle
  patchFolders({ of, entries: loading(previous), scan: { kind: 'never' } })
  await listed.once(entriesOf(folder), {
    answer: ({ entries, stale }) => {
      patchFolders({ entries: ready(entries), scan: settled(folder, entries) })
      if (stale || store.getState().folders.scan.kind === 'never') scanFolder()
    },
    failed: (failure) => patchFolders({ entries: failed(failure), scan: { kind: 'never' } }),
  })
}

function settled(folder: string, entries: ReadonlyMap<string, Entry>): Scan {
  const known = valueOf(store.getState().folders.list)?.find(({ path }) => path === folder)
  if (known?.scannedAt === null) return { kind: 'never' }
  const failedFiles = [...entries.values()].filter(({ state }) => state === 'failed').length
  return { kind: 'done', files: entries.size, failed: failedFiles, skipped: {} }
}

/** Another preset or comparison: the folder in view is looked up again. */
export function refreshFolder(): void {
  const { shown } = store.getState().folders
  if (shown !== null) void showFolder(shown)
}

/** Looks for new and changed files and replays them; rows change as they come. */
export function scanFolder(): void {
  const { folders, view } = store.getState()
  const { shown: folder, of } = folders
  if (folder === null) return
  stopScan()
  patchFolders({ scan: { kind: 'running', work: begun() } })
  scanning.subscribe(
    'library.scan',
    { folder, ...wireRuns(view) },
    {
      next: (message) => {
        const { scan } = store.getState().folders
        if (!isCurrent(of)) return
        if (message.kind === 'entries') changed.add(...message.entries)
        else if (message.kind === 'progress') {
          // Files are counted; the bytes of the same moment would be another phase, with another pace.
          if (scan.kind === 'running' && message.phase === 'scanning')
            patchFolders({ scan: { kind: 'running', work: further(scan.work, message) } })
        } else {
          const { files, failed: failedFiles, skipped, removed } = message
          dropEntries(removed)
          patchFolders({ scan: { kind: 'done', files, failed: failedFiles, skipped } })
          reconcile(folder, of)
        }
      },
      error: (error) => {
        if (isCurrent(of))
          patchFolders({ scan: { kind: 'failed', failure: failureOf(error, folder) } })
      },
      end: () => {
        changed.flush()
        void refreshFolders()
      },
    },
  )
}

/** Files that were listed and turned out to be no transcripts are gone from the index. */
function reconcile(folder: string, of: string): void {
  // If it fails, the rows reported by the scan stay.
  void listed.once(entriesOf(folder), {
    answer: ({ entries }) => {
      if (isCurrent(of) && !scanning.isRunning()) patchFolders({ entries: ready(entries) })
    },
  })
}

/** Rows received since the last render. A scan reports thousands, one by one. */
const changed = createGathered<Entry>((entries) => {
  const merged = new Map(valueOf(store.getState().folders.entries))
  for (const entry of entries) merged.set(entry.path, entry)
  patchFolders({ entries: ready(merged) })
})

function dropEntries(paths: readonly string[]): void {
  changed.flush()
  if (paths.length === 0) return
  const left = new Map(valueOf(store.getState().folders.entries))
  for (const path of paths) left.delete(path)
  patchFolders({ entries: ready(left) })
}

function stopScan(): void {
  scanning.stop()
  changed.drop()
}

/** The Cancel button: keeps the rows read so far, and the table says that it may be stale. */
export function cancelScan(): void {
  changed.flush()
  stopScan()
  patchFolders({ scan: { kind: 'stale' } })
}

const places = createQuery({
  place: foldersPlace('places'),
  keepWhenFailed: false,
})

/** [U8] Searches the usual places of tools, only on request. */
export function discover(): void {
  const question = call('library.discover', {}, { where: 'The usual places' })
  void places.ask(mapped(question, (found) => found.places))
}

/** A link leads to a folder, or away from it; one in view is not looked up again. */
export function goToFolder({ library }: Link, isStart: boolean): void {
  const { shown } = store.getState().folders
  if (library === null) {
    if (!isStart && shown !== null) closeFolder()
  } else if (isStart || library !== shown) void showFolder(library)
}
