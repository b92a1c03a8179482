import { type Result, ok } from '../../../engine/result.ts'
import { type Indexing, indexCollection } from './indexer.ts'
import type { StoredCollection } from './catalog.ts'
import { changedDocuments, statusOf } from './status.ts'

/**
 * [D48] Indexes without being asked: samples that were never indexed or whose documents changed, and
 * stores that are damaged. Only with an embedder on this machine: texts leave it only when the user asks for that.
 */
export async function indexIfNeeded(
  stored: StoredCollection,
  indexing: Indexing,
): Promise<Result<null>> {
  if (indexing.embedder.remote) return ok(null)
  const isNeeded = async (): Promise<boolean> => {
    const { state, manifest } = await statusOf(stored, indexing.embedder.id)
    if (state === 'damaged') return true
    if (!stored.collection.isSample) return false
    if (state === 'empty' || state === 'stale') return true
    return state === 'ready' && (await changedDocuments(stored, manifest, indexing.signal)) > 0
  }
  if (!(await isNeeded())) return ok(null)
  return await stored.alone(async () => {
    // Somebody else may have waited for the same.
    if (!(await isNeeded())) return ok(null)
    const done = await indexCollection(stored, indexing)
    return done.ok ? ok(null) : done
  })
}
