import { FileDown } from 'lucide-react'
import { useEffect } from 'react'
import { pathForFile } from './api.ts'
import { act } from './tell.ts'
import { type HandedFile, droppedFiles } from './file-handles.ts'
import { openFile, openSource } from './open.ts'
import { openPaths, openTogether } from './open-together.ts'
import { pathsIn } from './pasted-paths.ts'
import { patchView } from './store.ts'
import { useApp } from './use-store.ts'

/** [I97] Opens chosen or dropped files: by path if the shell provides it, else by their bytes. */
export async function openChosen(files: readonly HandedFile[]): Promise<void> {
  const sources = files.map((handed) => {
    const path = pathForFile(handed.file)
    return path === null ? handed : ({ kind: 'path', path } as const)
  })
  const [only, ...others] = sources
  if (!only) return
  if (others.length > 0) await openTogether(sources)
  else if ('kind' in only) openSource(only)
  else await openFile(only)
}

/** [U12] Adds a dropped folder to the library, if the shell provides its path. */
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
  act('add-folder', path)
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false
}

/** [I87] [I97] Pasted paths open their files, unless it is pasted into a field. */
function openPasted(event: ClipboardEvent): void {
  const { target, clipboardData } = event
  const isField =
    target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null
  if (!isField) openPaths(pathsIn(clipboardData?.getData('text/plain') ?? ''))
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
      else if (file) void droppedFiles(event.dataTransfer).then(openChosen)
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
