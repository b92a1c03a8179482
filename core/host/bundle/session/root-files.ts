import { createHash, hash } from 'node:crypto'
import {
  closeSync,
  readSync,
  readdirSync,
  realpathSync,
  statSync,
} from '../../platform/files/fenced-fs.ts'
import { createLru } from '../../../engine/lru.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { isAbsolute, resolve, sep } from 'node:path'
import type {
  BundleFiles,
  DigestAnswer,
  NewestLines,
  ReadAnswer,
} from '../../../engine/bundle/ports.ts'
import { openRegularSync, readBytesSync } from '../../platform/files/regular-file.ts'

type Found =
  | { readonly kind: 'ok'; readonly file: string; readonly size: number; readonly stamp: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }

const MISSING = { kind: 'missing' } as const
const KEPT_DIGESTS = 500
const HASH_BLOCK = 1 << 20

/** Hashes by file and `stat` data, so that a slider does not hash a large file repeatedly. */
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
    const sha256 = getOrMake(digests, key, () => hashFile(found.file, start, found.size))
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

const BLOCK = 262_144
const NEWLINE = 0x0a
/** Maximum bytes of a line, so that memory stays bounded for any file. A longer line is dropped. */
const MAX_LINE = 8_388_608

/**
 * Lines of a UTF-8 file, the last one first, read in blocks from the end, so that the newest lines of a long file are
 * cheap. Yields null for a line longer than 8 MiB. A line that begins before `from` is not returned. Holds one block
 * and the current line in memory. The file is open only during the iteration.
 * @param size bytes of the file to read: data appended later is ignored
 * @param from first byte that may be read
 */
export function* newestLines(path: string, size: number, from: number): Generator<string | null> {
  const file = openRegularSync(path)
  try {
    const block = Buffer.allocUnsafe(BLOCK)
    /** Bytes after the last line break found, the earliest first. */
    let held: Buffer[] = []
    let heldBytes = 0
    let tooLong = false
    const take = (start: Buffer): string | null => {
      const over = tooLong || heldBytes + start.length > MAX_LINE
      const line = over ? null : Buffer.concat([start, ...held]).toString('utf8')
      held = []
      heldBytes = 0
      tooLong = false
      return line
    }
    for (let end = size; end > from;) {
      const start = Math.max(from, end - BLOCK)
      const bytes = block.subarray(0, readAll(file, block, start, end - start))
      let rest = bytes.length
      for (let at = lastBreak(bytes, rest); at >= 0; at = lastBreak(bytes, rest)) {
        yield take(bytes.subarray(at + 1, rest))
        rest = at
      }
      heldBytes += rest
      if (heldBytes > MAX_LINE) {
        tooLong = true
        held = []
      } else held.unshift(Buffer.from(bytes.subarray(0, rest)))
      end = start
    }
    if (from === 0 && size > 0) yield take(Buffer.alloc(0))?.replace(/^\uFEFF/u, '') ?? null
  } finally {
    closeSync(file)
  }
}

/** Place of the last line break before `end`, or -1. */
function lastBreak(bytes: Buffer, end: number): number {
  return end === 0 ? -1 : bytes.lastIndexOf(NEWLINE, end - 1)
}

/** Reads fewer bytes than requested only if the file was truncated in the meantime. */
function readAll(file: number, into: Buffer, position: number, length: number): number {
  let done = 0
  while (done < length) {
    const read = readSync(file, into, done, length - done, position + done)
    if (read === 0) break
    done += read
  }
  return done
}
