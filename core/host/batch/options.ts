import type { ColumnPart } from '../../engine/rows/column-names.ts'
import type { FormatsOf } from '../transcripts/own-formats.ts'
import type { BatchWorkerData } from './worker-protocol.ts'

/** Progress of a batch. Units are bytes while files are divided, and rows while they are classified. */
export interface BatchProgress {
  readonly stage: 'dividing' | 'classifying'
  readonly done: number
  readonly total: number
}

export interface BatchOptions extends Omit<BatchWorkerData, 'files' | 'memoryMb'> {
  readonly inputs: readonly string[]
  readonly columns: Partial<Record<ColumnPart, string>>
  readonly formats: FormatsOf
  /** Version of the engine, and hashes of both configurations (F110). */
  readonly engine: string
  readonly config: string
  readonly against: string | null
  readonly threads: number
  /** Memory limit of all databases together, in MB. */
  readonly memoryMb: number
  /** The module that a thread runs. */
  readonly worker: URL
  readonly onProgress: (progress: BatchProgress) => void
  readonly signal: AbortSignal
}
