import type {
  CoachColumns,
  CoachEstimate,
  CoachKeyState,
  CoachOutput,
  CoachSettings,
} from '../../../core/engine/schema/coach-wire.ts'
import type { CoachTask } from '../../../core/engine/schema/coach.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { type AsyncData, type Progress, idle } from '../../app/async-data.ts'
import { featureStore } from '../../app/query.ts'
import type { Answer } from '../../app/question.ts'
import type { VerdictFilter } from './verdict-rows.ts'

/** Props of parts of the tab: the output that is shown. */
export interface OfOutput {
  readonly output: Immutable<CoachOutput>
}

/** Outputs sent to the model: one, or all of the session (`seqs` null). */
export interface Batch {
  readonly seqs: readonly number[] | null
}

type Done = Extract<Answer<'coach.run'>, { readonly kind: 'done' }>
export type BatchResult = Omit<Done, 'kind'>

/** A batch from its estimate to its result. `judged` counts answers so far. */
export type Run =
  | { readonly status: 'none' }
  | { readonly status: 'estimate'; readonly estimate: AsyncData<CoachEstimate> }
  | {
      readonly status: 'running'
      readonly progress: Progress | null
      readonly since: number
      readonly judged: number
      readonly dollars: number | null
    }
  | { readonly status: 'done'; readonly result: BatchResult; readonly cancelled: boolean }

/** Coach state. Kept separate from the document, because most sessions never use the coach. */
export interface CoachState {
  readonly settings: AsyncData<CoachSettings>
  readonly key: AsyncData<CoachKeyState>
  /** Verdicts of the session in view. */
  readonly columns: AsyncData<Immutable<CoachColumns>>
  readonly output: AsyncData<Immutable<CoachOutput>>
  readonly batch: Batch | null
  readonly run: Run
  /** Tasks given by the operator, by session (V61). */
  readonly tasks: ReadonlyMap<string, CoachTask>
  /** Beginnings of all outputs, for the list of verdicts. */
  readonly previews: AsyncData<Answer<'coach.previews'>>
  readonly filter: VerdictFilter
  /** The current event of the list. */
  readonly current: number | null
}

export const initialCoach: CoachState = {
  settings: idle,
  key: idle,
  columns: idle,
  output: idle,
  batch: null,
  run: { status: 'none' },
  tasks: new Map(),
  previews: idle,
  filter: { type: null, only: 'any', words: '', hypothetical: false },
  current: null,
}

export const {
  store: coachStore,
  use: useCoach,
  patch: patchCoach,
  place: coachPlace,
} = featureStore(initialCoach)
