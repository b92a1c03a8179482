import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import type { ProbeSettings } from '../../../core/engine/schema/probe-settings.ts'
import { collectionStyles, type CollectionStyle } from '../../ui/collection-style.ts'
import { remember } from '../../ui/remember.ts'
import { type AsyncData, type Failure, type Work, idle, valueOf } from '../../app/async-data.ts'
import { featureStore } from '../../app/query.ts'
import type { Answer } from '../../app/question.ts'

export type Embedders = Answer<'probe.embedders'>
export type Embedder = Embedders['embedders'][number]
export type Collection = Answer<'probe.collections'>['collections'][number]
export type Indexed = Answer<'probe.index'>

/** The probe of one user message. */
export type ProbedTurn = Answer<'probe.turn'> & { readonly seq: number }

/** Work that outlives the dialog that it was started in: indexing, a download, a measurement. */
export type Job =
  | { readonly status: 'running'; readonly work: Work }
  | { readonly status: 'done'; readonly told: string; readonly notes: readonly string[] }
  | { readonly status: 'failed'; readonly failure: Failure }

/** Probe state. Kept separate from document state because their lifetimes differ. */
export interface ProbeState {
  /** The probed session and its configuration; empty if there is none. */
  readonly place: string
  /**
   * True after an index was removed. Automatic probes then stop until the operator starts one or opens another session.
   */
  readonly isForgotten: boolean
  readonly settings: AsyncData<Immutable<ProbeSettings>>
  readonly embedders: AsyncData<Embedders>
  readonly collections: AsyncData<readonly Collection[]>
  /** Hits of the session in view. */
  readonly session: AsyncData<Answer<'probe.session'>>
  readonly turn: AsyncData<ProbedTurn>
  /** By `index NAME`, `download MODEL`, `measure NAME`. */
  readonly jobs: ReadonlyMap<string, Job>
  /** Incremented when collections or the embedder change, so that results computed from them are requested again. */
  readonly revision: number
}

export const {
  store: probeStore,
  use: useProbe,
  patch: patchProbe,
  place: probePlace,
} = featureStore<ProbeState>({
  place: '',
  isForgotten: false,
  settings: idle,
  embedders: idle,
  collections: idle,
  session: idle,
  turn: idle,
  jobs: new Map(),
  revision: 0,
})

const styled = remember((names: string) => collectionStyles(names === '' ? [] : names.split('\n')))

/** [D50] One look for a collection everywhere: in the order of the list, then those that only hits name. */
export function stylesOf(state: ProbeState): ReadonlyMap<string, CollectionStyle> {
  const listed = valueOf(state.collections)?.map(({ name }) => name) ?? []
  const hit = valueOf(state.session)?.columns.collections ?? []
  return styled([...listed, ...hit.filter((name) => !listed.includes(name))].join('\n'))
}
