// [U127] The page as a file again, with what was labelled and edited in it.

import { fromBase85 } from '../core/host/page/base85.ts'

/** Path → text. */
export type Files = Readonly<Record<string, string>>

export function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? ''
}

export async function unpacked(id: string): Promise<string> {
  const text = textOf(id)
  // The files are base64, as other readers of a page expect them; the program takes less room.
  const bytes =
    id === 'files'
      ? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
      : fromBase85(text)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return await new Response(stream).text()
}

async function packed(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  const parts: string[] = []
  // Fewer than what may be given to a function at once.
  for (let at = 0; at < bytes.length; at += 8192)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)))
  return btoa(parts.join(''))
}

const OPENING = '<script type="text/plain" id="files">'

/** @param before the page as it stood in its file, before the window started */
export async function pageWith(before: string, files: Files): Promise<string> {
  const start = before.indexOf(OPENING) + OPENING.length
  const end = before.indexOf('</script>', start)
  return `<!doctype html>\n${before.slice(0, start)}${await packed(JSON.stringify(files))}${before.slice(end)}`
}
