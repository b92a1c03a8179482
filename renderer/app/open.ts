import type { Opened, OpenSource } from '../../core/wire/contract.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'
import { emptyLink, type Link } from './link.ts'
import {
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
import { createTask } from './task.ts'
import {
  type RunChoice,
  type ShownSource,
  emptySession,
  patchDocument,
  patchFolders,
  patchView,
  store,
  documentPlace,
} from './store.ts'

const CHUNK_BYTES = 1024 * 1024

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

/**
 * Opens a transcript and replays the session that `link` names. A sample brings the preset, the
 * comparison and the profile it is best seen with, unless the link says otherwise.
 */
export function openSource(source: ShownSource, link: Link = emptyLink): void {
  if (source.kind === 'upload' && source.upload === null) {
    patchDocument({ source, opened: failed(goneUpload(source.name)) })
    return
  }
  leave()
  const { run, compare } = chooseRun(source, link)
  patchView({ run, compare, notice: null, drawer: false })
  patchFolders({ shown: null })
  patchDocument({ source, opened: loading() })
  const request: OpenSource =
    source.kind === 'upload' ? { kind: 'upload', upload: source.upload ?? '' } : source
  opening.subscribe(
    'session.open',
    { source: request },
    {
      next: (message) => {
        if (message.kind === 'progress') onProgress(message)
        else if (message.kind === 'grown') onGrown(message)
        else onOpened(message, link)
      },
      error: (error) => {
        const failure = failureOf(error, sourceName(source))
        // What was read before the fault stays on screen.
        if (valueOf(store.getState().document.opened)) patchView({ notice: failure })
        else patchDocument({ opened: failed(failure) })
        patchDocument({ growth: null })
      },
      end: () => patchDocument({ growth: null }),
    },
  )
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
  if (message.sessions.length > 0) startSession(index, link)
  void refreshLibrary()
}

/** Stops reading the rest; what was read stays on screen. */
export function cancelGrowth(): void {
  opening.stop()
  patchDocument({ growth: null })
}

function goneUpload(name: string) {
  return {
    what: 'A dropped file is not kept after the window is closed or reloaded',
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

function chooseRun(source: ShownSource, link: Link): { run: RunChoice; compare: RunChoice | null } {
  const { document, view } = store.getState()
  const info = valueOf(document.info)
  if (!info) return { run: view.run, compare: null }
  const samples = valueOf(document.library)?.samples ?? []
  // A link says all there is to say: what it leaves out is off, not as the sample would have it.
  const explicit = link.source !== null
  const sample = samples.find((entry) => source.kind === 'sample' && entry.id === source.id)
  const advice = explicit ? undefined : sample
  const run: RunChoice = {
    preset: known(info.presets, link.preset, sample?.preset) ?? view.run.preset,
    domains: known(info.domainFiles, link.domains) ?? view.run.domains,
    // [F60] A name that does not exist stays, so that it can be said.
    profile: link.profile ?? advice?.profile ?? null,
  }
  const compare = known(info.presets, link.compare, advice?.compare)
  return { run, compare: compare === null ? null : { ...run, preset: compare } }
}

/** Stops an opening under way; what was open before is gone, the library stays. */
export function cancelOpen(): void {
  opening.stop()
  patchDocument({ source: null, opened: idle })
}

function leave(): void {
  opening.stop()
  stopFollow()
  stopReplay()
  const opened = valueOf(store.getState().document.opened)
  if (opened)
    host()
      .call('session.close', { key: opened.key })
      .catch(() => undefined)
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
  leave()
  const source: ShownSource = { kind: 'upload', name: file.name, upload: null }
  const { signal } = opening.begin()
  patchDocument({ source, opened: loading() })
  try {
    const { upload } = await host().call('upload.begin', { name: file.name, bytes: file.size })
    for (let start = 0; start < file.size; start += CHUNK_BYTES) {
      const chunk = new Uint8Array(await file.slice(start, start + CHUNK_BYTES).arrayBuffer())
      // Cancel works between chunks.
      if (signal.aborted) return
      await host().call('upload.chunk', { upload, data: base64(chunk) })
      const done = Math.min(start + CHUNK_BYTES, file.size)
      patchDocument({
        opened: advanced(store.getState().document.opened, {
          kind: 'progress',
          phase: 'reading',
          done,
          total: file.size,
        }),
      })
    }
    openSource({ ...source, upload })
  } catch (error) {
    patchDocument({ opened: failed(failureOf(error, file.name)) })
  }
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  // Arguments of one call are limited, so the bytes go in slices.
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}

/** The native dialog where the host has one. */
export async function openDialog(): Promise<void> {
  try {
    const { path } = await host().call('dialog.open', {})
    if (path !== null) openSource({ kind: 'path', path })
  } catch (error) {
    patchView({ notice: failureOf(error, 'File dialog') })
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
