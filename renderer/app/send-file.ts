import { host } from './host.ts'

const CHUNK_BYTES = 1024 * 1024

/** The id under which the host keeps the bytes; null = `goesOn` said no. */
export async function sendFile(
  file: File,
  goesOn: (done: number) => boolean,
): Promise<string | null> {
  const { upload } = await host().call('upload.begin', { name: file.name, bytes: file.size })
  for (let start = 0; start < file.size; start += CHUNK_BYTES) {
    const chunk = new Uint8Array(await file.slice(start, start + CHUNK_BYTES).arrayBuffer())
    await host().call('upload.chunk', { upload, data: base64(chunk) })
    if (!goesOn(Math.min(start + CHUNK_BYTES, file.size))) return null
  }
  return upload
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  // Arguments of one call are limited, so the bytes go in slices.
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}
