import { ShieldAlert, ShieldCheck, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Boundary } from '../ui/boundary.tsx'
import { Button, IconButton, Pressable } from '../ui/button.tsx'
import { FileInput } from '../ui/form.tsx'
import { capital, counted } from '../ui/format.ts'
import { isPage } from './api.ts'
import { Announcer } from './announcer.tsx'
import { valueOf } from './async-data.ts'
import { NoticeBanner } from './banners.tsx'
import { copyAsItIs, forgetCopied } from './copy.ts'
import { DropTarget, openChosen } from './drop-target.tsx'
import { DIALOGS, SCREENS } from './features.ts'
import { Header } from './header.tsx'
import { Nothing } from './stages.tsx'
import { SkipLinks } from './skip-links.tsx'
import { Slot, isFilled } from './slot.tsx'
import { StatusBar } from './status-bar.tsx'
import { type Copied, patchView, type Present } from './store.ts'
import { useApp } from './use-store.ts'
import { Workbench } from './workbench.tsx'

const SHOWN_MS = 8000

/** [U10] Lists the redactions of a copied text, with a button to copy it unredacted. */
function CopiedNote() {
  const copied = useApp((state) => state.view.copied)
  useEffect(() => {
    if (!copied || copied.refused) return undefined
    const timer = setTimeout(forgetCopied, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  if (!copied) return null
  const Icon = copied.refused ? ShieldAlert : ShieldCheck
  return (
    <div className="copied floating row text-s nowrap gap-9" role="status">
      <Icon size={15} className={copied.refused ? 'warn' : 'good'} aria-hidden />
      <span>
        <CopiedWords copied={copied} />
      </span>
      {copied.asItIs !== true && (
        <Button kind="link" onClick={() => void copyAsItIs(copied.text)}>
          Copy as it is
        </Button>
      )}
      <IconButton icon={X} size={13} name="Dismiss" onClick={forgetCopied} />
    </div>
  )
}

function CopiedWords({ copied }: { readonly copied: Copied }) {
  const { what, redacted, refused, asItIs = false } = copied
  const isServed = useApp((state) => valueOf(state.document.info)?.mode === 'serve')
  if (asItIs)
    return refused ? (
      <>
        <strong>Not copied.</strong> The browser does not let this page write to the clipboard.
      </>
    ) : (
      <>
        <strong>{capital(what)} copied.</strong>
        {isServed && what === 'link' && ' It opens in any tab of this browser, and holds no key.'}
      </>
    )
  return refused ? (
    <>
      <strong>Not copied.</strong> The host could not look for secrets in this {what}.
    </>
  ) : (
    <>
      <strong>Copied.</strong> {counted(redacted, 'value')} redacted.
    </>
  )
}

function close(): void {
  patchView({ dialog: null })
}

/** The dialog that is open, if any. */
function Dialogs() {
  const open = useApp((state) => state.view.dialog)
  const Dialog = DIALOGS.find(([name]) => name === open)?.[1]
  if (!Dialog) return null
  return (
    <Boundary where={`Dialog ${open ?? ''}`} of={open} onClose={close}>
      <Dialog onClose={close} />
    </Boundary>
  )
}

/**
 * The screen shown in place of the session, with the path of its content. If several are requested, the last one wins.
 */
function useScreen() {
  const at = useApp((state) => SCREENS.findLastIndex(({ of }) => of(state) !== null))
  const path = useApp((state) => SCREENS[at]?.of(state) ?? null)
  return [SCREENS[at]?.Screen, path] as const
}

/** The page of a connected host: header, library, open session and status bar. */
export function Shell({ fileInput }: { readonly fileInput: (input: HTMLInputElement) => void }) {
  const drawer = useApp((state) => state.view.drawer)
  const library = useApp((state) => state.view.library)
  const open = useApp(
    (state) =>
      state.document.opened.status === 'ready' && state.document.opened.value.sessions.length > 0,
  )
  const present = useApp((state) => state.view.present)
  const [Screen, path] = useScreen()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) fileInput(input.current)
  }, [fileInput])
  if (present !== null && open && path === null && isFilled('Stage'))
    return <Stage present={present} />
  return (
    <div
      className="shell column full-height"
      data-library={library ? 'shown' : 'hidden'}
      data-drawer={drawer ? 'open' : 'closed'}
    >
      <SkipLinks />
      <Announcer />
      <Header />
      <LostBanner />
      <Slot name="TopNote" />
      <NoticeBanner />
      <div className="fill flex relative">
        <Boundary where="Library">
          <Slot name="Side" />
        </Boundary>
        <Pressable
          className="drawer-scrim"
          aria-label="Close the library"
          tabIndex={-1}
          onClick={() => patchView({ drawer: false })}
        />
        <main className="grow">
          <Boundary where="Main view" of={path}>
            {Screen && path !== null ? (
              <Screen key={path} path={path} />
            ) : open ? (
              <Workbench />
            ) : (
              <Nothing />
            )}
          </Boundary>
          <FileInput
            ref={input}
            tabIndex={-1}
            multiple
            aria-label="Transcript files"
            accept=".jsonl,.json,.ndjson,.txt,.log,.md,.eval,.zip,.traj,.html,.parquet"
            onFiles={(files) => void openChosen(files.map((file) => ({ file, handle: null })))}
          />
        </main>
      </div>
      <StatusBar />
      <Boundary where="Tour">
        <Slot name="Overlay" />
      </Boundary>
      <Dialogs />
      <DropTarget />
      <CopiedNote />
    </div>
  )
}

/** [U137] Presenter mode in place of the workbench. Dialogs that cover the window cover it too. */
function Stage({ present }: { readonly present: Present }) {
  return (
    <>
      <Announcer />
      <Boundary where="Presenter" onClose={() => patchView({ present: null })}>
        <Slot name="Stage" present={present} />
      </Boundary>
      <Boundary where="Tour">
        <Slot name="Overlay" />
      </Boundary>
      <Dialogs />
      <CopiedNote />
    </>
  )
}

function LostBanner() {
  const connection = useApp((state) => state.document.connection)
  if (connection.kind !== 'lost') return null
  return (
    <div className="banner banner-bad" role="alert">
      <span className="pulse" aria-hidden />
      <div className="grow">
        {isPage() ? (
          <strong>A pattern did not end, so the workbench was restarted.</strong>
        ) : (
          <strong>The host went away.</strong>
        )}{' '}
        What is on screen stays readable; trying again
        {connection.attempt > 1 ? ` (attempt ${connection.attempt})` : ''} …
      </div>
    </div>
  )
}
