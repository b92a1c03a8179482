import type { Result } from '../result.ts'
import type { ProbeHit } from '../schema/probe.ts'

/** Turns texts into unit vectors. One model, one weight file: vectors of different ids are never mixed. */
export interface Embedder {
  /** Model and weights, for example `minilm-l6-v2:f20d0d47`. */
  readonly id: string
  /** Null until the first answer, where only the model knows. */
  readonly dimensions: number | null
  /** [L29] Least cosine of a hit, measured for this model; null = not measured. */
  readonly threshold: number | null
  /** Whether texts leave the machine. */
  readonly remote: boolean
  /** One vector a text, in order, each of length 1. */
  embed(texts: readonly string[], signal: AbortSignalLike): Promise<Result<readonly Float32Array[]>>
}

/** The part of AbortSignal that the engine needs. The engine uses neither Node nor DOM types. */
export interface AbortSignalLike {
  readonly aborted: boolean
}

/** A chunk near a query; `lexical` is null if the store cannot compute it. */
export type Candidate = Pick<
  ProbeHit,
  'chunk_text' | 'filename' | 'chunk_idx' | 'lines' | 'similarity' | 'lexical'
>

/** A query against one collection. */
export interface Query {
  readonly text: string
  readonly vector: Float32Array
}

/** A collection as the probe sees it. */
export interface ProbeCollection {
  readonly name: string
  /** Changes with every change of its chunks: cached hits of another version are not used. */
  readonly version: string
  /** Embedder that its vectors were made with; null = empty. */
  readonly embedder: string | null
  /** [L29] Threshold of this collection for this embedder: configured, or raised by calibration; null = the embedder's. */
  readonly threshold: number | null
  readonly persona: string | null
  /** Words that select the collection if the probe finds nothing. */
  readonly keywords: readonly string[]
  /**
   * Candidates by query, best cosine first: the `k` nearest and, for hybrid rules, the `k` with the
   * best lexical coverage, each with both numbers.
   */
  search(
    queries: readonly Query[],
    k: number,
    signal: AbortSignalLike,
  ): Promise<Result<ReadonlyArray<readonly Candidate[]>>>
}

export interface ProbePorts {
  readonly embedder: Embedder
  readonly collections: readonly ProbeCollection[]
  /** Milliseconds from any start. */
  readonly clock: () => number
  readonly signal: AbortSignalLike
}

/** A chunk on its way into a store. */
export interface ChunkRecord {
  readonly filename: string
  readonly chunk_idx: number
  readonly text: string
  readonly heading: string | null
  readonly lines: readonly [number, number] | null
  /** Hash of the text, hex. */
  readonly hash: string
}

export interface StoreStats {
  readonly chunks: number
  readonly documents: number
  readonly bytes: number
  readonly dimensions: number | null
  readonly embedder: string | null
  readonly version: string
}

/** Vectors of one collection, wherever they are. All drivers pass one conformance suite. */
export interface VectorStore {
  readonly stats: () => Promise<Result<StoreStats>>
  /** Refused if embedder or dimensions differ from the stored ones. Replaces chunks of the same file and index. */
  readonly upsert: (
    embedder: string,
    chunks: ReadonlyArray<{ readonly chunk: ChunkRecord; readonly vector: Float32Array }>,
  ) => Promise<Result<null>>
  /** Takes away all chunks of these files. */
  readonly remove: (filenames: readonly string[]) => Promise<Result<null>>
  readonly search: (
    queries: readonly Query[],
    options: {
      readonly k: number
      readonly filenames?: readonly string[]
      readonly signal?: AbortSignalLike
    },
  ) => Promise<Result<ReadonlyArray<readonly Candidate[]>>>
  /** Chunks of one file from index `from` to `to`, exclusive. */
  readonly chunks: (
    filename: string,
    from: number,
    to: number,
  ) => Promise<Result<readonly ChunkRecord[]>>
  readonly close: () => Promise<void>
}
