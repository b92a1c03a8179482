import {
  TourId,
  type Tour,
  type TourPlace,
  type TourStop,
} from '../../../core/engine/schema/tour.ts'
import { type Failure, valueOf } from '../../app/async-data.ts'
import { failureOf, host } from '../../app/host.ts'
import { selectedTurn } from '../../app/selectors.ts'
import { type State, store } from '../../app/store.ts'
import { loadTours, patchTours, type TourFile, tourNamed, tours } from './store.ts'

/** The current place of the window, as a stop; null if no event is selected. */
export function placeNow(state: State = store.getState()): Omit<TourStop, 'say'> | null {
  const { view } = state
  const turn = selectedTurn(state)
  if (view.selected === null) return null
  return {
    ...(turn === null ? { event: view.selected } : { turn: turn + 1 }),
    tab: view.tab,
    ...(view.dock === null ? {} : { panel: view.dock }),
    ...decidedNow(state),
  }
}

/** Preset and other side, unless they are the ones that the sample opens with. */
function decidedNow({ document, view }: State) {
  const { source } = document
  const samples = valueOf(document.library)?.samples ?? []
  const sample = samples.find(({ id }) => source?.kind === 'sample' && source.id === id)
  const { run, compare } = view
  const other = compare?.over === null && compare.preset !== run.preset ? compare.preset : null
  return {
    ...(sample?.preset === run.preset ? {} : { preset: run.preset }),
    ...(other === null || sample?.compare === other ? {} : { compare: other }),
  }
}

/** The session that a tour is recorded for: the sample's id, the file name without extension, or `any`. */
function sessionNow({ document }: State = store.getState()): string {
  const { source } = document
  if (source?.kind === 'sample') return source.id
  const name = valueOf(document.opened)?.name ?? ''
  const stem = name.replace(/(?:\.turnscope)?\.[A-Za-z0-9]{1,8}$/u, '').trim()
  return stem === '' ? 'any' : stem.slice(0, 200)
}

/** `What the API does` → `what-the-api-does`, with a number added if that id exists. */
export function idFor(title: string, taken: readonly string[]): string {
  const plain = title
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-+|-+$/gu, '')
    .slice(0, 50)
  const base = plain === '' ? 'tour' : plain
  const names = [base, ...Array.from({ length: 200 }, (_, at) => `${base}-${at + 2}`)]
  return names.find((name) => !taken.includes(name)) ?? `${base}-${Date.now()}`
}

/** Tours that stops can be added to. */
export function ownTours(files: readonly TourFile[]): readonly TourFile[] {
  return files.filter(({ own }) => own)
}

interface NewStop {
  /** Null: a new tour with this title. */
  readonly id: string | null
  readonly title: string
  readonly say: string
  readonly place: TourPlace | null
}

/** [U135] Adds the place that the window is at to a tour. Answers what went wrong, or null. */
export async function addStop({ id, title, say, place }: NewStop): Promise<Failure | null> {
  const now = placeNow()
  if (now === null) return null
  const stop: TourStop = { ...now, ...(place === null ? {} : { place }), say: oneLine(say) }
  const file = id === null ? null : tourNamed(id)
  if (file) return save(file, { ...file.tour, stops: [...file.tour.stops, stop] })
  const taken = valueOf(tours.getState().listed)?.tours.map((one) => one.id) ?? []
  const tour: Tour = { title: oneLine(title), session: sessionNow(), stops: [stop] }
  return save({ id: idFor(title, taken), fingerprint: null }, tour)
}

/** Joins the lines of a sentence. A stop's sentence is one line of plain text, but the field accepts line breaks. */
export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}

type SavedAs = Pick<TourFile, 'id'> & { readonly fingerprint: string | null }

/** [U135] Writes a tour of the workspace; null takes it away. */
export async function save(
  { id, fingerprint }: SavedAs,
  tour: Tour | null,
): Promise<Failure | null> {
  try {
    await host().call('tour.save', { id: TourId.parse(id), tour, fingerprint })
    await loadTours()
    if (tour === null) patchTours({ editing: null })
    return null
  } catch (error) {
    return failureOf(error, `tours/${id}.yaml`)
  }
}
