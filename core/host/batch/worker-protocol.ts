import type { Problem } from '../../engine/result.ts'
import type { ConfigFiles } from '../workspace/config-files.ts'
import type { useThreadAutomata } from '../threads/automata-thread.ts'

/** What a thread of a batch is started with. */
export interface BatchWorkerData {
  readonly out: string
  /** What its database may hold in memory. */
  readonly memoryMb: number
  /** Paths of the input, by number. */
  readonly files: readonly string[]
  readonly base: ConfigFiles
  readonly other: ConfigFiles | null
  readonly automata: Parameters<typeof useThreadAutomata>[0]
}

/** What it is told to do. */
export interface BatchTask {
  readonly part: number
}

export type FromBatchWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'rows'; readonly part: number; readonly rows: number }
  | { readonly kind: 'done'; readonly part: number }
  | { readonly kind: 'failed'; readonly problem: Problem }
