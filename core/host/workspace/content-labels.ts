import { join } from 'node:path'
import { createLru } from '../../engine/lru.ts'
import { valueOrRefuse } from '../platform/threads/refusal.ts'
import { readdir, stat } from '../platform/files/fenced-fs.ts'
import { hashOfFile } from '../platform/files/content-hash.ts'
import { LABELS_FOLDER, LABELS_SUFFIX } from './labels-place.ts'
import { LONG_TEXT_BYTES, textIfThere } from '../platform/files/regular-file.ts'
import type { Workspace } from './workspace.ts'

/** [T86] Key under which labels of a content are stored: its SHA-256 in hex, and its length in bytes. */
const CONTENT_KEY = /^(?<hash>[0-9a-f]{64})\.(?<bytes>\d{1,16})$/u

export function contentKey(hash: string, bytes: number): string {
  return `${hash}.${bytes}`
}

export function isContentKey(key: string): boolean {
  return CONTENT_KEY.test(key)
}

/** The labels file of a key. */
export function contentLabels(workspace: string, key: string): string {
  return join(workspace, LABELS_FOLDER, `${key}${LABELS_SUFFIX}`)
}

/** Files whose hashes are remembered. */
const KNOWN_FILES = 256

/**
 * [T86] Finds the labels file that was written for the content of a file. A file is hashed only if `labels/` has
 * labels of a content of the same length, and once for each change of the file.
 */
export function createContentSearch(workspace: string): (path: string) => Promise<string | null> {
  const hashes = createLru<string, string>(KNOWN_FILES)

  return async (path) => {
    const info = await stat(path).catch(() => null)
    if (info?.isFile() !== true) return null
    const ending = `.${info.size}${LABELS_SUFFIX}`
    const names = await readdir(join(workspace, LABELS_FOLDER)).catch(() => [])
    const sameLength = names.filter(
      (name) => name.endsWith(ending) && isContentKey(name.slice(0, -LABELS_SUFFIX.length)),
    )
    if (sameLength.length === 0) return null
    const stamp = `${path}\n${info.size}\n${info.mtimeMs}\n${info.ino}`
    const known = hashes.get(stamp)
    const hash = known ?? (await hashOfFile(path, info.size)).digest('hex')
    if (known === undefined) hashes.set(stamp, hash)
    const name = `${contentKey(hash, info.size)}${LABELS_SUFFIX}`
    return sameLength.includes(name) ? join(workspace, LABELS_FOLDER, name) : null
  }
}

/**
 * [T86] Copies the labels of a content to its new version. Returns false, and does not touch the file, if it has
 * different labels. Rejects if the disk refuses.
 */
export async function carryLabels(
  { root, saves }: Pick<Workspace, 'root' | 'saves'>,
  from: string,
  to: string,
): Promise<boolean> {
  const text = await labelsText(contentLabels(root, from))
  if (text === null) return true
  const path = contentLabels(root, to)
  const answer = await saves.save({ kind: 'labels', files: [{ path, before: null, text }] })
  return answer.kind === 'saved' || (await labelsText(path)) === text
}

async function labelsText(path: string): Promise<string | null> {
  const text = await textIfThere(path, path, LONG_TEXT_BYTES)
  return text === null ? null : valueOrRefuse(text)
}
