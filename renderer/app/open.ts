import type { Opened, OpenSource } from '../../core/wire/contract.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'
import { compareOf } from './compared.ts'
import { emptyLink, type Link } from './link.ts'
import { counted } from '../ui/format.ts'
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
import { stopFollow } from '../features/follow/follow.ts'
import { onGrown } from './grow.ts'
import { failureOf, host } from './host.ts'
import { createQuery } from './query.ts'
import { call } from './question.ts'
import { startSession, stopReplay } from './replay.ts'
import { sendFile } from './send-file.ts'
import { createTask } from './task.ts'
import {
  type RunChoice,
  type ViewState,
  type OfferedFile,
  type ShownSource,
  emptySession,
  patchDocument,
  patchFolders,
  patchView,
  store,
  documentPlace,
} from './store.ts'

/** Opening a file, and reading the rest of it. */
const opening = createTask()

/** Name of a source as people know it. */
export function sourceName(source: ShownSource): string {
  if (source.kind === 'sample') {
    const samples = valueOf(store.getState().document.library)?.samples
    return samples?.find((sample) => sample.id === source.id)?.title ?? source.id
  }
  if (source.kind === 'upload') return source.name
  return source.path.split(/[\\/]/u).at(-1) ?? source.path
}

/** Whether a session is on screen, which a file that cannot be opened must not close. */
function hasSession(): boolean {
  return store.getState().document.opened.status === 'ready'
}

/** [I85] What was open stays on screen until the other file can be shown; without one, the wait is shown. */
function beginOpening(source: ShownSource): void {
  patchView({ notice: null, drawer: false })
  if (hasSession()) {
    opening.stop()
    patchDocument({ pending: sourceName(source), growth: begun() })
    return
  }
  leave()
  patchFolders({ shown: null })
  patchDocument({ source, opened: loading() })
}

/** The other file is there: only now the one before is given back. */
function exchange(source: ShownSource): void {
  letGo()
  patchFolders({ shown: null })
  patchDocument({ source, opened: loading(), pending: null })
}

/**
 * Opens a transcript and replays the session that `link` names. A sample brings the preset, the
 * comparison and the profile it is best seen with, unless the link says otherwise.
 */
export function openSource(source: ShownSource, link: Link = emptyLink): void {
  if (source.kind === 'upload' && source.upload === null) {
    failedToOpen(source, goneUpload(source.name))
    return
  }
  beginOpening(source)
  const request: OpenSource =
    source.kind === 'upload' ? { kind: 'upload', upload: source.upload ?? '' } : source
  opening.subscribe(
    'session.open',
    { source: request },
    {
      next: (message) => {
        if (message.kind === 'progress') onProgress(message)
        else if (message.kind === 'grown') onGrown(message)
        else {
          if (store.getState().document.pending !== null) exchange(source)
          patchView(chooseRun(source, link))
          onOpened(message, link)
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

/** What is on screen stays there, with a notice; the failure takes the place of nothing else. */
function failedToOpen(source: ShownSource, failure: Failure): void {
  if (hasSession()) patchView({ notice: failure })
  else patchDocument({ source, opened: failed(failure) })
  patchDocument({ growth: null, pending: null })
  const { files } = store.getState().document
  if (files.some((file) => isSameSource(file.source, source))) tryNext(source, failure)
}

/** [I97] Of files that were chosen together the next one is tried, until one of them is on screen. */
function tryNext(source: ShownSource, failure: Failure): void {
  const { files: before, source: shown } = store.getState().document
  const files = before.map((file) =>
    isSameSource(file.source, source) ? { ...file, failure } : file,
  )
  patchDocument({ files })
  const isShown = files.some((file) => file.failure === null && isSameSource(file.source, shown))
  const next = isShown ? undefined : files.find((file) => file.failure === null)
  if (next) openSource(next.source)
  const failures = files.flatMap((file) => (file.failure === null ? [] : [file]))
  // Opening a source takes older notices away.
  if (hasSession() || next)
    patchView({ notice: failures.length > 1 ? together(failures) : failure })
}

/** [I84] Each by its own name. */
function together(failures: readonly OfferedFile[]): Failure {
  return {
    what: `${counted(failures.length, 'file')} could not be opened`,
    where: failures.map(({ source }) => sourceName(source)).join(', '),
    do: 'Choose one of them in the list of files to see why.',
  }
}

function isSameSource(a: ShownSource, b: ShownSource | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function onProgress(message: Progress): void {
  const { opened, growth } = store.getState().document
  if (growth) patchDocument({ growth: further(growth, message) })
  else patchDocument({ opened: advanced(opened, message) })
}

/** [U1] The first turns are shown at once, while the rest is still being read. */
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
  const index = message.sessions[link.session] ? link.session : 0
  const first = link.source === null && message.path !== null ? largestOf(message.sessions) : index
  if (message.sessions.length > 0) startSession(first, link)
  void refreshLibrary()
}

/** [I85] Of several sessions the one with most events; samples and links say themselves which. */
function largestOf(sessions: Immutable<Opened>['sessions']): number {
  const most = Math.max(...sessions.map((session) => session.events))
  return Math.max(
    0,
    sessions.findIndex((session) => session.events === most),
  )
}

/** Stops reading the rest, or another file; what was read stays on screen. */
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

/** The first of the names that the list has. */
export function known(
  list: ReadonlyArray<{ readonly name: string }>,
  ...names: ReadonlyArray<string | null | undefined>
) {
  return names.find((name) => list.some((entry) => entry.name === name)) ?? null
}

function sampleOf(source: ShownSource) {
  const samples = valueOf(store.getState().document.library)?.samples ?? []
  return samples.find((entry) => source.kind === 'sample' && entry.id === source.id)
}

function chooseRun(source: ShownSource, link: Link): Pick<ViewState, 'run' | 'compare'> {
  const { document, view } = store.getState()
  const info = valueOf(document.info)
  if (!info) return { run: view.run, compare: null }
  const sample = sampleOf(source)
  // A link says all there is to say: what it leaves out is off, not as the sample would have it.
  const advice = link.source === null ? sample : undefined
  const run: RunChoice = {
    preset: known(info.presets, link.preset, sample?.preset) ?? view.run.preset,
    domains: known(info.domainFiles, link.domains) ?? view.run.domains,
    // [F60] A name that does not exist stays, so that it can be said.
    profile: link.profile ?? advice?.profile ?? null,
  }
  const value = link.compare ?? advice?.compare ?? null
  return { run, compare: value === null ? null : compareOf(value, run, info) }
}

/** Stops an opening under way; what was open before is gone, the library stays. */
export function cancelOpen(): void {
  opening.stop()
  patchDocument({ source: null, opened: idle })
}

function leave(): void {
  opening.stop()
  letGo()
  patchDocument({ pending: null })
}

/** Gives back what is open. */
function letGo(): void {
  stopFollow()
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
export async function openFile(file: File): Promise<void> {
  const source: ShownSource = { kind: 'upload', name: file.name, upload: null }
  beginOpening(source)
  const { signal } = opening.begin()
  try {
    const upload = await sendFile(file, (done) => {
      // Cancel works between chunks.
      if (signal.aborted) return false
      onProgress({ kind: 'progress', phase: 'reading', done, total: file.size })
      return true
    })
    if (upload !== null) openSource({ ...source, upload })
  } catch (error) {
    failedToOpen(source, failureOf(error, file.name))
  }
}

const library = createQuery({ place: documentPlace('library') })

export function refreshLibrary(): Promise<void> {
  return library.ask(call('library.list', {}, { where: 'Library' }))
}

export async function forgetRecent(path: string): Promise<void> {
  await host().call('library.forget', { path })
  await refreshLibrary()
}
