import { lstat, mkdir, rm } from '../../platform/files/fenced-fs.ts'
import { processFolder } from '../../platform/files/process-folder.ts'
import { join } from 'node:path'
import type { VectorStore } from '../../../engine/probe/ports.ts'
import { type Result, err, ok } from '../../../engine/result.ts'
import { itemOfStore } from '../../../engine/trust/items.ts'
import type { TrustGate } from '../../platform/trust/gate.ts'
import { type Collection, readCollections } from './collections-file.ts'
import { type Manifest, createManifestReader, writeManifest } from './manifest.ts'
import { mayWrite } from '../../platform/files/atomic-file.ts'
import { createQueue } from '../../platform/threads/shared-work.ts'
import type { OpenStore, StoreProblem } from '../ports.ts'

/** A collection with its store, which is opened when it is needed and stays open. */
export interface StoredCollection {
  readonly collection: Collection
  /** Of derived data: it can be deleted at any time. */
  readonly folder: string
  store(): Promise<Result<VectorStore, StoreProblem>>
  manifest(): Promise<Manifest | null | 'damaged'>
  save(manifest: Manifest): Promise<void>
  /** Deletes all derived data of this machine. */
  clear(): Promise<void>
  /** One piece of work that writes at a time. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

export interface Catalog {
  /** Collections as the file names them now. */
  list(): Promise<Result<CatalogList>>
  /** The same documents with a temporary store that leaves no trace, for another embedder. */
  scratch(collection: Collection): Scratch
  close(): Promise<void>
}

interface Scratch {
  readonly stored: StoredCollection
  dispose(): Promise<void>
}

interface CatalogList {
  /** Prescribed by the file; null = that of the settings. */
  readonly embedder: string | null
  readonly all: readonly StoredCollection[]
}

interface CatalogOptions {
  /** The workspace, then what ships. */
  readonly roots: readonly string[]
  /** For derived data of a workspace that cannot be written. */
  readonly stateDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly openStore: OpenStore
  readonly trust: TrustGate
}

interface Kept {
  readonly stored: StoredCollection
  /** The entry it was created from. A different entry recreates it. */
  readonly stamp: string
  close(): Promise<void>
}

/** [D43] All collections of a workspace. Stores are kept open until an entry changes or `close`. */
export function createCatalog(options: CatalogOptions): Catalog {
  const kept = new Map<string, Kept>()

  async function keep(collection: Collection): Promise<Result<StoredCollection>> {
    const stamp = JSON.stringify(collection)
    const known = kept.get(collection.entry.name)
    if (known?.stamp === stamp) return ok(known.stored)
    await known?.close()
    const folder = await derivedFolder(options, collection.entry.name)
    if (!folder.ok) return folder
    const made = openStored(collection, folder.value, options)
    kept.set(collection.entry.name, { ...made, stamp })
    return ok(made.stored)
  }

  return {
    list: async () => {
      const read = await readCollections(options.roots)
      if (!read.ok) return read
      const all: StoredCollection[] = []
      for (const collection of read.value.collections) {
        const stored = await keep(collection)
        if (!stored.ok) return stored
        all.push(stored.value)
      }
      return { ok: true, value: { embedder: read.value.embedder, all } }
    },
    scratch: (collection) => {
      const folder = processFolder('turnscope-probe')
      const entry = { ...collection.entry, store: { kind: 'local' as const } }
      const { stored } = openStored({ ...collection, entry }, folder, options)
      return { stored, dispose: () => stored.clear() }
    },
    close: async () => {
      await Promise.all([...kept.values()].map((each) => each.close()))
      kept.clear()
    },
  }
}

/**
 * In the workspace, so that vectors stay with their documents; else in the state folder. [D61] This
 * folder is deleted as a whole, so a link that came with the workspace is not followed.
 */
async function derivedFolder(
  { roots, stateDir }: CatalogOptions,
  name: string,
): Promise<Result<string>> {
  const [workspace = stateDir] = roots
  const own = join(workspace, '.turnscope', 'vectors')
  for (const path of [own, join(own, name)]) {
    const info = await lstat(path).catch(() => null)
    if (info?.isSymbolicLink() === true)
      return err({
        what: 'the folder of derived data is a link',
        where: path,
        do: 'Put a folder in its place',
      })
  }
  await mkdir(own, { recursive: true }).catch(() => undefined)
  return ok((await mayWrite(own)) ? join(own, name) : join(stateDir, 'vectors', name))
}

function openStored(
  collection: Collection,
  folder: string,
  { env, openStore, trust }: CatalogOptions,
): Omit<Kept, 'stamp'> {
  const manifest = createManifestReader(folder)
  const item = itemOfStore(collection.entry.store)
  let open: Promise<Result<VectorStore, StoreProblem>> | null = null
  /** Versions that this store was opened with or wrote itself. */
  const known = new Set<string>()

  const writtenVersion = async (): Promise<string | null> => {
    const read = await manifest()
    return read === null || read === 'damaged' ? null : read.storeVersion
  }

  const store = async (): Promise<Result<VectorStore, StoreProblem>> => {
    // [V34] A revoked store is not used anymore, even if it is open.
    if (open !== null && item !== null && !trust.may(item, '').ok) await close()
    const written = await writtenVersion()
    // Another program has rebuilt the store, so the open one no longer exists.
    if (open !== null && written !== null && !known.has(written)) await close()
    if (written !== null) known.add(written)
    open ??= openStore({ entry: collection.entry, folder, env, trust })
    const result = await open
    // A store that could not be opened may be available the next time.
    if (!result.ok) open = null
    return result
  }
  const close = async (): Promise<void> => {
    const last = open
    open = null
    const result = await last?.catch(() => null)
    if (result?.ok === true) await result.value.close()
  }
  return {
    close,
    stored: {
      collection,
      folder,
      store,
      manifest,
      save: async (written) => {
        known.add(written.storeVersion)
        await writeManifest(folder, written)
      },
      clear: async () => {
        await close()
        // Another program may be opening it right now.
        await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      },
      alone: createQueue(),
    },
  }
}
