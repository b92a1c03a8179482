import type { Opened, OpenSource } from '../../core/wire/contract.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'
import { emptyLink, type Link } from './link.ts'
import {
  type Failure,
  type Progress,
  advanced,
  begun,
  failed,
  further,
  idle,
  loading,
  ready,
  valueOf,
} from './async-data.ts'
import { tell } from './tell.ts'
import { onGrown } from './grow.ts'
import { failureOf, host } from './host.ts'
import { startSession, stopReplay } from './replay.ts'
import { askForFile, isHeld, refreshed, sendHanded } from './handed-files.ts'
import type { HandedFile } from './file-handles.ts'
import { afterFailure } from './offered-files.ts'
import { awaitSession, sayNoSession, showAwaitedSession } from './awaited-session.ts'
import { refreshLibrary } from './recent-files.ts'
import { sourceName } from './source-name.ts'
import { checkContent } from './linked-content.ts'
import { runOf, unknownIn } from './run-of-link.ts'
import { createTask } from './task.ts'
import { indexOfSession, largestOf } from './which-session.ts'
import {
  type ShownSource,
  emptySession,
  patchDocument,
  patchFolders,
  patchView,
  store,
} from './store.ts'

/** Opens a file and reads the rest of it. */
const opening = createTask()

/** Whether a session is on screen, which a file that cannot be opened must not close. */
function hasSession(): boolean {
  return store.getState().document.opened.status === 'ready'
}

/**
 * [I85] The open session stays on screen until the new file can be shown. If no session is open, the progress is shown.
 */
function beginOpening(source: ShownSource): void {
  patchView({ drawer: false })
  if (hasSession()) {
    opening.stop()
    patchDocument({ pending: source, growth: begun() })
    return
  }
  leave()
  // [U70] Sets the new source first and clears the old view afterwards. In the reverse order the history would record
  // the empty window as a place.
  patchDocument({ source, opened: loading() })
  patchFolders({ shown: null })
  patchView({ results: null })
}

/** The other file is there: only now the one before is given back. */
function exchange(source: ShownSource): void {
  letGo()
  patchFolders({ shown: null })
  patchView({ results: null })
  patchDocument({ source, opened: loading(), pending: null })
}

/** The link opened last, for a retry. */
let asked: Link = emptyLink
/**
 * Opens a transcript and replays the session that `link` names. A sample brings the preset, the
 * comparison and the profile it is best seen with, unless the link says otherwise.
 */
export function openSource(source: ShownSource, link: Link = emptyLink): void {
  patchView({ notice: null })
  open(source, link)
}

/** [I99] Opens the file again at the same place. For a chosen or dropped file the browser may prompt for permission. */
export async function tryAgain(): Promise<void> {
  const { source } = store.getState().document
  if (source === null) return
  const link = asked
  if (source.kind === 'upload' && isHeld(store.getState(), source)) {
    const isAllowed = await askForFile(source.upload ?? '').catch(() => false)
    if (!isAllowed) return
  }
  openSource(source, link)
}

function open(source: ShownSource, link: Link): void {
  asked = link
  if (source.kind === 'upload' && source.upload === null) {
    failedToOpen(source, goneUpload(source.name))
    return
  }
  beginOpening(source)
  if (source.kind === 'upload') void openRefreshed(source, link)
  else if (source.kind === 'sample' && !isDescribed()) void openDescribed(source, link)
  else read(source, source, link)
}

const isDescribed = () => store.getState().document.info.status !== 'idle'

/** [U202] The other side of a sample's comparison is known only from the host's description. */
async function openDescribed(
  source: Extract<ShownSource, { kind: 'sample' }>,
  link: Link,
): Promise<void> {
  const { signal } = opening.begin()
  await new Promise<void>((resolve) => {
    const stop = store.subscribe(() => {
      if (!isDescribed()) return
      stop()
      resolve()
    })
  })
  if (!signal.aborted) read(source, source, link)
}

async function openRefreshed(
  source: Extract<ShownSource, { kind: 'upload' }>,
  link: Link,
): Promise<void> {
  const { signal } = opening.begin()
  const fresh = await refreshed(source)
  if (!signal.aborted)
    read(fresh, { kind: 'upload', upload: fresh.upload ?? '', map: source.map }, link)
}

/** [U224] Reports how a link differs from this workspace, once the host has sent its description. */
function checkLink(link: Link): void {
  checkContent(link)
  const look = (): boolean => {
    const { document, view } = store.getState()
    if (document.info.status === 'idle' || document.info.status === 'loading') return false
    const info = valueOf(document.info)
    const notice = info && unknownIn(link, view.run, info)
    if (notice) queueMicrotask(() => patchView({ notice }))
    return true
  }
  if (look()) return
  const stop = store.subscribe(() => {
    if (look()) stop()
  })
}

function read(source: ShownSource, request: OpenSource, link: Link): void {
  opening.subscribe(
    'session.open',
    { source: request },
    {
      next: (message) => {
        if (message.kind === 'progress') onProgress(message)
        else if (message.kind === 'grown') {
          onGrown(message)
          showAwaitedSession(link, message.complete)
        } else if (message.kind === 'results') onResults(message.path)
        else {
          if (store.getState().document.pending !== null) exchange(source)
          else patchDocument({ source })
          patchView(runOf(source, link))
          onOpened(message, link)
          checkLink(link)
        }
      },
      error: (error) => {
        const failure = failureOf(error, sourceName(source))
        failedToOpen(source, failure)
      },
      end: () => patchDocument({ growth: null }),
    },
  )
}

/** Keeps the view and shows a notice. The failure replaces the view only if nothing is open. */
function failedToOpen(source: ShownSource, failure: Failure): void {
  patchDocument({ refused: { source, failure } })
  if (hasSession()) patchView({ notice: failure })
  else patchDocument({ source, opened: failed(failure) })
  patchDocument({ growth: null, pending: null })
  const after = afterFailure(source, failure)
  if (after === null) return
  // The notice stays when the next file is opened, because the operator has not read it yet.
  patchView({ notice: after.notice })
  if (after.next !== null) openOffered(after.next)
}

/** [I97] Opens one of several files automatically. The messages about the others stay. */
export function openOffered(source: ShownSource): void {
  open(source, emptyLink)
}

function onProgress(message: Progress): void {
  const { opened, growth } = store.getState().document
  if (growth) patchDocument({ growth: further(growth, message) })
  else patchDocument({ opened: advanced(opened, message) })
}

/** [U1] Shows the first turns immediately, while the rest is still being read. */
function onOpened(message: Immutable<Opened>, link: Link): void {
  const { opened } = store.getState().document
  const work = opened.status === 'loading' ? opened : begun()
  const { progress, since, at, rate } = work
  patchDocument({
    opened: ready(message),
    problems: idle,
    generation: 0,
    growth: message.complete ? null : { progress, since, at, rate },
  })
  const isFree = link.source === null && link.id === null && message.path !== null
  const wanted = link.id ?? link.session
  const index = isFree ? largestOf(message.sessions) : indexOfSession(message.sessions, wanted)
  // A link without a source or id does not come from the operator. The session it names may be created later, so a
  // missing one is not reported.
  const isAsked = link.source !== null || link.id !== null
  awaitSession(index < 0 && isAsked ? wanted : null)
  if (message.sessions.length > 0) startSession(Math.max(0, index), link)
  if (message.complete) sayNoSession()
  void refreshLibrary()
}

/** [F141] The path is a results folder. The open session stays open behind it. */
function onResults(path: string): void {
  patchDocument({ pending: null, growth: null })
  if (!hasSession()) patchDocument({ source: null, opened: idle })
  patchView({ results: path })
  void refreshLibrary()
}

/** Stops reading the rest of the file, or another file. Content already read stays on screen. */
export function cancelGrowth(): void {
  opening.stop()
  patchDocument({ growth: null, pending: null })
}

function goneUpload(name: string) {
  return {
    what: 'This link does not say where the bytes of the dropped file are',
    where: name,
    do: 'Drop the file here again, or open it with o.',
  }
}

/** Stops the current opening. The previously open session is gone; the library stays. */
export function cancelOpen(): void {
  opening.stop()
  patchDocument({ source: null, opened: idle })
}

function leave(): void {
  opening.stop()
  letGo()
  patchDocument({ pending: null })
}

/** Releases the open session. */
function letGo(): void {
  tell('onLeave')
  stopReplay()
  const opened = valueOf(store.getState().document.opened)
  if (opened)
    host()
      .call('session.close', { key: opened.key })
      .catch(() => undefined)
  // [U70] `pending` stays until another file is there: without it the history would take the old one for settled.
  patchDocument({ growth: null, generation: 0 })
  store.setState({ session: emptySession })
  patchView({ selected: null, find: null, domain: null, signal: null, show: 'all' })
}

/** Back to the empty state. */
export function closeDocument(): void {
  leave()
  patchDocument({ source: null, opened: idle, problems: idle })
}

/** Sends a file's bytes to the host in chunks and opens it. */
export async function openFile(handed: HandedFile): Promise<void> {
  const { file } = handed
  const source: ShownSource = { kind: 'upload', name: file.name, upload: null }
  patchView({ notice: null })
  beginOpening(source)
  const { signal } = opening.begin()
  try {
    const upload = await sendHanded(handed, (done) => {
      // Cancel works between chunks.
      if (signal.aborted) return false
      onProgress({ kind: 'progress', phase: 'reading', done, total: file.size })
      return true
    })
    if (upload !== null && !signal.aborted) openSource({ ...source, upload })
  } catch (error) {
    if (!signal.aborted) failedToOpen(source, failureOf(error, file.name))
  }
}
