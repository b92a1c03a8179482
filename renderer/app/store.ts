import type { StoredUpload } from '../../core/wire/uploads.ts'
import type { CompareChoice, RunChoice, WireCompared } from './compared.ts'
import { type Shut, has } from './api.ts'
import type { z } from 'zod'
import { createStore } from 'zustand/vanilla'
import type {
  DomainInfo,
  EventIndex,
  EventRow,
  HostInfo,
  Opened,
  OpenSource,
  RecentFile,
  Sample,
  Settings,
  TurnscopeContract,
} from '../../core/wire/contract.ts'
import type { TrustState } from '../../core/engine/schema/trust.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'
import type { CallName } from '../../core/wire/rpc.ts'
import type { TurnTrace } from '../../core/engine/schema/trace.ts'
import { type AsyncData, type Failure, type Notice, type Work, idle } from './async-data.ts'
import type { Find, FolderFind } from './find-state.ts'
import { type FoldersState, noFolders } from './folders-state.ts'
import { placesIn } from './query.ts'
import type { Answer } from './question.ts'

export type { RunChoice } from './compared.ts'
export type Row = Immutable<z.infer<typeof EventRow>>
export type Head = Immutable<Opened>['sessions'][number]

/** An answer of the host with the event that it is about. */
type OfEvent<K extends CallName<TurnscopeContract>> = Answer<K> & { readonly seq: number }

export interface Replayed extends Omit<Answer<'session.replay'>, 'kind' | 'from'> {
  /** The other side of the comparison: its display name and its wire value. */
  readonly other: { readonly name: string; readonly wire: WireCompared } | null
}
export type RawRecord = OfEvent<'session.raw'>
/** Self-signals and queries of a whole session. */
export type SessionAnswers = Answer<'session.answers'>
/** One response of the agent, with all that was read in it. */
export type ShownResponse = OfEvent<'session.response'>
/** The prompt of one user message, with its differences. */
export type ShownPrompt = OfEvent<'session.prompt'>

/** `upload`: the id under which the host keeps the bytes (I96); null if a link does not give it. */
export type ShownSource =
  | Exclude<OpenSource, { kind: 'upload' }>
  | {
      readonly kind: 'upload'
      readonly name: string
      readonly upload: string | null
      /** [U186] The workspace mapping that the operator chose for the file. */
      readonly map?: string | undefined
    }

/**
 * [U186] True for files that a mapping can read differently: files from outside, not those that the program creates.
 */
export function isMappable(
  source: ShownSource | null,
): source is Exclude<ShownSource, { kind: 'sample' | 'scratch' | 'result' }> {
  return source?.kind === 'path' || source?.kind === 'upload'
}

/** A file of several; `failure` says why it could not be opened. */
export interface OfferedFile {
  readonly source: ShownSource
  readonly failure: Failure | null
}

export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'online' }
  | { readonly kind: Shut }
  | { readonly kind: 'lost'; readonly attempt: number; readonly retryAt: number }

/** Whether the opened file is watched for appended content. */
export interface Follow {
  readonly state: 'off' | 'watching' | 'restarted' | 'gone'
  /** The end stays in sight; false after the reader went back. */
  readonly stick: boolean
  /** Turns there were when the reader left the end. */
  readonly seen: number
}

export const notFollowing: Follow = { state: 'off', stick: false, seen: 0 }

/** A text copied to the clipboard: its name and the number of redacted values. */
export interface Copied {
  readonly what: string
  readonly redacted: number
  /** The text as it was before. */
  readonly text: string
  /** The text could not be checked, so it was not copied. */
  readonly refused: boolean
  /** [U72] Nothing was looked for: it was copied as it is. */
  readonly asItIs?: boolean
}

/** Host data that is the same for every session. */
export interface DocumentState {
  readonly connection: Connection
  readonly info: AsyncData<Immutable<HostInfo>>
  /** [U202] True once the data of the first screen is known and no link waits for the host's description. */
  readonly started: boolean
  readonly library: AsyncData<{
    readonly samples: ReadonlyArray<Immutable<Sample>>
    readonly recent: ReadonlyArray<Immutable<RecentFile>>
    readonly uploads: readonly StoredUpload[]
  }>
  readonly source: ShownSource | null
  /** [I97] Files that were chosen together: one is shown, the others are a choice away. */
  readonly files: readonly OfferedFile[]
  readonly opened: AsyncData<Immutable<Opened>>
  readonly problems: AsyncData<Answer<'session.problems'>>
  /** Progress of reading the rest of a file already shown; null if no reading is under way. */
  readonly growth: Work | null
  /** [I99] Uploads whose files this browser can read again. */
  readonly held: ReadonlySet<string>
  /** The last file that could not be opened, with its error. */
  readonly refused: { readonly source: ShownSource; readonly failure: Failure } | null
  /** [I85] A file that is being opened while another one stays on screen. */
  readonly pending: ShownSource | null
  /** Changes when the file was replaced and read again. */
  readonly generation: number
  readonly follow: Follow
  /** [V39] Trust state of the workspace, and the list of items it names. */
  readonly trust: AsyncData<TrustState>
  /** Counts up when that has to be asked again; what depends on it has it in its key. */
  readonly trustAsked: number
}

export interface RowWindow {
  /** Key of the configuration for the marks of these rows, taken from `inForce` at the request. */
  readonly of: string
  /** The same as the answer says it, who may know more than the window did before the first replay. */
  readonly marked: string | null
  readonly rows: readonly Row[]
}

/** A place to go to: its turn (from 1) or its event; the first turn without either. */
export interface Awaited {
  readonly turn: number | null
  readonly event: number | null
  /** Event selected until the awaited place exists; null if none is selected yet. */
  readonly meanwhile: number | null
}

/** One session of the opened file, replayed. */
export interface SessionState {
  readonly index: number
  /** The place that the session was opened at, until it has been read. */
  readonly awaited: Awaited | null
  readonly events: AsyncData<EventIndex>
  readonly replay: AsyncData<Replayed>
  readonly domains: AsyncData<ReadonlyArray<Immutable<DomainInfo>>>
  /** Windows of 100 rows by number; the oldest fall out. */
  readonly windows: ReadonlyMap<number, RowWindow>
  /** Rows shown with their whole text, by `seq`. */
  readonly whole: ReadonlyMap<number, Row>
  readonly trace: AsyncData<TurnTrace>
  /** The compared configuration's trace of the selected turn, if the two decide differently. */
  readonly otherTrace: AsyncData<TurnTrace>
  readonly raw: AsyncData<RawRecord>
  readonly answers: AsyncData<SessionAnswers>
  /** [U189] All was read and replayed, and the page had time left since. */
  readonly isDrawn: boolean
}

/** [U133] A stop of a tour, counted from 0. */
export interface TourAt {
  readonly id: string
  readonly step: number
}

/** [U137] Parts of a turn that presenter mode shows, one at a time. */
export const THINGS = ['message', 'decision', 'momentum'] as const
export type Thing = (typeof THINGS)[number]
export interface Present {
  readonly thing: Thing
  readonly isPlaying: boolean
  /** Turns in two seconds. */
  readonly speed: number
}

export const SHOWS = ['all', 'turns', 'flips', 'wrong'] as const
export type Show = (typeof SHOWS)[number]
export type Theme = Settings['theme']
/** Optional elements on screen: tabs of the inspector, optional lanes. */
export interface Shown {
  readonly tabs: readonly string[]
  readonly lanes: readonly string[]
}

/** [U171] The default selection, which is enough for most operators. */
export const FEWEST_SHOWN: Shown = { tabs: ['decision', 'why-not', 'prompt'], lanes: [] }

/** View settings. Some of them are in the URL. */
export interface ViewState {
  readonly run: RunChoice
  readonly compare: CompareChoice | null
  /** [U100] A link compares with the draft, which has to be fetched first. */
  readonly draftWanted: boolean
  /** The one selection: `seq` of an event. */
  readonly selected: number | null
  /** Id of a tab of the inspector: tabs, dock panels and dialogs are named by the features (`features.ts`). */
  readonly tab: string
  readonly show: Show
  /** Domain opened in the inspector; null = the primary. */
  readonly domain: string | null
  /** Signal of that domain whose spans are pointed at. */
  readonly signal: number | null
  readonly theme: Theme
  /** The operating system's preference; `theme: 'system'` follows it. */
  readonly systemDark: boolean
  readonly dialog: string | null
  readonly find: Find | null
  /** The last search over a folder; it stays while files are opened from it. */
  readonly folderFind: FolderFind | null
  /** [U171] Tabs and optional lanes on screen. */
  readonly shown: Shown
  /** [U172] Id of the layout in force; null for the operator's own arrangement. */
  readonly layout: string | null
  /** [F141] Folder of results of a batch in view, over the session; null = the session is in view. */
  readonly results: string | null
  /** Library beside the session on wide windows; on narrow ones it is a drawer. */
  readonly library: boolean
  readonly drawer: boolean
  /** Tab of the dock; null = closed. */
  readonly dock: string | null
  /** Panel of the dock that was open last. */
  readonly lastDock: string
  readonly study: string
  /** Whether prompts include the probe's hits. */
  readonly probeInPrompt: boolean
  /** The tour that is being taken. */
  readonly tour: TourAt | null
  /** Presenter mode; null = the workbench. */
  readonly present: Present | null
  readonly dropping: boolean
  readonly copied: Copied | null
  readonly notice: Notice | null
  /** Digest of the list for which the operator chose "stay restricted" in this window. */
  readonly trustSeen: string | null
  /** Problem whose bytes are shown. */
  readonly badLine: AsyncData<{ readonly place: string; readonly text: string }>
}

export interface State {
  readonly document: DocumentState
  readonly session: SessionState
  readonly folders: FoldersState
  readonly view: ViewState
}

export const DEFAULT_RUN: RunChoice = { preset: 'recommended', domains: 'default', profile: null }

export const emptySession: SessionState = {
  index: 0,
  awaited: null,
  events: idle,
  replay: idle,
  domains: idle,
  windows: new Map(),
  whole: new Map(),
  trace: idle,
  otherTrace: idle,
  raw: idle,
  answers: idle,
  isDrawn: false,
}

export const initialState: State = {
  document: {
    connection: { kind: 'connecting' },
    info: idle,
    started: false,
    library: idle,
    source: null,
    files: [],
    opened: idle,
    problems: idle,
    growth: null,
    held: new Set(),
    pending: null,
    refused: null,
    generation: 0,
    follow: notFollowing,
    trust: idle,
    trustAsked: 0,
  },
  session: emptySession,
  folders: noFolders,
  view: {
    run: DEFAULT_RUN,
    compare: null,
    draftWanted: false,
    selected: null,
    tab: 'decision',
    show: 'all',
    domain: null,
    signal: null,
    theme: 'system',
    systemDark: true,
    dialog: null,
    find: null,
    folderFind: null,
    shown: FEWEST_SHOWN,
    layout: null,
    results: null,
    library: true,
    drawer: false,
    dock: null,
    lastDock: has('edit') ? 'tune' : 'compare',
    study: 'metrics',
    probeInPrompt: false,
    tour: null,
    present: null,
    dropping: false,
    copied: null,
    notice: null,
    trustSeen: null,
    badLine: idle,
  },
}

export const store = createStore<State>(() => initialState)

export function patchDocument(patch: Partial<DocumentState>): void {
  store.setState((state) => ({ document: { ...state.document, ...patch } }))
}

export function patchSession(patch: Partial<SessionState>): void {
  store.setState((state) => ({ session: { ...state.session, ...patch } }))
}

export function patchFolders(patch: Partial<FoldersState>): void {
  store.setState((state) => ({ folders: { ...state.folders, ...patch } }))
}

export function patchView(patch: Partial<ViewState>): void {
  store.setState((state) => ({ view: { ...state.view, ...patch } }))
}

/** A choice as one string: equal strings give equal answers from the host. */
export function runKey(run: RunChoice): string {
  return `${run.preset}\n${run.domains}\n${run.profile ?? ''}`
}

/** Fields of the store that queries show their data in. */
export const documentPlace = placesIn(() => store.getState().document, patchDocument)
export const sessionPlace = placesIn(() => store.getState().session, patchSession)
export const foldersPlace = placesIn(() => store.getState().folders, patchFolders)
export const viewPlace = placesIn(() => store.getState().view, patchView)
