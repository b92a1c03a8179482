import { ownOf } from '../../../engine/schema/own.ts'
import { extname, resolve, sep } from 'node:path'

/** Permissions of a Turnscope page to load and run code; the same header in serve mode and on `app://`. */
export const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // No text becomes HTML, a script or a script's address, in our code or in a library's.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Headers of every answer, for any status. */
export const SECURITY_HEADERS = {
  'content-security-policy': CSP,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
} as const

const MIME: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.txt': 'text/plain; charset=utf-8',
}

/** Content type by file name. Unknown types are served as bytes, never sniffed. */
export function mimeOf(path: string): string {
  return ownOf(MIME, extname(path).toLowerCase()) ?? 'application/octet-stream'
}

/**
 * The file below `root` that a URL path names, or null when it leaves the root or cannot be decoded.
 * `pathname` is the still encoded path of a URL; "/" is `index.html`.
 */
export function staticPath(root: string, pathname: string): string | null {
  let decoded: string
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    return null
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return null
  if (decoded.split('/').some((part) => part.startsWith('.'))) return null
  const base = resolve(root)
  const path = resolve(base, `.${decoded === '/' ? '/index.html' : decoded}`)
  return path.startsWith(base + sep) ? path : null
}
