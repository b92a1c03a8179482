import { readFile } from 'node:fs/promises'
import { mimeOf, SECURITY_HEADERS, staticPath } from '../core/host/windows/main/web-policy.ts'
import { isOwnPage } from './security.ts'

/** Answers `app://` from the built renderer in `root`; every answer carries the CSP header. */
export function createAssetHandler(
  root: string,
): (request: { readonly method: string; readonly url: string }) => Promise<Response> {
  return async ({ method, url }) => {
    if (method !== 'GET' && method !== 'HEAD') return answer(405, 'method not allowed')
    const path = isOwnPage(url) ? staticPath(root, new URL(url).pathname) : null
    if (path === null) return answer(404, 'not found')
    try {
      const body = await readFile(path)
      return answer(200, new Uint8Array(body), mimeOf(path))
    } catch {
      return answer(404, 'not found')
    }
  }
}

function answer(
  status: number,
  body: string | Uint8Array<ArrayBuffer>,
  type = 'text/plain; charset=utf-8',
): Response {
  return new Response(body, { status, headers: { ...SECURITY_HEADERS, 'content-type': type } })
}
