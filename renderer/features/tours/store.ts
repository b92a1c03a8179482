import { isTourOf, type Tour } from '../../../core/engine/schema/tour.ts'
import { type AsyncData, idle, valueOf } from '../../app/async-data.ts'
import type { CompareChoice, RunChoice } from '../../app/compared.ts'
import { createQuery, featureStore } from '../../app/query.ts'
import { type Answer, call } from '../../app/question.ts'
import { onSaved } from '../../app/saved.ts'
import { type State, store } from '../../app/store.ts'

export type Listed = Answer<'tour.list'>
export type TourFile = Listed['tours'][number]

/** Configuration and comparison that decide turns. */
export interface Decided {
  readonly run: RunChoice
  readonly compare: CompareChoice | null
}

interface ToursState {
  readonly listed: AsyncData<Listed>
  /** As it was when the tour began; stops change it for themselves only. */
  readonly base: Decided | null
  /** An edit made at a stop, kept for undo. */
  readonly edit: { readonly before: string; readonly after: string } | null
  /** Tour that is edited in the dialog. */
  readonly editing: string | null
  /** [U131] The offer of a first run was answered: in this window, or before it came (by the settings). */
  readonly isAnswered: boolean
}

const own = featureStore<ToursState>({
  listed: idle,
  base: null,
  edit: null,
  editing: null,
  isAnswered: false,
})
export const { store: tours, patch: patchTours, use: useTours } = own

const listing = createQuery({ place: own.place('listed') })

/** Loads all tours, including those saved in the meantime. */
export function loadTours(): Promise<void> {
  return listing.ask(call('tour.list', {}, { where: 'Tours' }))
}

export function followTours(): void {
  onSaved('tours', () => {
    if (tours.getState().listed.status !== 'idle') void loadTours()
  })
}

export function tourNamed(id: string): TourFile | null {
  return valueOf(tours.getState().listed)?.tours.find((one) => one.id === id) ?? null
}

/** [U131] Whether the open session is the one that a tour walks through. */
export function fits(tour: Tour, { document }: State = store.getState()): boolean {
  const { source } = document
  const opened = valueOf(document.opened)
  if (!opened || source === null) return false
  const names = [opened.name, ...(source.kind === 'sample' ? [source.id] : [])]
  return names.some((name) => isTourOf(tour, name))
}
