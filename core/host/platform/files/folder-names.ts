import { readdir, stat } from './fenced-fs.ts'
import type { CompanionTag } from '../../../engine/import/source.ts'
import { createLru } from '../../../engine/lru.ts'

/** Names in a folder, in a fixed order, so that the same folder always gives the same result. */
export interface FolderNames {
  readonly files: readonly string[]
  readonly folders: readonly string[]
  /**
   * [I101] Tags that files in this folder state about themselves. A tag without a session is not kept, because the
   * session may not be written yet.
   */
  readonly tags: Map<string, CompanionTag>
}

interface Kept extends FolderNames {
  readonly changed: number
  /** Whether a change in the same moment would have shown. */
  readonly settled: boolean
}

/** Maximum cached folders. A scan reads the sessions of a folder one after the other, and each needs the same names. */
const MAX_FOLDERS = 64
const kept = createLru<string, Kept>(MAX_FOLDERS)
/** Times of change are this coarse at worst. */
const COARSE_MS = 2000

/** The names in a folder, without links; read again only when the folder has changed. None if it cannot be read. */
export async function namesIn(folder: string): Promise<FolderNames> {
  const changed = await stat(folder).then(
    (info) => info.mtimeMs,
    () => null,
  )
  const before = kept.get(folder)
  if (changed === null) {
    kept.delete(folder)
    return { files: [], folders: [], tags: new Map() }
  }
  if (before?.settled === true && before.changed === changed) return before
  const settled = Date.now() - changed > COARSE_MS
  const now: Kept = {
    ...(await list(folder)),
    tags: before?.tags ?? new Map<string, CompanionTag>(),
    changed,
    settled,
  }
  kept.set(folder, now)
  return now
}

async function list(folder: string): Promise<Pick<FolderNames, 'files' | 'folders'>> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const sorted = entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    files: sorted.filter((each) => each.isFile()).map(({ name }) => name),
    folders: sorted.filter((each) => each.isDirectory()).map(({ name }) => name),
  }
}
