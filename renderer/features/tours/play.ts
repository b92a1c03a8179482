import { ANY_SESSION, type Tour, type TourStop } from '../../../core/engine/schema/tour.ts'
import { valueOf } from '../../app/async-data.ts'
import { commandOf } from '../../app/commands.ts'
import { compareBeside, compareOf, compareValue } from '../../app/compared.ts'
import { host } from '../../app/host.ts'
import { openSource } from '../../app/open.ts'
import { focusRegion } from '../../app/regions.ts'
import { runReplay } from '../../app/replay.ts'
import { patchSession, patchView, runKey, type State, store, type TourAt } from '../../app/store.ts'
import { takeEditBack } from './edit.ts'
import { type Decided, fits, loadTours, patchTours, tourNamed, tours } from './store.ts'

/** A stop that is gone to as soon as its session is there. */
let due: TourAt | null = null

/** The stop that the window is at; null without a tour, and for one that is not there. */
export function stopAt(at: TourAt | null): TourStop | null {
  return at === null ? null : (tourNamed(at.id)?.tour.stops[at.step] ?? null)
}

/** [U131] Takes a tour from its first stop; its sample is opened where another session is. */
export async function startTour(id: string): Promise<void> {
  if (tourNamed(id) === null) await loadTours()
  const file = tourNamed(id)
  if (file === null) {
    refuse(`There is no tour "${id}"`, 'Choose one of the list.')
    return
  }
  declineOffer()
  const { view } = store.getState()
  patchTours({ base: { run: view.run, compare: view.compare } })
  if (fits(file.tour)) {
    goToStop(id, 0)
    return
  }
  const samples = valueOf(store.getState().document.library)?.samples ?? []
  if (!samples.some((sample) => sample.id === file.tour.session)) {
    refuse(
      `"${file.tour.title}" is a tour of ${sessionWords(file.tour)}`,
      'Open that first, then take the tour.',
    )
    return
  }
  due = { id, step: 0 }
  patchTours({ base: null })
  openSource({ kind: 'sample', id: file.tour.session })
}

export function sessionWords({ session }: Tour): string {
  return session === ANY_SESSION ? 'any session' : session
}

function refuse(what: string, advice: string): void {
  patchView({ notice: { what, where: 'Tours', do: advice } })
}

/** [U131] The offer of a first run was answered, one way or the other. */
export function declineOffer(): void {
  if (tours.getState().isAnswered) return
  patchTours({ isAnswered: true })
  host()
    .call('settings.set', { tourSeen: true })
    .catch(() => undefined)
}

export function stepTour(by: 1 | -1): void {
  const { tour } = store.getState().view
  const last = (tour && tourNamed(tour.id)?.tour.stops.length) ?? 0
  if (tour === null) return
  const step = tour.step + by
  if (step >= last) closeTour()
  else if (step >= 0) goToStop(tour.id, step)
}

/** Returns false if no tour is running. */
export function closeTour(): boolean {
  const { tour, run, compare } = store.getState().view
  if (tour === null) return false
  takeEditBack()
  const { base } = tours.getState()
  patchTours({ base: null })
  due = null
  const isOther = base !== null && !isSameRun(base, { run, compare })
  patchView({ tour: null, ...(isOther ? base : {}) })
  if (isOther) runReplay()
  focusRegion('list')
  return true
}

function isSameRun(a: Decided, b: Decided): boolean {
  const value = ({ run, compare }: Decided) => compare && compareValue(compare, run)
  return runKey(a.run) === runKey(b.run) && value(a) === value(b)
}

/** [U133] Brings the window to a stop in one step, so that it is one place of the history. */
export function goToStop(id: string, step: number): void {
  const state = store.getState()
  const stop = stopAt({ id, step })
  const replayed = valueOf(state.session.replay)
  if (stop === null || !replayed) return
  takeEditBack()
  const { view } = state
  const base = tours.getState().base ?? { run: view.run, compare: view.compare }
  patchTours({ base })
  const decided = decidedAt(stop, base)
  const isOther = !isSameRun(decided, view)
  const seq = stop.event ?? (isOther ? undefined : replayed.columns.seq[(stop.turn ?? 1) - 1])
  // Turns of another preset are counted when its replay is here.
  if (seq === undefined && stop.turn !== undefined)
    patchSession({ awaited: { turn: stop.turn, event: null, meanwhile: view.selected } })
  patchView({
    tour: { id, step },
    ...(isOther ? decided : {}),
    domain: null,
    signal: null,
    dialog: null,
    show: 'all',
    ...(seq === undefined ? {} : { selected: seq }),
    ...partsOf(stop),
  })
  if (isOther) runReplay()
}

/** Tab and panel of a stop, if this window has them. */
function partsOf({ tab, panel }: TourStop) {
  const isTab = tab !== undefined && commandOf(`tab-${tab}`) !== undefined
  const dock = panel !== undefined && commandOf(`dock-${panel}`) !== undefined ? panel : null
  return { ...(isTab ? { tab } : {}), dock, ...(dock === null ? {} : { lastDock: dock }) }
}

function decidedAt({ preset, compare: other }: TourStop, base: Decided): Decided {
  const info = valueOf(store.getState().document.info)
  if (!info) return base
  const isKnown = info.presets.some(({ name }) => name === preset)
  const run = isKnown && preset !== undefined ? { ...base.run, preset } : base.run
  if (other !== undefined) return { run, compare: compareOf(other, run, info) }
  return { run, compare: base.compare && compareBeside(base.compare, base.run, run) }
}

function goWhenDue(state: State): void {
  if (due === null || state.document.pending !== null || state.view.selected === null) return
  // The session selects its own place first.
  if (state.session.replay.status !== 'ready' || state.session.awaited !== null) return
  const { id, step } = due
  const file = tourNamed(id)
  if (file === null || !fits(file.tour, state)) return
  due = null
  goToStop(id, step)
}

/** A tour whose session is being opened begins when its turns are there. */
export function followDue(): void {
  store.subscribe(goWhenDue)
}

/**
 * A window opened at a stop knows only the name of its tour. A hand-written link may name the stop and no turn. The
 * stop then gives the place.
 */
export function followTour(): void {
  const link = new URLSearchParams(location.hash.slice(1))
  let isBare = link.has('tour') && !link.has('turn') && !link.has('event')
  let asked: string | null = null
  store.subscribe(({ view, document }) => {
    const id = view.tour?.id ?? null
    if (id === asked || document.connection.kind !== 'online') return
    asked = id
    if (isBare && view.tour) due = view.tour
    isBare = false
    if (id !== null && tourNamed(id) === null)
      void loadTours().then(() => goWhenDue(store.getState()))
  })
}
