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
import { featureStore } from '../../app/query.ts'
import { createTask } from '../../app/task.ts'
import { patchView, store as app } from '../../app/store.ts'

export type PanelsBy = (typeof PANELS_BY)[number]
export type PanelsOf = (typeof PANELS_OF)[number]

/** How a folder of results is looked at. */
export interface ResultsView {
  /** The folder that the rest is of. */
  readonly of: string
  readonly filter: ResultsFilter
  readonly flips: FlipsOf
  /** Small multiples: of what, showing what. */
  readonly panelsBy: PanelsBy
  readonly panelsOf: PanelsOf
  /** What is listed, and the row at which the page begins. */
  readonly list: PanelsOf
  readonly from: number
  /** Key of the row that has the keyboard. */
  readonly current: string | null
}

const first: ResultsView = {
  ...{ of: '', filter: NO_RESULTS_FILTER, flips: 'against', current: null },
  ...{ panelsBy: 'file', panelsOf: 'turns', list: 'turns', from: 0 },
}

const { store, use, patch } = featureStore<ResultsView>(first)
export const useResults = use
export const patchResults = patch

/** Another folder is looked at from the beginning; the same one as it was left. */
export function lookAt(path: string, hasFlips: boolean): void {
  if (store.getState().of === path) return
  const shown = hasFlips ? 'flips' : 'turns'
  patch({ ...first, of: path, list: shown, panelsOf: shown })
}

/** Another filter begins at its first row. */
export function filterBy(change: Partial<ResultsFilter>): void {
  patch({ filter: { ...store.getState().filter, ...change }, from: 0, current: null })
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
    const link = { ...emptyLink, ...runLink(view), tab: view.tab, source, event }
    openSource(source, { ...link, turn: turn === null ? null : turn + 1 }, session)
  } catch (error) {
    patchView({ notice: failureOf(error, place.file) })
  }
}
