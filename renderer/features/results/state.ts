import {
  type FlipsOf,
  NO_RESULTS_FILTER,
  type PANELS_BY,
  type PANELS_OF,
  type ResultsFilter,
  type ResultsPlace,
} from '../../../core/engine/schema/results.ts'
import { emptyLink, runLink } from '../../app/link.ts'
import { failureOf, host } from '../../app/host.ts'
import { openSource } from '../../app/open.ts'
import { type AsyncData, idle, valueOf } from '../../app/async-data.ts'
import { createQuery, featureStore } from '../../app/query.ts'
import { type Answer, stream } from '../../app/question.ts'
import { createTask } from '../../app/task.ts'
import { patchView, store as app } from '../../app/store.ts'
import { sideInForce } from '../../stores/lab/sides.ts'

/** Result of an edit. */
export type Edited = Answer<'results.edit'>

export type PanelsBy = (typeof PANELS_BY)[number]
export type PanelsOf = (typeof PANELS_OF)[number]

/** Whose flips are on screen. */
export type ShownFlips = 'against' | 'edit'

/** View state of a folder of results. */
export interface ResultsView {
  /** The folder that the rest is of. */
  readonly of: string
  readonly filter: ResultsFilter
  readonly flips: ShownFlips
  /** [F146] The edit that was tried last. */
  readonly edit: AsyncData<Edited>
  /** Small multiples: of what, showing what. */
  readonly panelsBy: PanelsBy
  readonly panelsOf: PanelsOf
  /** The listed panel, and the first row of the page. */
  readonly list: PanelsOf
  readonly from: number
  /** Key of the row that has the keyboard. */
  readonly current: string | null
}

const first: ResultsView = {
  of: '',
  filter: NO_RESULTS_FILTER,
  flips: 'against',
  current: null,
  edit: idle,
  panelsBy: 'file',
  panelsOf: 'turns',
  list: 'turns',
  from: 0,
}

const { store, use, patch, place } = featureStore<ResultsView>(first)
export const useResults = use
export const patchResults = patch

/** Another folder is looked at from the beginning; the same one as it was left. */
export function lookAt(path: string, hasFlips: boolean): void {
  if (store.getState().of === path) return
  trying.leave()
  const shown = hasFlips ? 'flips' : 'turns'
  patch({ ...first, of: path, list: shown, panelsOf: shown })
}

const trying = createQuery<Edited>({
  place: place('edit'),
  onAnswer: () =>
    patch({
      flips: 'edit',
      list: 'flips',
      panelsOf: 'flips',
      from: 0,
      current: null,
    }),
})

/** [F146] Compares the draft of Tune, or the configuration in force, with the decisions of the batch. */
export function tryEdit(path: string): void {
  const { key, ask } = stream('results.edit', { path, side: sideInForce() }, { where: path })
  void trying.ask({ key, ask })
}

export const cancelEdit = (): void => trying.cancel()

/** Flips of the batch, or of the edit that was tried. */
export function chooseFlips(flips: ShownFlips): void {
  patch({ flips, from: 0, current: null })
}

/** The same choice, as input of the call. */
export function flipsOf({ flips, edit }: Pick<ResultsView, 'flips' | 'edit'>): FlipsOf {
  return flips === 'edit' ? (valueOf(edit)?.edit ?? 'against') : 'against'
}

/** Another filter begins at its first row. */
export function filterBy(change: Partial<ResultsFilter>): void {
  patch({ filter: { ...store.getState().filter, ...change }, from: 0, current: null })
}

/** Whether everything is let through. */
export function isEmpty(filter: ResultsFilter): boolean {
  return Object.values(filter).every((value) => value === null)
}

export function clearFilter(): void {
  patch({ filter: NO_RESULTS_FILTER, from: 0, current: null })
}

export function closeResults(): void {
  patchView({ results: null })
}

/** Names a row. */
export function rowKey({ file, row, session, turn }: ResultsPlace): string {
  return JSON.stringify([file, row, session, turn])
}

const following = createTask()

/** [F142] Opens the session of a row at its turn. */
export async function follow(path: string, place: ResultsPlace): Promise<void> {
  patch({ current: rowKey(place) })
  const { signal } = following.begin()
  try {
    const at = { file: place.file, row: place.row, session: place.session, turn: place.turn }
    const { source, session, turn, event } = await host().call('results.place', { path, place: at })
    if (signal.aborted) return
    const { view } = app.getState()
    const link = { ...emptyLink, ...runLink(view), tab: view.tab, source, id: session, event }
    openSource(source, { ...link, turn: turn === null ? null : turn + 1 })
  } catch (error) {
    patchView({ notice: failureOf(error, place.file) })
  }
}
