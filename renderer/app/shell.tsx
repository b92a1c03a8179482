import { useEffect, useRef } from 'react'
import { FolderView } from '../features/library/folder-view.tsx'
import { Library } from '../features/library/library.tsx'
import { Pressable } from '../ui/button.tsx'
import { FileInput } from '../ui/form.tsx'
import { NoticeBanner } from './banners.tsx'
import { CopiedNote } from './copied-note.tsx'
import { Dialogs } from './dialogs.tsx'
import { DropTarget, openChosen } from './drop-target.tsx'
import { Header } from './header.tsx'
import { Nothing } from './stages.tsx'
import { StatusBar } from './status-bar.tsx'
import { patchView } from './store.ts'
import { useApp } from './use-store.ts'
import { Workbench } from './workbench.tsx'

/** The page once a host is connected: header, library, what is open, status. */
export function Shell({ fileInput }: { readonly fileInput: (input: HTMLInputElement) => void }) {
  const drawer = useApp((state) => state.view.drawer)
  const library = useApp((state) => state.view.library)
  const open = useApp(
    (state) =>
      state.document.opened.status === 'ready' && state.document.opened.value.sessions.length > 0,
  )
  const folder = useApp((state) => state.folders.shown)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) fileInput(input.current)
  }, [fileInput])
  return (
    <div
      className="shell column full-height"
      data-library={library ? 'shown' : 'hidden'}
      data-drawer={drawer ? 'open' : 'closed'}
    >
      <Header />
      <LostBanner />
      <NoticeBanner />
      <div className="fill flex relative">
        <Library />
        <Pressable
          className="drawer-scrim"
          aria-label="Close the library"
          tabIndex={-1}
          onClick={() => patchView({ drawer: false })}
        />
        <main className="grow">
          {folder !== null ? <FolderView path={folder} /> : open ? <Workbench /> : <Nothing />}
          <FileInput
            ref={input}
            tabIndex={-1}
            aria-label="Transcript file"
            accept=".jsonl,.json,.ndjson,.txt,.log,.md,.eval,.zip,.traj"
            onFile={(file) => void openChosen(file)}
          />
        </main>
      </div>
      <StatusBar />
      <Dialogs />
      <DropTarget />
      <CopiedNote />
    </div>
  )
}

function LostBanner() {
  const connection = useApp((state) => state.document.connection)
  if (connection.kind !== 'lost') return null
  return (
    <div className="banner banner-bad" role="alert">
      <span className="pulse" aria-hidden />
      <div className="grow">
        <strong>The host went away.</strong> What is on screen stays readable; trying again
        {connection.attempt > 1 ? ` (attempt ${connection.attempt})` : ''} …
      </div>
    </div>
  )
}
