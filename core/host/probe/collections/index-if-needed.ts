import { type Result, ok } from '../../../engine/result.ts'
import { type Indexing, indexCollection } from './indexer.ts'
import type { Shelved } from './catalog.ts'
import { changedDocuments, standingOf } from './status.ts'

/**
 * [D48] Indexes without being asked: samples that were never indexed or whose documents changed, and
 * stores that are damaged. Only with an embedder on this machine: texts leave it when somebody says so.
 */
export async function makeReady(shelved: Shelved, indexing: Indexing): Promise<Result<null>> {
  if (indexing.embedder.remote) return ok(null)
  const isNeeded = async (): Promise<boolean> => {
    const { state, manifest } = await standingOf(shelved, indexing.embedder.id)
    if (state === 'damaged') return true
    if (!shelved.collection.isSample) return false
    if (state === 'empty' || state === 'stale') return true
    return state === 'ready' && (await changedDocuments(shelved, manifest, indexing.signal)) > 0
  }
  if (!(await isNeeded())) return ok(null)
  return await shelved.alone(async () => {
    // Somebody else may have waited for the same.
    if (!(await isNeeded())) return ok(null)
    const done = await indexCollection(shelved, indexing)
    return done.ok ? ok(null) : done
  })
}
