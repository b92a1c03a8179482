import { basename, dirname } from 'node:path'
import { stat } from 'node:fs/promises'
import { foldersOf } from '../batch/folders.ts'
import { readManifest } from '../batch/manifest-schema.ts'

/** What the list of recent files says of a folder of results. */
export const RESULTS = 'Results of a batch'

/** [F141] The folder of results that a path means, itself or by its manifest; null: it means something else. */
export async function resultsAt(
  path: string,
): Promise<{ readonly path: string; readonly turns: number } | null> {
  const info = await stat(path).catch(() => null)
  const isManifest = basename(path) === 'manifest.json'
  if (info === null || !(info.isDirectory() || isManifest)) return null
  const folder = info.isDirectory() ? path : dirname(path)
  const manifest = await readManifest(foldersOf(folder)).catch(() => null)
  return manifest === null ? null : { path: folder, turns: manifest.turns }
}
