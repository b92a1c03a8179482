import { createHash, hash } from 'node:crypto'
import {
  closeSync,
  readSync,
  readdirSync,
  realpathSync,
  statSync,
} from '../../platform/files/fenced-fs.ts'
import { createLru } from '../../../engine/lru.ts'
import { kept } from '../../platform/kept.ts'
import { isAbsolute, resolve, sep } from 'node:path'
import type {
  BundleFiles,
  DigestAnswer,
  NewestLines,
  ReadAnswer,
} from '../../../engine/bundle/ports.ts'
import { newestLines } from './newest-lines.ts'
import { openRegularSync, readBytesSync } from '../../platform/files/regular-file.ts'

type Found =
  | { readonly kind: 'ok'; readonly file: string; readonly size: number; readonly stamp: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }

const MISSING = { kind: 'missing' } as const
const KEPT_DIGESTS = 500
const HASH_BLOCK = 1 << 20

/** Hashes by file and what `stat` says of it, so that a slider does not hash a large file again and again. */
const digests = createLru<string, string>(KEPT_DIGESTS)

/**
 * [A6] Files below one of the roots, the first that has the path. A path that leads out of them, also by
 * a link, is unreadable and says so; nothing is ever written.
 */
export function openRootFiles(roots: readonly string[]): BundleFiles {
  return {
    read: (path, maxBytes) => readWhole(find(roots, path), maxBytes),
    digest: (path, fromEnd) => digestOf(find(roots, path), fromEnd),
    list: (folder) => listNames(roots, folder),
    newestLines: (path, maxBytes) => linesOf(find(roots, path), maxBytes),
  }
}

function find(roots: readonly string[], path: string): Found {
  if (path.includes('\0')) return outside(path)
  for (const root of roots) {
    const place = inside(root, path)
    if (place === null) {
      if (!isAbsolute(path)) return outside(path)
      continue
    }
    try {
      const info = statSync(place, { throwIfNoEntry: false })
      if (!info) continue
      if (!info.isFile()) return { kind: 'unreadable', reason: 'not a file' }
      const real = realpathSync(place)
      if (!real.startsWith(realpathSync(root) + sep)) return outside(path)
      const stamp = `${real}:${info.ino}:${info.size}:${info.mtimeMs}`
      return { kind: 'ok', file: real, size: info.size, stamp }
    } catch (error) {
      return failed(error)
    }
  }
  return isAbsolute(path) && roots.every((root) => inside(root, path) === null)
    ? outside(path)
    : MISSING
}

/** The absolute path, or null when it leads out of the root. */
function inside(root: string, path: string): string | null {
  const base = resolve(root)
  const place = resolve(base, path)
  return place.startsWith(base.endsWith(sep) ? base : base + sep) ? place : null
}

function outside(path: string): Found {
  return { kind: 'unreadable', reason: `"${path.replaceAll('\0', '')}" leads out of the folder` }
}

function failed(error: unknown): { readonly kind: 'unreadable'; readonly reason: string } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return { kind: 'unreadable', reason: code === 'EACCES' ? 'no permission' : code }
}

function readWhole(found: Found, maxBytes: number): ReadAnswer {
  if (found.kind !== 'ok') return found
  if (found.size > maxBytes) return { kind: 'too_large', size: found.size }
  try {
    const bytes = readBytesSync(found.file, maxBytes)
    const sha256 = hash('sha256', bytes)
    return { kind: 'ok', sha256, size: bytes.length, text: bytes.toString('utf8') }
  } catch (error) {
    return failed(error)
  }
}

function digestOf(found: Found, fromEnd: number | null): DigestAnswer {
  if (found.kind !== 'ok') return found
  const start = fromEnd === null ? 0 : Math.max(0, found.size - fromEnd)
  const key = `${found.stamp}:${start}`
  try {
    const sha256 = kept(digests, key, () => hashFile(found.file, start, found.size))
    return { kind: 'ok', sha256, size: found.size }
  } catch (error) {
    return failed(error)
  }
}

/** In blocks: a state file may be larger than memory. */
function hashFile(path: string, start: number, end: number): string {
  const hash = createHash('sha256')
  const block = Buffer.allocUnsafe(HASH_BLOCK)
  const file = openRegularSync(path)
  try {
    for (let at = start; at < end;) {
      const read = readSync(file, block, 0, Math.min(HASH_BLOCK, end - at), at)
      if (read === 0) break
      hash.update(block.subarray(0, read))
      at += read
    }
    return hash.digest('hex')
  } finally {
    closeSync(file)
  }
}

function listNames(roots: readonly string[], folder: string): readonly string[] {
  for (const root of roots) {
    const place = inside(root, folder)
    try {
      if (place !== null) return readdirSync(place)
    } catch {
      // Not there, or not a folder: the next root may have it.
    }
  }
  return []
}

function linesOf(found: Found, maxBytes: number | null): NewestLines {
  if (found.kind !== 'ok') return found
  const { file, size } = found
  const from = maxBytes === null ? 0 : Math.max(0, size - maxBytes)
  return { kind: 'ok', size, partial: from > 0, lines: newestLines(file, size, from) }
}
