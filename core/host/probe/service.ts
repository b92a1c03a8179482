import { stat } from '../platform/files/fenced-fs.ts'
import type { Immutable } from '../../engine/schema/immutable.ts'
import type { CollectionInfo, EmbedderInfo } from '../../wire/contract.ts'
import { recommendedProbe } from '../../engine/probe/options.ts'
import type { Embedder } from '../../engine/probe/ports.ts'
import { type Problem, type Result, err, ok } from '../../engine/result.ts'
import { type ProbeOptions, CollectionEntry } from '../../engine/schema/probe.ts'
import type { ProbeSettings } from '../../engine/schema/probe-settings.ts'
import { COLLECTIONS_FILE } from '../workspace/collections-text.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Asked as AskedOf } from '../../wire/method.ts'
import type { ProbeThreadContract } from '../../wire/threads.ts'
import { type Asked, askOf, failedEmbedder } from './ask.ts'
import { addToCollections, takeFromCollections } from './collections/collections-file.ts'
import {
  type Indexed,
  type IndexReport,
  indexCollection,
  type Indexing,
} from './collections/indexer.ts'
import { emptyServed } from './collections/prepare-store.ts'
import type { Embedders, OpenEmbedder, OpenStore } from './ports.ts'
import { type Catalog, type StoredCollection, createCatalog } from './collections/catalog.ts'
import { describeCollection, changedDocuments, statusOf } from './collections/status.ts'

interface ServiceOptions {
  readonly workspace: Workspace
  /** For derived data of a workspace that cannot be written. */
  readonly stateDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly openStore: OpenStore
  readonly embedders: Embedders
  /** The same embedder with a disk cache of its answers. */
  readonly cached: (embedder: OpenEmbedder) => Promise<OpenEmbedder>
  /** Epoch milliseconds. */
  readonly clock: () => number
}

export interface ProbeWork {
  readonly signal: AbortSignal
  readonly report: (report: IndexReport) => void
}

export type AskWork = ProbeWork & {
  /** False = nothing will be probed: samples need not be ready. */
  readonly isProbed?: boolean
  /** [D70] False = the sample collections are not probed, because the text comes from real work. */
  readonly samples?: boolean
}

/** A window's request to the probe's thread, without the settings added to it. */
export type Question<K extends keyof ProbeThreadContract> = Immutable<
  Omit<AskedOf<ProbeThreadContract, K>, 'settings'>
>

/** Overrides of a preset's options. Undefined fields keep their values. */
type OptionsPatch = Question<'probe.text'>['options']

/** Collections, stores and embedders of a workspace: all that the probe holds between two questions. */
export interface ProbeService {
  readonly catalog: Catalog
  readonly embedders: Embedders
  readonly roots: readonly string[]
  readonly clock: () => number
  /** Name of the embedder in use (D41). */
  current(settings: ProbeSettings): Promise<Result<string>>
  /** Opens an embedder; one that cannot be had answers with its problem. */
  embedder(name: string, settings: ProbeSettings): Promise<Result<Embedder>>
  collections(settings: ProbeSettings, signal: AbortSignal): Promise<Result<CollectionInfo[]>>
  /** Absolute paths of documents that join the collection; none = those of the file. */
  index(
    request: Question<'probe.index'>,
    settings: ProbeSettings,
    work: ProbeWork,
  ): Promise<Result<Indexed>>
  /** Takes a collection out of the workspace's file and deletes its vectors. */
  remove(collection: string): Promise<Result<null>>
  /** Inputs of a probe, with missing sample indexes created. Null = the embedder in use. */
  asked(settings: ProbeSettings, embedder: string | null, work: AskWork): Promise<Result<Asked>>
  /** Options of a preset with changes. */
  options(preset: string, patch: OptionsPatch): Promise<Result<ProbeOptions>>
  get(collection: string): Promise<Result<StoredCollection>>
  close(): Promise<void>
}

type Parts = Pick<ProbeService, 'catalog' | 'embedders' | 'roots' | 'clock' | 'get' | 'embedder'>

/** Opens the service of a workspace. Nothing is read or started before first use. */
export function createProbeService(options: ServiceOptions): ProbeService {
  const { workspace, embedders, clock } = options
  const { roots, trust } = workspace
  const catalog = createCatalog({ ...options, roots, trust })
  const wrapped = new Map<string, Promise<OpenEmbedder>>()

  async function embedder(name: string, settings: ProbeSettings): Promise<Result<Embedder>> {
    const opened = await embedders.open(name, settings)
    if (!opened.ok) return opened
    const { id, threshold } = opened.value
    const key = JSON.stringify([name, id, threshold])
    const known = wrapped.get(key) ?? options.cached(opened.value)
    wrapped.set(key, known)
    return ok(await known)
  }

  const get = (collection: string): Promise<Result<StoredCollection>> => find(catalog, collection)
  const parts: Parts = { catalog, embedders, roots, clock, get, embedder }
  return {
    ...parts,
    ...collectionWork(parts),
    asked: (settings, wanted, work) => ask(parts, settings, wanted, work),
    options: async (preset, patch) => {
      const loaded = await workspace.preset(preset)
      if (!loaded.ok) return loaded
      return ok(withPatch(loaded.value.value.probe ?? recommendedProbe, patch))
    },
    close: async () => {
      await catalog.close()
      const all = [...wrapped.values()]
      wrapped.clear()
      for (const each of all) await (await each).close()
      await embedders.close()
    },
  }
}

async function find(catalog: Catalog, collection: string): Promise<Result<StoredCollection>> {
  const list = await catalog.list()
  if (!list.ok) return list
  const found = list.value.all.find((each) => each.collection.entry.name === collection)
  if (found !== undefined) return ok(found)
  const names = list.value.all.map((each) => each.collection.entry.name).join(', ')
  return err({
    what: `there is no collection "${collection}"`,
    where: COLLECTIONS_FILE,
    do: names === '' ? 'Name documents for it' : `There are: ${names}; or name documents for it`,
  })
}

/** Listing, indexing and removing. */
function collectionWork(
  parts: Parts,
): Pick<ProbeService, 'current' | 'collections' | 'index' | 'remove'> {
  const { catalog, embedders, roots, clock, get, embedder } = parts

  async function current(settings: ProbeSettings): Promise<Result<string>> {
    const list = await catalog.list()
    return list.ok ? ok(list.value.embedder ?? settings.embedder) : list
  }

  return {
    current,
    collections: async (settings, signal) => {
      const list = await catalog.list()
      if (!list.ok) return list
      const infos = await embedders.list(settings)
      const name = list.value.embedder ?? settings.embedder
      const info = infos.find((each) => each.name === name) ?? NO_EMBEDDER
      const described: CollectionInfo[] = []
      for (const each of list.value.all) {
        described.push(await describeCollection(each, info, signal))
      }
      return ok(described)
    },
    index: async (request, settings, work) => {
      const named = await nameDocuments(request, parts)
      if (!named.ok) return named
      const stored = await get(request.collection)
      if (!stored.ok) return stored
      const name = await current(settings)
      if (!name.ok) return name
      const used = await embedder(name.value, settings)
      if (!used.ok) return used
      const { rebuild } = request
      return await stored.value.alone(() =>
        indexCollection(stored.value, { ...work, clock, rebuild, embedder: used.value }),
      )
    },
    remove: async (collection) => {
      const stored = await get(collection)
      if (!stored.ok) return stored
      return await stored.value.alone(async () => {
        const emptied = await emptyServed(stored.value)
        if (!emptied.ok) return emptied
        const taken = await takeFromCollections(roots, collection)
        if (taken.ok) await stored.value.clear()
        return taken
      })
    },
  }
}

async function ask(
  { catalog, embedder, clock }: Parts,
  settings: ProbeSettings,
  wanted: string | null,
  { isProbed = true, samples = true, ...work }: AskWork,
): Promise<Result<Asked>> {
  const list = await catalog.list()
  if (!list.ok) return list
  const joining = list.value.all.filter(({ collection }) => samples || !collection.isSample)
  const name = wanted ?? list.value.embedder ?? settings.embedder
  const opened = await embedder(name, settings)
  const used = opened.ok ? opened.value : failedEmbedder(name, opened.error)
  const failures = new Map<string, Problem>()
  if (opened.ok && wanted === null && isProbed) {
    for (const each of joining) {
      const done = await indexIfNeeded(each, { ...work, clock, embedder: used, rebuild: false })
      if (!done.ok) failures.set(each.collection.entry.name, done.error)
    }
  }
  return ok(await askOf(joining, { embedder: used, isFailed: !opened.ok, failures }))
}

/** [D40] New documents are added to the workspace's file first, so that all indexed data can be indexed again. */
async function nameDocuments(
  { collection, paths }: Question<'probe.index'>,
  { roots, get }: Parts,
): Promise<Result<null>> {
  if (paths.length === 0) return ok(null)
  if (!CollectionEntry.shape.name.safeParse(collection).success) {
    const what = `"${collection}" cannot be a collection's name`
    return err({ what, where: COLLECTIONS_FILE, do: 'Use small letters, digits, "-" and "_"' })
  }
  for (const path of paths) {
    if ((await stat(path).catch(() => null)) === null) {
      return err({ what: 'there is no such file or folder', where: path, do: 'Check the path' })
    }
  }
  const known = await get(collection)
  const fresh = known.ok
    ? paths.filter((path) => !known.value.collection.paths.includes(path))
    : paths
  return fresh.length === 0 ? ok(null) : await addToCollections(roots, collection, fresh)
}

const NO_EMBEDDER: Pick<EmbedderInfo, 'id' | 'threshold'> = { id: null, threshold: null }

function withPatch(options: ProbeOptions, patch: OptionsPatch): ProbeOptions {
  const set = Object.entries(patch).filter(([, value]) => value !== undefined)
  return { ...options, ...Object.fromEntries(set) }
}

/**
 * [D48] Indexes without a request: samples that were never indexed or whose documents changed, and damaged stores. Only
 * with an embedder on this machine, because texts leave it only at the user's request.
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
    // Another program may have indexed it during the wait for the lock.
    if (!(await isNeeded())) return ok(null)
    const done = await indexCollection(stored, indexing)
    return done.ok ? ok(null) : done
  })
}
