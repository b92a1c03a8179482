import { host } from './host.ts'

const CHUNK_BYTES = 1024 * 1024

export interface Sending {
  readonly upload: string
  /** What the host has already. */
  readonly from: number
  /** Told of every chunk that has arrived; false = enough. */
  readonly goesOn: (done: number) => boolean
}

/** The id under which the host keeps the bytes; null = `goesOn` said no. */
export async function sendFile(file: File, goesOn: Sending['goesOn']): Promise<string | null> {
  const { upload } = await host().call('upload.begin', { name: file.name, bytes: file.size })
  return (await sendBytes(file, { upload, from: 0, goesOn })) ? upload : null
}

/** Sends a file from `from` on; false = `goesOn` said no. Rejects where the file changes meanwhile. */
export async function sendBytes(file: File, { upload, from, goesOn }: Sending): Promise<boolean> {
  for (let start = from; start < file.size; start += CHUNK_BYTES) {
    const chunk = new Uint8Array(await file.slice(start, start + CHUNK_BYTES).arrayBuffer())
    await host().call('upload.chunk', { upload, data: base64(chunk) })
    if (!goesOn(Math.min(start + CHUNK_BYTES, file.size))) return false
  }
  return true
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  // Arguments of one call are limited, so the bytes go in slices.
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}
