import type { Problem } from '../../../engine/result.ts'
import type { ConfigFiles } from '../../workspace/config-files.ts'
import type { useThreadAutomata } from '../../threads/automata-thread.ts'
import type { EditAnswer, EditTask } from './work.ts'

/** What a thread that helps with an edit is started with. */
export interface EditThreadData {
  /** The folder of the results, which says what the batch classified with. */
  readonly folder: string
  readonly side: ConfigFiles
  readonly hasStates: boolean
  readonly automata: Parameters<typeof useThreadAutomata>[0]
}

/** What it is asked; it begins with a task while another one is worked on. */
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
