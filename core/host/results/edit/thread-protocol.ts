import type { Problem } from '../../../engine/result.ts'
import type { ConfigFiles } from '../../workspace/config-files.ts'
import type { useThreadAutomata } from '../../threads/automata-thread.ts'
import type { EditAnswer, EditTask } from './work.ts'

/** Start data of a thread that helps with an edit. */
export interface EditThreadData {
  /** The folder of the results, which records the configuration of the batch. */
  readonly folder: string
  readonly side: ConfigFiles
  readonly hasStates: boolean
  readonly automata: Parameters<typeof useThreadAutomata>[0]
}

/** A request to the thread. The thread starts the next task while another one runs. */
export interface ToEditThread {
  readonly id: number
  readonly task: EditTask
}

export type FromEditThread =
  | {
      readonly kind: 'done'
      readonly id: number
      readonly answer: EditAnswer
      /** All signals that took too long in this thread until now. */
      readonly cut: readonly number[]
    }
  | { readonly kind: 'failed'; readonly problem: Problem }
