import { host } from './host.ts'

const CHUNK_BYTES = 1024 * 1024

export interface Sending {
  readonly upload: string
  /** Number of bytes that the host already has. */
  readonly from: number
  /** Told of every chunk that has arrived; false = enough. */
  readonly goesOn: (done: number) => boolean
}

/** Sends a file. Returns the id of its upload, or null if `goesOn` said no. */
export async function sendFile(file: File, goesOn: Sending['goesOn']): Promise<string | null> {
  const { upload } = await host().call('upload.begin', { name: file.name, bytes: file.size })
  return sendBytes(file, { upload, from: 0, goesOn })
}

/**
 * Sends a file from `from` on. Returns the id of the upload: another one if the workspace has the same content (I96).
 * Null if `goesOn` said no. Rejects if the file changes while it is read.
 */
export async function sendBytes(
  file: File,
  { upload, from, goesOn }: Sending,
): Promise<string | null> {
  let stored = upload
  for (let start = from; start < file.size; start += CHUNK_BYTES) {
    const chunk = new Uint8Array(await file.slice(start, start + CHUNK_BYTES).arrayBuffer())
    const answer = await host().call('upload.chunk', { upload, data: base64(chunk) })
    stored = answer.upload
    if (!goesOn(Math.min(start + CHUNK_BYTES, file.size))) return null
  }
  return stored
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  // Arguments of one call are limited, so the bytes go in slices.
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}
