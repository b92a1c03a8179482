import { join } from 'node:path'
import type { Result } from '../../engine/result.ts'
import { textIfThere } from '../platform/files/regular-file.ts'

/** Path of the workspace's list of collections. */
export const COLLECTIONS_FILE = 'profiles/collections.yaml'

interface Found {
  readonly root: string
  readonly text: Result<string>
}

/** The file of the first root that has one; one that cannot be read counts as there. */
export async function findCollectionsFile(roots: readonly string[]): Promise<Found | null> {
  for (const root of roots) {
    const text = await textIfThere(join(root, COLLECTIONS_FILE), COLLECTIONS_FILE)
    if (text !== null) return { root, text }
  }
  return null
}
