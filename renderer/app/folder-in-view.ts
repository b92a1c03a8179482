import { valueOf } from './async-data.ts'
import type { Folder } from './folders-state.ts'
import { emptyLink, runLink } from './link.ts'
import { openSource } from './open.ts'
import { startSession } from './replay.ts'
import { selectSeq } from './select.ts'
import { patchFolders, store } from './store.ts'

/** Returns to the session, or to the first page. A running scan continues. */
export function closeFolder(): void {
  patchFolders({ shown: null })
}

/** Opens a file of the folder at an event, with the presets in force; the search stays beside it. */
export function openInFolder(path: string, session: number, event: number | null): void {
  const { document, session: now, view } = store.getState()
  const find = view.folderFind?.query ?? null
  const link = {
    ...emptyLink,
    ...runLink(view),
    source: { kind: 'path' as const, path },
    session,
    event,
    find: event === null ? null : find,
    scope: 'folder' as const,
  }
  const isOpen = document.source?.kind === 'path' && document.source.path === path
  if (!isOpen || !valueOf(document.opened)) {
    openSource(link.source, link)
    return
  }
  closeFolder()
  if (now.index !== session) startSession(session, link)
  else if (event !== null) selectSeq(event)
}

/** The folder that holds a file: the deepest one of the library, else null. */
export function folderOf(path: string, folders: readonly Folder[]): Folder | null {
  const holding = folders.filter(
    (folder) => path.startsWith(`${folder.path}/`) || path.startsWith(`${folder.path}\\`),
  )
  return holding.toSorted((a, b) => b.path.length - a.path.length)[0] ?? null
}
