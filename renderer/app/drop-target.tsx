import { FileDown } from 'lucide-react'
import { useEffect } from 'react'
import { pathForFile } from './api.ts'
import { addFolder } from '../features/library/folders.ts'
import { failureOf } from './host.ts'
import { openFile, openSource, pathIn } from './open.ts'
import { patchView } from './store.ts'
import { useApp } from './use-store.ts'
import { counted } from '../ui/format.ts'

/** Opens a file that was chosen or dropped: by its path where the shell can tell it, else by its bytes. */
export async function openChosen(file: File): Promise<void> {
  const path = pathForFile(file)
  if (path !== null) openSource({ kind: 'path', path })
  else await openFile(file)
}

/** [U12] Several files at once are a folder's matter: the first is opened, and it is said that the others are not. */
async function openFirst(files: readonly File[]): Promise<void> {
  const [first, ...others] = files
  if (!first) return
  await openChosen(first)
  if (others.length === 0) return
  const one = others.length === 1
  patchView({
    notice: {
      what: `${counted(others.length, 'other dropped file')} ${one ? 'was' : 'were'} not opened`,
      where: first.name,
      do: 'To see many transcripts, add their folder to the library, with a.',
    },
  })
}

/** [U12] A dropped folder joins the library, where the shell can tell its path. */
function addDropped(folder: File): void {
  const path = pathForFile(folder)
  if (path === null) {
    patchView({
      notice: {
        what: 'a browser does not tell where a dropped folder is, and it is not copied',
        where: folder.name,
        do: 'Add it by its path, with a: it is then read where it is, and followed.',
      },
    })
    return
  }
  addFolder(path).catch((error: unknown) => patchView({ notice: failureOf(error, path) }))
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false
}

/** [I87] A pasted path opens its file, unless it is pasted into a field. */
function openPasted(event: ClipboardEvent): void {
  const { target, clipboardData } = event
  const isField =
    target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null
  const path = isField ? null : pathIn(clipboardData?.getData('text/plain') ?? '')
  if (path !== null) openSource({ kind: 'path', path })
}

/** The whole window takes files; while one hovers, it says so. */
export function DropTarget() {
  const dropping = useApp((state) => state.view.dropping)
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      patchView({ dropping: true })
    }
    const leave = (event: DragEvent) => {
      // Leaving the window, not one element for another.
      if (event.relatedTarget === null) patchView({ dropping: false })
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      patchView({ dropping: false })
      const file = event.dataTransfer?.files[0]
      const entry = event.dataTransfer?.items[0]?.webkitGetAsEntry()
      if (file && entry?.isDirectory) addDropped(file)
      else if (file) void openFirst([...event.dataTransfer.files])
    }
    const controller = new AbortController()
    const { signal } = controller
    window.addEventListener('dragover', over, { signal })
    window.addEventListener('dragleave', leave, { signal })
    window.addEventListener('drop', drop, { signal })
    window.addEventListener('paste', openPasted, { signal })
    return () => controller.abort()
  }, [])
  if (!dropping) return null
  return (
    <div className="drop-overlay pad-16" role="status">
      <div className="drop-box stack dim">
        <FileDown size={34} aria-hidden />
        <strong>Drop to open</strong>
        <span>The transcript is read on this machine and nowhere else.</span>
      </div>
    </div>
  )
}
