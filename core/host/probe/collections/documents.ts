import type { Dirent } from 'node:fs'
import { lstat, readdir, realpath, stat } from '../../platform/files/fenced-fs.ts'
import { basename, dirname, join } from 'node:path'
import { isIndexable } from '../../../engine/probe/chunk.ts'
import { isInside } from './collections-file.ts'
import { readBytes } from '../../platform/files/regular-file.ts'

/** A document of a collection. */
export interface DocumentFile {
  /** Name that hits use: the path below the configured folder, with `/`. Unique in a collection. */
  readonly name: string
  readonly path: string
  readonly bytes: number
  /** Epoch milliseconds. */
  readonly modifiedAt: number
}

export interface Skipped {
  readonly path: string
  readonly reason: string
}

/** Documents in a fixed order, and the skipped files. */
export interface Documents {
  readonly files: readonly DocumentFile[]
  readonly skipped: readonly Skipped[]
}

/** [D42] */
const MOST_BYTES = 8 * 1024 * 1024
const MOST_FILES = 100_000
const DEEPEST = 32
/** Folders that are skipped because they hold no documents of the user. Hidden ones are skipped anyway. */
const PASSED = new Set(['node_modules', '__pycache__', 'venv'])
const MOST_SKIPPED = 1000

interface Walk {
  readonly root: string
  readonly skip: (path: string, reason: string) => void
  readonly signal: AbortSignal
  readonly found: string[]
}

/**
 * [D42] Documents below the paths: Markdown, text, code, JSONL by their extension. Hidden names, `node_modules`, links,
 * files larger than 8 MiB and other kinds are skipped and reported.
 * @param paths absolute: folders or files
 */
export async function findDocuments(
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Documents> {
  const files = new Map<string, DocumentFile>()
  const skipped: Skipped[] = []
  const skip = (path: string, reason: string): void => {
    if (skipped.length < MOST_SKIPPED) skipped.push({ path, reason })
  }
  const taken = new Set<string>()
  for (const path of paths) {
    const info = await stat(path).catch(() => null)
    if (info === null) {
      skip(path, 'there is no such file or folder')
      continue
    }
    const root = await realpath(path)
    const base = info.isDirectory() ? root : dirname(root)
    const found: string[] = []
    if (info.isDirectory()) await visit({ root, skip, signal, found }, '', 0)
    else if (isIndexable(root)) found.push(basename(root))
    else skip(path, 'no kind of document that is indexed')
    for (const name of found) {
      const absolute = join(base, name)
      // A folder inside another one that was named: its documents are there already.
      if (taken.has(absolute)) continue
      taken.add(absolute)
      const file = await measure(absolute, skip)
      if (file === null) continue
      if (files.size >= MOST_FILES) skip(absolute, `more than ${MOST_FILES} documents`)
      else {
        const unique = uniqueName(printable(name), base, files)
        files.set(unique, { ...file, name: unique })
      }
    }
  }
  return { files: [...files.values()], skipped }
}

/** A name is printed in prompts and tables, so it must be one line, even if the file system allows more. */
function printable(name: string): string {
  return name.replaceAll(/\p{Cc}+/gu, ' ')
}

/** Two folders may hold files of one name; the later ones are called by their folder too. */
function uniqueName(name: string, base: string, files: ReadonlyMap<string, unknown>): string {
  if (!files.has(name)) return name
  const longer = `${basename(base)}/${name}`
  return files.has(longer) ? join(base, name).replaceAll('\\', '/') : longer
}

async function measure(
  path: string,
  skip: Walk['skip'],
): Promise<Omit<DocumentFile, 'name'> | null> {
  const info = await lstat(path).catch(() => null)
  if (info === null) skip(path, 'cannot be read')
  else if (info.size > MOST_BYTES) skip(path, 'larger than 8 MiB')
  else if (info.size > 0) {
    return { path, bytes: info.size, modifiedAt: Math.floor(info.mtimeMs) }
  }
  return null
}

async function visit(walk: Walk, folder: string, depth: number): Promise<void> {
  const { root, skip, signal, found } = walk
  signal.throwIfAborted()
  if (depth > DEEPEST) {
    skip(join(root, folder), 'too deep')
    return
  }
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => null)
  if (entries === null) {
    skip(join(root, folder), 'cannot be read')
    return
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`
    const verdict = await judge(root, name, entry)
    if (verdict === 'folder') await visit(walk, name, depth + 1)
    else if (verdict === 'file') found.push(name)
    else if (verdict !== null) skip(join(root, name), verdict)
  }
}

/** Null: skipped without a note, because everybody expects it to be skipped. */
async function judge(root: string, name: string, entry: Dirent): Promise<string | null> {
  if (entry.name.startsWith('.')) return null
  if (entry.isSymbolicLink()) {
    const target = await realpath(join(root, name)).catch(() => null)
    // The target of a link within the folder is found at its own path.
    return target !== null && isInside(root, target) ? null : 'a link that leaves the folder'
  }
  if (entry.isDirectory()) return PASSED.has(entry.name) ? null : 'folder'
  if (!entry.isFile()) return null
  return isIndexable(entry.name) ? 'file' : 'no kind of document that is indexed'
}

/** Text of a document; null if it is binary or not UTF-8. Throws if it cannot be read. */
export async function readDocument(path: string): Promise<string | null> {
  const bytes = await readBytes(path, MOST_BYTES)
  if (bytes.subarray(0, 8192).includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
