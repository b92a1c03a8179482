import { begun, failed, further, idle, loading, ready, valueOf } from '../../app/async-data.ts'
import type { Entry, Folder, Scan } from './folders-state.ts'
import { failureOf, host, wasCancelled } from '../../app/host.ts'
import { patchFolders, patchView, runKey, store } from '../../app/store.ts'
import { wireConfigs } from '../../app/wire.ts'

let cancel: (() => void) | null = null

/** Which folders the library has. */
export async function refreshFolders(): Promise<void> {
  try {
    const { folders } = await host().call('library.folders', {})
    patchFolders({ list: ready(folders) })
  } catch (error) {
    patchFolders({ list: failed(failureOf(error, 'Folders'), store.getState().folders.list) })
  }
}

/** Adds a folder and shows it. Rejects with the host's refusal, for the form to say. */
export async function addFolder(path: string): Promise<void> {
  const folder = await host().call('library.addFolder', { path })
  await refreshFolders()
  await showFolder(folder.path)
}

/** The native dialog for folders; null when cancelled. Rejects with the host's refusal. */
export async function chooseFolder(): Promise<string | null> {
  const { path } = await host().call('dialog.folder', {})
  return path
}

/** Takes a folder off the library; its files stay where they are. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await host().call('library.removeFolder', { path })
    if (store.getState().folders.shown === path) closeFolder()
    await refreshFolders()
  } catch (error) {
    patchView({ notice: failureOf(error, path) })
  }
}

/** What `entries` are of: another folder or configuration has other ones. */
function subject(folder: string): string {
  const { run, compare } = store.getState().view
  return `${folder}\n${runKey(run)}\n${compare ? runKey(compare) : ''}`
}

function isCurrent(of: string): boolean {
  return store.getState().folders.of === of
}

/** [U7] Shows a folder over the session: what the index knows at once, then what changed since. */
export async function showFolder(folder: string): Promise<void> {
  const of = subject(folder)
  const { folders } = store.getState()
  patchView({ drawer: false })
  patchFolders({ shown: folder })
  if (folders.of === of && folders.entries.status === 'ready') return
  stopScan()
  const previous = folders.of.startsWith(`${folder}\n`) ? folders.entries : idle
  patchFolders({ of, entries: loading(previous), scan: { kind: 'never' } })
  try {
    const answer = await host().call('library.entries', {
      folder,
      ...wireConfigs(store.getState().view),
    })
    if (!isCurrent(of)) return
    const entries = new Map(answer.entries.map((entry) => [entry.path, entry]))
    patchFolders({ entries: ready(entries), scan: settled(folder, entries) })
    if (answer.stale || store.getState().folders.scan.kind === 'never') scanFolder()
  } catch (error) {
    if (!isCurrent(of)) return
    patchFolders({ entries: failed(failureOf(error, folder)), scan: { kind: 'never' } })
  }
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
  cancel = host().subscribe(
    'library.scan',
    { folder, ...wireConfigs(view) },
    {
      next: (message) => {
        const { scan } = store.getState().folders
        if (!isCurrent(of)) return
        if (message.kind === 'entries') mergeEntries(message.entries)
        else if (message.kind === 'progress') {
          // Files are counted; the bytes of the same moment would be another phase, with another pace.
          if (scan.kind === 'running' && message.phase === 'scanning')
            patchFolders({ scan: { kind: 'running', work: further(scan.work, message) } })
        } else {
          const { files, failed: failedFiles, skipped, removed } = message
          dropEntries(removed)
          patchFolders({ scan: { kind: 'done', files, failed: failedFiles, skipped } })
          void reconcile(folder, of)
        }
      },
      error: (error) => {
        cancel = null
        if (isCurrent(of))
          patchFolders({ scan: { kind: 'failed', failure: failureOf(error, folder) } })
      },
      end: () => {
        cancel = null
        flush()
        void refreshFolders()
      },
    },
  )
}

/** Files that were listed and turned out to be no transcripts are gone from the index. */
async function reconcile(folder: string, of: string): Promise<void> {
  try {
    const answer = await host().call('library.entries', {
      folder,
      ...wireConfigs(store.getState().view),
    })
    if (isCurrent(of) && cancel === null)
      patchFolders({ entries: ready(new Map(answer.entries.map((entry) => [entry.path, entry]))) })
  } catch {
    // The rows that the scan told stay.
  }
}

/** Rows that came since the table was drawn last: a scan tells thousands, one by one. */
let waiting: Entry[] = []
let timer: ReturnType<typeof setTimeout> | undefined
const DRAW_MS = 120

function mergeEntries(entries: readonly Entry[]): void {
  waiting.push(...entries)
  timer ??= setTimeout(flush, DRAW_MS)
}

function flush(): void {
  clearTimeout(timer)
  timer = undefined
  if (waiting.length === 0) return
  const merged = new Map(valueOf(store.getState().folders.entries))
  for (const entry of waiting) merged.set(entry.path, entry)
  waiting = []
  patchFolders({ entries: ready(merged) })
}

function dropEntries(paths: readonly string[]): void {
  flush()
  if (paths.length === 0) return
  const left = new Map(valueOf(store.getState().folders.entries))
  for (const path of paths) left.delete(path)
  patchFolders({ entries: ready(left) })
}

function stopScan(): void {
  cancel?.()
  cancel = null
  clearTimeout(timer)
  timer = undefined
  waiting = []
}

/** The Cancel button: what was read stays, and the table says that it may be old. */
export function cancelScan(): void {
  flush()
  stopScan()
  patchFolders({ scan: { kind: 'stale' } })
}

/** Back to the session, or to the first page. A scan goes on. */
export function closeFolder(): void {
  patchFolders({ shown: null })
}

/** [U8] Looks in the usual places of tools; only when somebody asks. */
export async function discover(): Promise<void> {
  patchFolders({ places: loading() })
  try {
    const { places } = await host().call('library.discover', {})
    patchFolders({ places: ready(places) })
  } catch (error) {
    if (!wasCancelled(error)) patchFolders({ places: failed(failureOf(error, 'The usual places')) })
  }
}

/** The folder that holds a file: the deepest one of the library, else null. */
export function folderOf(path: string, folders: readonly Folder[]): Folder | null {
  const holding = folders.filter(
    (folder) => path.startsWith(`${folder.path}/`) || path.startsWith(`${folder.path}\\`),
  )
  return holding.toSorted((a, b) => b.path.length - a.path.length)[0] ?? null
}
