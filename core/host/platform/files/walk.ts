import type { Dirent } from 'node:fs'
import { lstat, readdir } from './fenced-fs.ts'
import { join } from 'node:path'

/** A file that may be a transcript. */
export interface SeenFile {
  /** Relative to the folder, with `/`. */
  readonly path: string
  readonly bytes: number
  /** Epoch milliseconds. */
  readonly modifiedAt: number
}

/** [K2] Limits of a walk. */
interface WalkLimits {
  /** Names looked at. */
  readonly entries: number
  /** Files taken. */
  readonly files: number
  /** Folders below the folder. */
  readonly depth: number
}

const WALK_LIMITS: WalkLimits = { entries: 200_000, files: 20_000, depth: 16 }

/** Files of a folder, shallow ones first, and how many were passed over, by reason. */
export interface Walk {
  readonly files: readonly SeenFile[]
  readonly skipped: ReadonlyMap<string, number>
}

/** Folders that contain many files but no transcripts. */
const PASSED = new Set(['.git', 'node_modules', '.venv', 'venv', '__pycache__', '.turnscope'])
/** Files whose names say that they are no text. Everything else is looked into (I1). */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|webp|svg|ico|bmp|mp[34]|mov|webm|wav|woff2?|ttf|otf|pdf|docx?|xlsx?|pptx?|exe|dll|so|dylib|class|jar|wasm|o|a|pyc|sqlite3?|db|db-shm|db-wal|bin|pack|idx|gz|tgz|bz2|xz|zst|7z|rar|tar|iso|dmg|js|mjs|cjs|ts|tsx|jsx|css|html?|py|rs|go|java|c|h|cpp|rb|php|sh|lock)$/iu

/**
 * [K2] All files below a folder that may be transcripts. Symbolic links are not followed, so that no
 * loop and nothing outside is read. Throws when the folder itself cannot be read, or when cancelled.
 */
export async function walkFolder(
  root: string,
  signal: AbortSignal,
  limits: WalkLimits = WALK_LIMITS,
): Promise<Walk> {
  const files: SeenFile[] = []
  const skipped = new Map<string, number>()
  const skip = (reason: string, count = 1) =>
    skipped.set(reason, (skipped.get(reason) ?? 0) + count)
  let entries = 0
  let level: readonly string[] = ['']

  async function visit(folder: string, deeper: string[]): Promise<void> {
    const found = await readdir(join(root, folder), { withFileTypes: true }).catch(
      (error: unknown) => {
        if (folder === '') throw error
        skip('cannot be read')
        return []
      },
    )
    const left = Math.max(0, limits.entries - entries)
    entries += found.length
    if (found.length > left) skip('too many files', found.length - left)
    const wanted: string[] = []
    for (const entry of found.slice(0, left).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const verdict = judge(entry)
      if (verdict === 'folder') deeper.push(path)
      else if (verdict === 'file') wanted.push(path)
      else if (verdict !== null) skip(verdict)
    }
    await statAll(wanted)
  }

  async function statAll(paths: readonly string[]): Promise<void> {
    for (let at = 0; at < paths.length; at += 64) {
      const some = paths.slice(at, at + 64)
      const infos = await Promise.all(some.map((path) => lstat(join(root, path)).catch(() => null)))
      for (const [index, info] of infos.entries()) {
        const path = some[index] ?? ''
        if (info === null) skip('cannot be read')
        else if (info.size === 0) skip('empty')
        else if (files.length >= limits.files) skip('too many files')
        else files.push({ path, bytes: info.size, modifiedAt: Math.floor(info.mtimeMs) })
      }
    }
  }

  for (let depth = 0; level.length > 0; depth += 1) {
    const deeper: string[] = []
    for (const folder of level) {
      signal.throwIfAborted()
      await visit(folder, deeper)
    }
    if (depth >= limits.depth && deeper.length > 0) skip('too deep', deeper.length)
    level = depth >= limits.depth ? [] : deeper
  }
  return { files, skipped }
}

/** Null: skipped without a message, as expected. */
function judge(entry: Dirent): 'folder' | 'file' | 'symbolic link' | 'not a transcript' | null {
  if (entry.isSymbolicLink()) return 'symbolic link'
  if (entry.isDirectory()) return PASSED.has(entry.name) ? null : 'folder'
  if (!entry.isFile()) return 'not a transcript'
  return NO_TEXT.test(entry.name) ? 'not a transcript' : 'file'
}
