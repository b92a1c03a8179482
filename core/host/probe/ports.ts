import type { EmbedderInfo, TurnscopeContract } from '../../wire/contract.ts'
import type { Output } from '../../wire/method.ts'
import type { Embedder, VectorStore } from '../../engine/probe/ports.ts'
import type { Problem, Result } from '../../engine/result.ts'
import type { CollectionEntry } from '../../engine/schema/probe.ts'
import type { ProbeSettings } from '../../engine/schema/probe-settings.ts'
import type { Permit, TrustGate } from '../platform/trust/gate.ts'

/** An embedder that holds a model or a connection. */
export interface OpenEmbedder extends Embedder {
  close(): Promise<void>
}

/** A model that can be fetched, with the part that is on this machine. Sizes in bytes. */
export type Download = Output<TurnscopeContract, 'probe.embedders'>['downloads'][number]

/** Progress of a download, in bytes. */
export type OnBytes = (done: number, total: number) => void

/** All embedders of this machine and of the settings. Lives in the probe's thread. */
export interface Embedders {
  list(settings: ProbeSettings): Promise<readonly EmbedderInfo[]>
  downloads(): Promise<readonly Download[]>
  /** Opens an embedder by name. Opened ones are kept until `close`. */
  open(name: string, settings: ProbeSettings): Promise<Result<OpenEmbedder>>
  /** Fetches a model at the user's request. Resumes a partial download and verifies every file. */
  download(model: string, progress: OnBytes, signal: AbortSignal): Promise<Result<null>>
  close(): Promise<void>
}

/** Why a store could not be opened: a damaged one is rebuilt from its documents, the others are shown. */
export type StoreProblem = Problem & {
  readonly kind: 'damaged' | 'unreachable' | 'missing_package' | 'refused' | 'restricted'
}

/** Location of a collection's vectors, according to its entry. */
type StoreEntry = NonNullable<CollectionEntry['store']>
export type StoreKind = Exclude<StoreEntry['kind'], 'file'>

/** Input of a driver. */
export interface StorePlace<K extends StoreKind> {
  /** Name of the collection. */
  readonly collection: string
  readonly store: Extract<StoreEntry, { readonly kind: K }>
  /** Folder of the collection's derived data. */
  readonly folder: string
  /** Addresses, keys and passwords, under the names in the entry. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** [V35] The permit for its access; the local store needs none. */
  readonly permit: K extends 'local' ? null : Permit
}

export type OpenDriver<K extends StoreKind> = (
  place: StorePlace<K>,
) => Promise<Result<VectorStore, StoreProblem>>

export type OpenStore = (where: {
  readonly entry: CollectionEntry
  /** Folder of the collection's derived data; the local store keeps everything in it. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Asked before any store but the local one is opened. */
  readonly trust: TrustGate
}) => Promise<Result<VectorStore, StoreProblem>>
