import type { Embedder, StoreStats, VectorStore } from '../../../engine/probe/ports.ts'
import { type Problem, type Result, err, ok } from '../../../engine/result.ts'
import { type DocumentRecord, isCurrent, type Manifest } from './manifest.ts'
import type { StoredCollection } from './catalog.ts'
import { foreign, isDamaged, readOnly } from '../store/problems.ts'

/** A store that accepts vectors of this embedder, and the documents it was made from. */
export interface PreparedStore {
  readonly store: VectorStore
  readonly known: ReadonlyMap<string, DocumentRecord>
  readonly before: Manifest | null
  readonly note: string | null
}

interface Wanted {
  readonly embedder: Embedder
  readonly rebuild: boolean
}

/**
 * [D43] Opens the store of a collection for writing. Rebuilds a damaged one, or one with unknown content. Refuses one
 * of a different embedder unless `rebuild` is set.
 */
export async function prepareStore(
  stored: StoredCollection,
  wanted: Wanted,
): Promise<Result<PreparedStore>> {
  if (isExisting(stored)) return err(readOnly(stored.collection.entry.name))
  return await prepareOwn(stored, wanted)
}

async function prepareOwn(
  stored: StoredCollection,
  { embedder, rebuild }: Wanted,
): Promise<Result<PreparedStore>> {
  const opened = await openRepaired(stored)
  if (!opened.ok) return opened
  const { store, repaired } = opened.value
  const stats = await store.stats()
  if (!stats.ok) return stats
  const read = await stored.manifest()
  const manifest = read === 'damaged' ? null : read
  if (isForeign(stored, manifest, stats.value))
    return err(foreign(stored.collection.entry.name, servedName(stored)))
  const { embedder: made } = stats.value
  if (made !== null && made !== embedder.id && !rebuild) {
    return err(otherEmbedder(stored, made, embedder.id))
  }
  const isKnown = manifest?.storeVersion === stats.value.version
  if (!rebuild && isKnown && isCurrent(manifest)) {
    const known = new Map(manifest.documents.map((each) => [each.name, each]))
    return ok({ store, known, before: manifest, note: repaired })
  }
  if (stats.value.chunks === 0) return ok({ store, known: new Map(), before: null, note: repaired })
  return await startAnew(stored, store, manifest, repaired ?? whyAnew(rebuild, isKnown))
}

/** User-facing reason for rebuilding a store without a request. */
function whyAnew(rebuild: boolean, isKnown: boolean): string | null {
  if (rebuild) return null
  return isKnown ? EARLIER : STRANGE
}

async function startAnew(
  stored: StoredCollection,
  store: VectorStore,
  manifest: Manifest | null,
  note: string | null,
): Promise<Result<PreparedStore>> {
  const emptied = await empty(stored, store, manifest?.documents ?? [])
  if (!emptied.ok) return emptied
  return ok({ store: emptied.value, known: new Map(), before: null, note })
}

const STRANGE = 'the store did not agree with its list of documents and was rebuilt from them'

const EARLIER =
  'another version of Turnscope had indexed it without titles and headings; all documents were indexed again'

async function openRepaired(
  stored: StoredCollection,
): Promise<Result<{ readonly store: VectorStore; readonly repaired: string | null }>> {
  const opened = await stored.store()
  // Damage may have been found while the store was open.
  const found = opened.ok ? await opened.value.stats() : opened
  const damage = found.ok || !isDamaged(found.error) ? null : found.error
  if (damage === null) return opened.ok ? ok({ store: opened.value, repaired: null }) : opened
  await stored.clear()
  const again = await stored.store()
  if (!again.ok) return again
  const repaired = `the store was damaged (${damage.what}) and was rebuilt from its documents`
  return ok({ store: again.value, repaired })
}

/** [D73] True if the entry declares an index that another program made. */
function isExisting({ collection: { entry } }: StoredCollection): boolean {
  const { store } = entry
  return store !== undefined && 'existing' in store && store.existing !== undefined
}

function isServed({ collection }: StoredCollection): boolean {
  return (collection.entry.store?.kind ?? 'local') !== 'local'
}

/** Name of the table, or of the collection on the server. */
function servedName({ collection: { entry } }: StoredCollection): string {
  if (entry.store === undefined || entry.store.kind === 'local') return entry.name
  if (entry.store.kind === 'file') return entry.store.path
  return entry.store.kind === 'qdrant' ? entry.store.collection : entry.store.table
}

/**
 * [D61] Whether a served store has content that this workspace did not write. A store gets a random name when it is
 * created, and its version begins with this name. Only a manifest written from that store can contain it. A workspace
 * without a manifest, or with an invented one, therefore cannot access another workspace's data.
 */
function isForeign(
  stored: StoredCollection,
  manifest: Manifest | null,
  { chunks, version }: StoreStats,
): boolean {
  const nameIn = (text: string): string => text.split('.')[0] ?? ''
  if (!isServed(stored) || chunks === 0) return false
  return manifest === null || nameIn(manifest.storeVersion) !== nameIn(version)
}

/** Removes the documents of this collection from a served store; a local store is deleted with its folder. */
export async function emptyServed(stored: StoredCollection): Promise<Result<null>> {
  const manifest = await stored.manifest()
  if (!isServed(stored) || manifest === null || manifest === 'damaged') return ok(null)
  const store = await stored.store()
  if (!store.ok) return store
  const stats = await store.value.stats()
  if (!stats.ok) return stats
  if (isForeign(stored, manifest, stats.value)) return ok(null)
  return await store.value.remove(manifest.documents.map((each) => each.name))
}

/** A store without vectors: the own one loses its folder, a served one its documents. */
async function empty(
  stored: StoredCollection,
  store: VectorStore,
  documents: readonly DocumentRecord[],
): Promise<Result<VectorStore>> {
  if (isServed(stored)) {
    const removed = await store.remove(documents.map((each) => each.name))
    if (!removed.ok) return removed
  }
  await stored.clear()
  return await stored.store()
}

function otherEmbedder(stored: StoredCollection, made: string, wanted: string): Problem {
  const { name } = stored.collection.entry
  return {
    what: `its vectors were made with ${made}, the embedder in use is ${wanted}`,
    where: `collection ${name}`,
    do: `Rebuild ${name} (turnscope index ${name} --rebuild), or choose its embedder`,
  }
}
