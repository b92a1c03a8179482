import { RpcError } from '../../core/wire/rpc.ts'
import { type FileHandle, type HandedFile, mayRead } from './file-handles.ts'
import { host } from './host.ts'
import { type KeptHandle, type Sent, findHandle, keepHandles } from './kept-handles.ts'
import { sendBytes, sendFile } from './send-file.ts'
import { patchDocument, type ShownSource, type State, store } from './store.ts'

type Upload = Extract<ShownSource, { kind: 'upload' }>

/**
 * Bytes at the end of the sent content that are compared again, to distinguish a file that grew from a different file.
 */
const END_BYTES = 4096
/** Interval between checks of a file that is followed, in milliseconds. */
const LOOK_MS = 500

/** [I99] Whether this browser can read the file of an upload again. */
export function isHeld({ document }: State, source = document.source): boolean {
  return source?.kind === 'upload' && source.upload !== null && document.held.has(source.upload)
}

function hold(...uploads: readonly string[]): void {
  const { held } = store.getState().document
  patchDocument({ held: new Set([...held, ...uploads]) })
}

/** Sends a file that was chosen or dropped, and keeps its handle; null = `goesOn` said no. */
export async function sendHanded(
  { file, handle }: HandedFile,
  goesOn: (done: number) => boolean,
): Promise<string | null> {
  const upload = await sendFile(file, goesOn)
  if (upload === null || handle === null) return upload
  await keep({ upload, current: upload, handle, sent: await sentOf(file), at: Date.now() })
  hold(upload)
  return upload
}

async function keep(kept: KeptHandle): Promise<void> {
  const own = { ...kept, upload: kept.current }
  await (kept.current === kept.upload ? keepHandles(own) : keepHandles(kept, own))
}

async function sentOf(file: File, bytes = file.size): Promise<Sent> {
  return { bytes, modified: file.lastModified, end: await endOf(file, bytes) }
}

/** Of the bytes before `to`. */
async function endOf(file: File, to: number): Promise<string> {
  const bytes = await file.slice(Math.max(0, to - END_BYTES), to).arrayBuffer()
  const hash = await crypto.subtle.digest('SHA-256', bytes)
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Offset from which to send the rest of the file; 0 if it is a different file. */
async function goesOnAt(file: File, sent: Sent): Promise<number> {
  if (file.size < sent.bytes) return 0
  if (file.size === sent.bytes) return file.lastModified === sent.modified ? sent.bytes : 0
  return (await endOf(file, sent.bytes)) === sent.end ? sent.bytes : 0
}

/** The upload of a file that the host may not have any more: then it is another one. */
async function renew(current: string, file: File, from: number) {
  try {
    const renewed = await host().call('upload.renew', { upload: current, bytes: file.size, from })
    return { upload: current, from: renewed.from }
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== 'REFUSED') throw error
    const { upload } = await host().call('upload.begin', { name: file.name, bytes: file.size })
    return { upload, from: 0 }
  }
}

/** Sends the host the file's current contents. The record of the bytes sent is kept if the file changes meanwhile. */
async function sendAgain(kept: KeptHandle): Promise<KeptHandle> {
  const file = await kept.handle.getFile()
  const { upload, from } = await renew(kept.current, file, await goesOnAt(file, kept.sent))
  let done = from
  const goesOn = (now: number) => {
    done = now
    return true
  }
  const now = { ...kept, current: upload, at: Date.now() }
  let stored: string
  try {
    stored = (await sendBytes(file, { upload, from, goesOn })) ?? upload
  } catch (error) {
    // It is written to at this moment: the next look takes it up from there.
    const newer = await kept.handle.getFile().catch(() => null)
    if (newer) await keep({ ...now, sent: { ...(await sentOf(newer, done)), modified: 0 } })
    throw error
  }
  const newest = { ...now, current: stored, sent: await sentOf(file) }
  await keep(newest)
  return newest
}

/**
 * [I99] Returns the upload to open for the one that a link names. It has the file's current contents if the browser
 * allows reading without a prompt. Else it is the upload as the host has it.
 */
export async function refreshed(source: Upload): Promise<Upload> {
  const kept = source.upload === null ? null : await findHandle(source.upload)
  if (!kept) return source
  hold(kept.upload)
  try {
    if (!(await mayRead(kept.handle, false))) return { ...source, upload: kept.current }
    const { current } = await sendAgain(kept)
    hold(current)
    return { ...source, upload: current }
  } catch {
    // The file is gone or is being written. The host's copy is shown, and opening reports any error.
    return { ...source, upload: kept.current }
  }
}

/**
 * Requests access to the file of an upload, with a prompt if the browser requires one. Returns false if the file may
 * not be read.
 */
export async function askForFile(upload: string): Promise<boolean> {
  const kept = await findHandle(upload)
  return kept !== null && mayRead(kept.handle, true)
}

export interface Fed {
  /** Called when the file disappears, and when it is back. */
  readonly onGone: (isGone: boolean) => void
  readonly onFailed: (error: unknown) => void
}

/** [I99] Sends content appended to the file of an upload until stopped. Only one of several windows sends. */
export function feed(upload: string, fed: Fed): () => void {
  const controller = new AbortController()
  const { signal } = controller
  const run = () => feedOn(upload, fed, signal)
  navigator.locks.request(`turnscope.${upload}`, { signal }, run).catch((error: unknown) => {
    if (!signal.aborted) fed.onFailed(error)
  })
  return () => controller.abort()
}

/** Errors of a file that is written, or replaced, at this moment. */
const PASSING = new Set(['NotReadableError', 'InvalidStateError'])

async function feedOn(upload: string, { onGone }: Fed, signal: AbortSignal): Promise<void> {
  let isGone = false
  for (;;) {
    const kept = await findHandle(upload)
    if (!kept || signal.aborted) return
    try {
      if (await isChanged(kept.handle, kept.sent)) await sendAgain(kept)
      if (isGone) onGone(false)
      isGone = false
    } catch (error) {
      const name = error instanceof DOMException ? error.name : ''
      if (name !== 'NotFoundError' && !PASSING.has(name)) throw error
      if (name === 'NotFoundError' && !isGone) onGone(true)
      isGone ||= name === 'NotFoundError'
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

async function isChanged(handle: FileHandle, { bytes, modified }: Sent): Promise<boolean> {
  const file = await handle.getFile()
  return file.size !== bytes || file.lastModified !== modified
}
