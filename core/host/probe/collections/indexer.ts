import { hash } from 'node:crypto'
import type { Output } from '../../../wire/method.ts'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import { type Chunk, chunkDocument, CHUNKING, indexedText } from '../../../engine/probe/chunk.ts'
import type { ChunkRecord, Embedder, VectorStore } from '../../../engine/probe/ports.ts'
import { type Result, ok } from '../../../engine/result.ts'
import { calibrate } from './calibrate.ts'
import { isInside } from './collections-file.ts'
import {
  type DocumentFile,
  type Documents,
  type Skipped,
  findDocuments,
  readDocument,
} from './documents.ts'
import { lockFolder } from './folder-lock.ts'
import { type PreparedStore, prepareStore } from './prepare-store.ts'
import type { DocumentRecord, Manifest } from './manifest.ts'
import type { StoredCollection } from './catalog.ts'

type IndexedAnswer = Extract<Output<TurnscopeContract, 'probe.index'>, { readonly kind: 'indexed' }>
/** `note`: a repair that was needed; null = none. */
export type Indexed = Omit<IndexedAnswer, 'kind'> & { readonly note: string | null }

export interface IndexReport {
  readonly phase: 'scanning' | 'indexing'
  readonly done: number
  readonly total: number
}

export interface Indexing {
  readonly embedder: Embedder
  /** Rebuilds all vectors, including those of a different embedder. */
  readonly rebuild: boolean
  readonly signal: AbortSignal
  readonly report: (report: IndexReport) => void
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** Chunks that are embedded and committed together; documents stay whole. */
const GROUP = 64
/** The manifest is written at least this often: so much work a crash may cost. */
const SAVE_MS = 2000

interface Pending {
  readonly file: DocumentFile
  readonly hash: string
  readonly chunks: number
}

interface Changes {
  readonly pending: readonly Pending[]
  readonly kept: ReadonlyMap<string, DocumentRecord>
  readonly gone: readonly string[]
  readonly added: number
  readonly skipped: readonly Skipped[]
}

/**
 * [D43] Brings a collection up to date with its documents, by the hash of their content. Cancelled, or
 * refused by the embedder half-way, it leaves a store that answers and a manifest that agrees with it.
 * Vectors of another embedder are refused unless `rebuild` (L29). Throws when cancelled.
 */
export async function indexCollection(
  stored: StoredCollection,
  indexing: Indexing,
): Promise<Result<Indexed>> {
  const lock = await lockFolder(stored.folder)
  if (!lock.ok) return lock
  try {
    return await indexLocked(stored, indexing)
  } finally {
    await lock.value()
  }
}

async function indexLocked(stored: StoredCollection, indexing: Indexing): Promise<Result<Indexed>> {
  const prepared = await prepareStore(stored, indexing)
  if (!prepared.ok) return prepared
  const { paths } = stored.collection
  const documents = await findDocuments(paths, indexing.signal)
  const changes = await compare(documents, prepared.value.known, paths, indexing)
  return await apply(stored, prepared.value, changes, indexing)
}

async function compare(
  { files, skipped }: Documents,
  known: ReadonlyMap<string, DocumentRecord>,
  paths: readonly string[],
  { signal, report }: Indexing,
): Promise<Changes> {
  const pending: Pending[] = []
  const kept = new Map<string, DocumentRecord>()
  const refused: Skipped[] = [...skipped]
  for (const [index, file] of files.entries()) {
    signal.throwIfAborted()
    report({ phase: 'scanning', done: index, total: files.length })
    const text = await readDocument(file.path).catch(() => undefined)
    if (text === undefined) refused.push({ path: file.path, reason: 'cannot be read' })
    else if (text === null) refused.push({ path: file.path, reason: 'no UTF-8 text' })
    else {
      const fingerprint = hash('sha256', text)
      const before = known.get(file.name)
      if (before?.hash === fingerprint) kept.set(file.name, { ...before, ...placeOf(file) })
      else pending.push({ file, hash: fingerprint, chunks: chunkDocument(file.name, text).length })
    }
  }
  report({ phase: 'scanning', done: files.length, total: files.length })
  const names = new Set([...kept.keys(), ...pending.map(({ file }) => file.name)])
  const missing = new Set(skipped.map((each) => each.path).filter((path) => paths.includes(path)))
  const gone: string[] = []
  for (const [name, before] of known) {
    if (names.has(name)) continue
    // A folder that is not there now may be a drive that is not connected: its documents stay.
    const stays = [...missing].some((path) => path !== before.path && isInside(path, before.path))
    if (stays) kept.set(name, before)
    else gone.push(name)
  }
  const added = pending.filter(({ file }) => !known.has(file.name)).length
  return { pending, kept, gone, added, skipped: refused }
}

function placeOf({ path, bytes, modifiedAt }: DocumentFile): Omit<DocumentFile, 'name'> {
  return { path, bytes, modifiedAt }
}

/** Records of the store while it changes. Saved at intervals, and always at the end. */
interface Ledger {
  add(records: readonly DocumentRecord[]): Promise<Result<unknown>>
  calibrated(calibration: Manifest['calibration']): void
  /** Chunks in the store. */
  save(): Promise<Result<number>>
  readonly documents: ReadonlyMap<string, DocumentRecord>
}

function openLedger(
  stored: StoredCollection,
  { store, known, before, note }: PreparedStore,
  { kept, pending }: Changes,
  { clock }: Indexing,
): Ledger {
  const documents = new Map(kept)
  // The store still holds the old version of documents that are waiting: the manifest says the same.
  for (const { file } of pending) {
    const old = known.get(file.name)
    if (old !== undefined) documents.set(file.name, old)
  }
  let calibration = before?.calibration ?? null
  // [D61] The first group of a new store is saved immediately. Without a manifest the store would not be recognized as
  // ours.
  let saved = before === null ? Number.NEGATIVE_INFINITY : clock()
  const save = async (): Promise<Result<number>> => {
    const stats = await store.stats()
    if (!stats.ok) return stats
    const { embedder, version: storeVersion, chunks } = stats.value
    const indexedAt = clock()
    const list = [...documents.values()]
    const facts = { embedder, storeVersion, indexedAt, documents: list, calibration, note }
    await stored.save({ version: 1, chunking: CHUNKING, ...facts })
    saved = clock()
    return ok(chunks)
  }
  return {
    documents,
    save,
    calibrated: (value) => {
      calibration = value
    },
    add: async (records) => {
      for (const record of records) documents.set(record.name, record)
      return clock() - saved < SAVE_MS ? ok(null) : await save()
    },
  }
}

async function apply(
  stored: StoredCollection,
  prepared: PreparedStore,
  changes: Changes,
  indexing: Indexing,
): Promise<Result<Indexed>> {
  const { store, before, note } = prepared
  const { pending, gone, added } = changes
  const ledger = openLedger(stored, prepared, changes, indexing)
  let calibration = before?.calibration ?? null
  try {
    const removed = gone.length === 0 ? ok(null) : await store.remove(gone)
    if (!removed.ok) return removed
    const filled = await fill(store, pending, indexing, (records) => ledger.add(records))
    if (!filled.ok) return filled
    indexing.signal.throwIfAborted()
    const isSame = pending.length === 0 && gone.length === 0
    if (!isSame || calibration?.embedder !== indexing.embedder.id) {
      const measured = await measureNulls(store, indexing)
      if (!measured.ok) return measured
      calibration = measured.value
      ledger.calibrated(calibration)
    }
  } finally {
    // Also after a cancellation or failure, so that the manifest matches the store.
    await ledger.save()
  }
  const chunks = await ledger.save()
  if (!chunks.ok) return chunks
  return ok({
    documents: ledger.documents.size,
    added,
    changed: pending.length - added,
    removed: gone.length,
    chunks: chunks.value,
    skipped: changes.skipped,
    calibrated: calibration?.percentile ?? null,
    note,
  })
}

async function measureNulls(
  store: VectorStore,
  { embedder, signal }: Indexing,
): Promise<Result<Manifest['calibration']>> {
  const percentile = await calibrate(store, embedder, signal)
  if (!percentile.ok || percentile.value === null) return percentile.ok ? ok(null) : percentile
  return ok({ embedder: embedder.id, percentile: percentile.value })
}

interface Ready {
  readonly record: DocumentRecord
  readonly chunks: readonly Chunk[]
}

/** Embeds and stores documents in groups. `committed` receives the records in the store. */
async function fill(
  store: VectorStore,
  pending: readonly Pending[],
  indexing: Indexing,
  committed: (records: readonly DocumentRecord[]) => Promise<Result<unknown>>,
): Promise<Result<null>> {
  const { signal, report } = indexing
  const total = pending.reduce((sum, each) => sum + each.chunks, 0)
  let done = 0
  let group: Ready[] = []
  const flush = async (): Promise<Result<unknown>> => {
    const stored = await commit(store, group, indexing, (count) =>
      report({ phase: 'indexing', done: done + count, total: Math.max(total, done + count) }),
    )
    if (!stored.ok) return stored
    done += group.reduce((sum, each) => sum + each.chunks.length, 0)
    const records = group.map((each) => each.record)
    group = []
    return await committed(records)
  }
  report({ phase: 'indexing', done: 0, total })
  for (const { file } of pending) {
    signal.throwIfAborted()
    const text = await readDocument(file.path).catch(() => null)
    // The file was removed or became binary since it was scanned: the next run sees that.
    if (text === null) continue
    const chunks = chunkDocument(file.name, text)
    const record = {
      name: file.name,
      ...placeOf(file),
      hash: hash('sha256', text),
      chunks: chunks.length,
    }
    group.push({ record, chunks })
    if (group.reduce((sum, each) => sum + each.chunks.length, 0) < GROUP) continue
    const flushed = await flush()
    if (!flushed.ok) return flushed
  }
  if (group.length === 0) return ok(null)
  const flushed = await flush()
  return flushed.ok ? ok(null) : flushed
}

async function commit(
  store: VectorStore,
  group: readonly Ready[],
  { embedder, signal }: Indexing,
  embedded: (count: number) => void,
): Promise<Result<null>> {
  const records: ChunkRecord[] = group.flatMap(({ record, chunks }) =>
    chunks.map((chunk) => ({ ...chunk, filename: record.name, hash: hash('sha256', chunk.text) })),
  )
  const vectors: Float32Array[] = []
  for (let at = 0; at < records.length; at += GROUP) {
    const texts = records.slice(at, at + GROUP).map(indexedText)
    const some = await embedder.embed(texts, signal)
    signal.throwIfAborted()
    if (!some.ok) return some
    vectors.push(...some.value)
    embedded(vectors.length)
  }
  const removed = await store.remove(group.map(({ record }) => record.name))
  if (!removed.ok) return removed
  const rows = records.flatMap((chunk, index) => {
    const vector = vectors[index]
    return vector === undefined ? [] : [{ chunk, vector }]
  })
  return rows.length === 0 ? ok(null) : await store.upsert(embedder.id, rows)
}
