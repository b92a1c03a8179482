import { basename, dirname } from 'node:path'
import { stat } from '../../platform/files/fenced-fs.ts'
import { foldersOf } from '../../batch/folders.ts'
import { readManifest } from '../../batch/manifest-schema.ts'
import type { MainHandlersOf } from '../../threads/main/handlers.ts'
import type { OpenSessions } from '../../sessions/main/open-sessions.ts'
import type { Recent, StateStore } from '../../settings/main/state-store.ts'

/** Label of a results folder in the list of recent files. */
export const RESULTS = 'Results of a batch'

/** [F141] The folder of results that a path means, itself or by its manifest; null: it means something else. Results join the recent files. */
export async function resultsAt(
  path: string,
  remember: (entry: Omit<Recent, 'openedAt'>) => Promise<void>,
): Promise<string | null> {
  const info = await stat(path).catch(() => null)
  const isManifest = basename(path) === 'manifest.json'
  if (info === null || !(info.isDirectory() || isManifest)) return null
  const folder = info.isDirectory() ? path : dirname(path)
  const manifest = await readManifest(foldersOf(folder)).catch(() => null)
  if (manifest === null) return null
  const { turns } = manifest
  await remember({ path: folder, name: basename(folder), format: RESULTS, turns })
  return folder
}

/** [F141] The same as a call of a window. */
export function createResultsAt(
  { whole }: Pick<OpenSessions, 'whole'>,
  { state, clock }: { readonly state: StateStore; readonly clock: () => number },
): MainHandlersOf<'results'>['results.at'] {
  return async ({ path }) => ({
    path: await resultsAt(whole(path), (entry) => state.remember({ ...entry, openedAt: clock() })),
  })
}
