import type { Problem } from '../../engine/result.ts'
import type { ConfigFiles } from '../workspace/config-files.ts'
import type { useThreadAutomata } from '../threads/automata-thread.ts'

/** Start data of a batch thread. */
export interface BatchWorkerData {
  readonly out: string
  /** Memory limit of its database. */
  readonly memoryMb: number
  /** Paths of the input, by number. */
  readonly files: readonly string[]
  readonly base: ConfigFiles
  readonly other: ConfigFiles | null
  readonly automata: Parameters<typeof useThreadAutomata>[0]
}

/** A task for the thread. */
export interface BatchTask {
  readonly part: number
}

export type FromBatchWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'rows'; readonly part: number; readonly rows: number }
  | { readonly kind: 'done'; readonly part: number }
  | { readonly kind: 'failed'; readonly problem: Problem }
