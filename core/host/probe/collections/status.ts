import { ownOf } from '../../../engine/schema/own.ts'
import { lstat } from '../../platform/files/fenced-fs.ts'
import type { CollectionInfo } from '../../../wire/contract.ts'
import type { StoreStats } from '../../../engine/probe/ports.ts'
import { formatProblem } from '../../../engine/result.ts'
import { thresholdOf } from './calibrate.ts'
import { findDocuments } from './documents.ts'
import type { StoreProblem } from '../ports.ts'
import { isCurrent, type Manifest } from './manifest.ts'
import { isDamaged } from '../store/problems.ts'
import type { StoredCollection } from './catalog.ts'

/** The state of a collection, given its store and the embedder in use. */
export interface CollectionStatus {
  readonly state: CollectionInfo['state']
  readonly problem: string | null
  readonly stats: StoreStats | null
  readonly manifest: Manifest | null
}

/** State of a store that does not open. All other causes count as a failure. */
const STATES: Readonly<Partial<Record<StoreProblem['kind'], CollectionStatus['state']>>> = {
  damaged: 'damaged',
  restricted: 'restricted',
}

/**
 * [D43] [L29] The state of a collection, without looking at its documents.
 * @param embedder id of the one in use; null = not known yet
 */
export async function statusOf(
  stored: StoredCollection,
  embedder: string | null,
): Promise<CollectionStatus> {
  const read = await stored.manifest()
  const manifest = read === 'damaged' ? null : read
  const stand = (
    state: CollectionStatus['state'],
    problem: string | null,
    stats: StoreStats | null = null,
  ): CollectionStatus => ({ state, problem, stats, manifest })
  const store = await stored.store()
  if (!store.ok) {
    return stand(STATES[store.error.kind] ?? 'failed', formatProblem(store.error))
  }
  const found = await store.value.stats()
  if (!found.ok)
    return stand(isDamaged(found.error) ? 'damaged' : 'failed', formatProblem(found.error))
  const stats = found.value
  const judged = judge(stored, read, { stats, embedder })
  return stand(judged.state, judged.problem, stats)
}

interface Facts {
  readonly stats: StoreStats
  readonly embedder: string | null
}

/** State of a store that answers. */
function judge(
  { collection }: StoredCollection,
  read: Manifest | null | 'damaged',
  { stats, embedder }: Facts,
): Pick<CollectionStatus, 'state' | 'problem'> {
  const { entry, problem } = collection
  if (stats.chunks === 0) return { state: 'empty', problem }
  if (stats.embedder !== null && embedder !== null && stats.embedder !== embedder) {
    const what = `its vectors were made with ${stats.embedder}, the embedder in use is ${embedder}`
    const advice = `Rebuild ${entry.name}, or choose its embedder`
    return { state: 'other_embedder', problem: `${what}. ${advice}` }
  }
  const isOwn = (entry.store?.kind ?? 'local') === 'local'
  if (read === 'damaged' || (read === null && isOwn) || isStrange(read, stats)) {
    const what = 'the store does not agree with its list of documents'
    return { state: 'stale', problem: `${what}. Index it again` }
  }
  return readyOrEarlier(read, problem)
}

function readyOrEarlier(
  manifest: Manifest | null | 'damaged',
  problem: string | null,
): Pick<CollectionStatus, 'state' | 'problem'> {
  if (manifest === null || manifest === 'damaged') return { state: 'ready', problem }
  if (!isCurrent(manifest)) return { state: 'stale', problem: EARLIER }
  return { state: 'ready', problem: problem ?? manifest.note }
}

/** [D67] It still answers: vectors of the same embedder stay comparable, they only know less. */
const EARLIER =
  'it was indexed by another version of Turnscope, without titles and headings. It answers, but names in titles are not found. Index it again'

function isStrange(manifest: Manifest | null, stats: StoreStats): boolean {
  return manifest !== null && manifest.storeVersion !== stats.version
}

/** Threshold for an embedder that was not measured: the document's own value. */
const UNMEASURED = 0.4

interface Known {
  readonly id: string | null
  readonly threshold: number | null
}

/** Configured or calibrated threshold of a collection for an embedder (D44). */
export function collectionThreshold(
  stored: StoredCollection,
  manifest: Manifest | null,
  embedder: Known,
): number {
  const { thresholds } = stored.collection.entry
  const configured = embedder.id === null ? undefined : ownOf(thresholds, embedder.id)
  return thresholdOf(
    configured,
    embedder.threshold ?? UNMEASURED,
    percentileFor(manifest, embedder.id),
  )
}

function percentileFor(manifest: Manifest | null, embedder: string | null): number | null {
  const calibration = manifest?.calibration ?? null
  return calibration?.embedder === embedder ? calibration.percentile : null
}

/** Row in the list of collections. Documents are compared by size and time of change. */
export async function describeCollection(
  stored: StoredCollection,
  embedder: Known,
  signal: AbortSignal,
): Promise<CollectionInfo> {
  const { entry, isSample } = stored.collection
  const status = await statusOf(stored, embedder.id)
  const { stats, manifest } = status
  const changed = status.state === 'ready' ? await changedDocuments(stored, manifest, signal) : 0
  const isStale = changed > 0
  const documents = `${changed} of its documents changed since. Index it again`
  return {
    name: entry.name,
    sample: isSample,
    title: entry.title ?? entry.name,
    persona: entry.persona ?? null,
    store: entry.store?.kind ?? 'local',
    ...sizesOf(stats),
    threshold: collectionThreshold(stored, manifest, embedder),
    calibrated: percentileFor(manifest, embedder.id),
    indexedAt: manifest?.indexedAt ?? null,
    state: isStale ? 'stale' : status.state,
    problem: isStale ? documents : status.problem,
  }
}

function sizesOf(
  stats: StoreStats | null,
): Pick<CollectionInfo, 'documents' | 'chunks' | 'bytes' | 'embedder'> {
  if (stats === null) return { documents: 0, chunks: 0, bytes: 0, embedder: null }
  const { documents, chunks, bytes, embedder } = stats
  return { documents, chunks, bytes, embedder }
}

/** Number of documents that differ from the indexed ones, by size and time of change. */
export async function changedDocuments(
  { collection }: StoredCollection,
  manifest: Manifest | null,
  signal: AbortSignal,
): Promise<number> {
  if (manifest === null) return 0
  const known = new Map(manifest.documents.map((each) => [each.name, each]))
  const { files } = await findDocuments(collection.paths, signal)
  const changed = files.filter((file) => {
    const before = known.get(file.name)
    return before?.bytes !== file.bytes || before.modifiedAt !== file.modifiedAt
  })
  const names = new Set(files.map((file) => file.name))
  const absent = manifest.documents.filter((document) => !names.has(document.name))
  const gone = await Promise.all(absent.map(({ path }) => lstat(path).catch(() => null)))
  return changed.length + gone.filter((info) => info === null).length
}
