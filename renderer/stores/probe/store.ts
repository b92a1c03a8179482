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

/** The probe of one message of a person. */
export type ProbedTurn = Answer<'probe.turn'> & { readonly seq: number }

/** Work that outlives the dialog that it was started in: indexing, a download, a measurement. */
export type Job =
  | { readonly status: 'running'; readonly work: Work }
  | { readonly status: 'done'; readonly told: string; readonly notes: readonly string[] }
  | { readonly status: 'failed'; readonly failure: Failure }

/** What is known of the probe: kept apart from the document, since it has a life of its own. */
export interface ProbeState {
  /** The session that is probed and what it is replayed with; empty = none. */
  readonly place: string
  /** Something was removed: nothing is probed by itself until a person asks, or another session opens. */
  readonly isForgotten: boolean
  readonly settings: AsyncData<Immutable<ProbeSettings>>
  readonly embedders: AsyncData<Embedders>
  readonly collections: AsyncData<readonly Collection[]>
  /** Hits of the session in view. */
  readonly session: AsyncData<Answer<'probe.session'>>
  readonly turn: AsyncData<ProbedTurn>
  /** By `index NAME`, `download MODEL`, `measure NAME`. */
  readonly jobs: ReadonlyMap<string, Job>
  /** Rises when collections or the embedder changed: what was computed from them is asked for again. */
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
