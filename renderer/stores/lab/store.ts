import type { z } from 'zod'
import type { CorpusSession, CorpusTurn, Mark } from '../../../core/wire/contract.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import type {
  Draft,
  DraftProblem,
  FlipReport,
  ListedSignal,
  Side,
  SignalRow,
} from '../../../core/engine/schema/lab.ts'
import type { TurnLabel } from '../../../core/engine/schema/label.ts'
import { type AsyncData, type Failure, idle } from '../../app/async-data.ts'
import { featureStore } from '../../app/query.ts'
import type { Answer } from '../../app/question.ts'

export type CorpusHead = Immutable<z.infer<typeof CorpusSession>>
export type LabTurn = Immutable<z.infer<typeof CorpusTurn>>
export type Corpus = Answer<'lab.open'>
export type LoadedFile = Answer<'draft.load'>
/** As the wire takes them: lists may be written to. */
export type Options = z.input<typeof Draft>['options']
export type WireDraft = z.input<typeof Draft>
export type WireSide = z.input<typeof Side>

/** Which sessions the lab looks at. Nothing chosen = texts of label files only. */
export interface CorpusChoice {
  readonly file: boolean
  readonly folders: readonly string[]
  readonly samples: boolean
}

/** A signal by its place in the draft. */
export interface SignalPlace {
  readonly domain: string
  readonly index: number
}

export const FLIP_FILTERS = ['all', 'primary', 'direct', 'momentum', 'fixed', 'broken'] as const
export type FlipFilter = (typeof FLIP_FILTERS)[number]

export interface FlipsView {
  readonly filter: FlipFilter
  readonly group: 'cause' | 'session'
  /** Key of the current flip in the list (`flipKey`). */
  readonly current: string | null
  /** Flips that are meant to be: hidden, and counted. */
  readonly accepted: ReadonlySet<string>
  readonly showAccepted: boolean
}

/** A row of the table of signals. Its corpus figures are set once the corpus is read. */
export type ShownSignal = ListedSignal & Partial<SignalRow>

export const SIGNAL_COLUMNS = [
  'place',
  'reach',
  'session',
  'corpus',
  'own',
  'precision',
  'change',
  'edited',
] as const
export type SignalColumn = (typeof SIGNAL_COLUMNS)[number]

export interface SignalsView {
  readonly sort: SignalColumn
  readonly down: boolean
  readonly filter: string
}

export interface ShownLabels extends Omit<Answer<'labels.get'>, 'labels'> {
  readonly key: string
  readonly session: number
  readonly bySeq: ReadonlyMap<number, TurnLabel>
}

/** Matches of the draft's signals in rows of the session in view. */
export interface DraftMarks {
  /** Session and draft that they are of. */
  readonly of: string
  readonly bySeq: ReadonlyMap<number, ReadonlyArray<Immutable<Mark>>>
}

/** State of Tune, Flips, Compare, Label and Lab. A separate store, unknown to the session's store. */
export interface LabState {
  readonly choice: CorpusChoice
  readonly corpus: AsyncData<Corpus>
  /** The domain file as saved. */
  readonly file: AsyncData<LoadedFile>
  /** Text of the draft; null before the file is here. */
  readonly text: string | null
  /** Options that differ from the preset's. */
  readonly options: Options
  readonly problems: ReadonlyArray<Immutable<DraftProblem>>
  /** [U220] Of the saved configuration that the last flips were computed for: names and contents of its files. */
  readonly configKey: string | null
  /** The last report stays while the next one is computed, and while the text does not parse. */
  readonly flips: AsyncData<FlipReport>
  readonly flipsView: FlipsView
  readonly signals: AsyncData<{
    readonly rows: readonly ShownSignal[]
    /** Why git was not asked when lines were edited; null = it was, or need not be. */
    readonly restricted: string | null
  }>
  readonly signalsView: SignalsView
  /** The list left of the editor. */
  readonly tuneList: 'signals' | 'reach'
  /** Signal under the cursor, or chosen in the table. */
  readonly signal: SignalPlace | null
  readonly matches: AsyncData<Answer<'lab.matches'>>
  readonly marks: DraftMarks | null
  readonly saving: AsyncData<{ readonly file: string; readonly lines: number; readonly at: number }>
  readonly history: AsyncData<Answer<'draft.history'>['drafts']>
  readonly showDiff: boolean
  /** The version saved by another program, while the draft is based on an earlier version. */
  readonly conflict: LoadedFile | null
  readonly labels: AsyncData<ShownLabels>
  readonly notice: Failure | null
  /** Incremented when labels are written, so that results computed from them are requested again. */
  readonly revision: number
  /** Incremented when files or the configuration change, so that earlier results are no longer shown. */
  readonly epoch: number
}

export const initialLab: LabState = {
  choice: { file: true, folders: [], samples: false },
  corpus: idle,
  file: idle,
  text: null,
  options: {},
  problems: [],
  configKey: null,
  flips: idle,
  flipsView: {
    filter: 'all',
    group: 'cause',
    current: null,
    accepted: new Set(),
    showAccepted: false,
  },
  signals: idle,
  signalsView: { sort: 'place', down: false, filter: '' },
  tuneList: 'signals',
  signal: null,
  matches: idle,
  marks: null,
  saving: idle,
  history: idle,
  showDiff: false,
  conflict: null,
  labels: idle,
  notice: null,
  revision: 0,
  epoch: 0,
}

export const {
  store: lab,
  use: useLab,
  patch: patchLab,
  place: labPlace,
} = featureStore(initialLab)
