import type { CoachLabel } from '../../../core/engine/schema/coach-wire.ts'
import { failed, idle, loading, ready, valueOf } from '../../app/async-data.ts'
import { coachStore, patchCoach } from './store.ts'
import { failureOf, host, wasCancelled } from '../../app/host.ts'
import { nearestOutput, type NearestOutput } from './selectors.ts'
import { type State, patchView, store } from '../../app/store.ts'

/** The session in view as one string; another string means other outputs. Empty = none. */
function placeOf({ document, session }: State): string {
  const opened = valueOf(document.opened)
  // Verdicts come after the replay, which is what people wait for.
  if (!opened || session.replay.status !== 'ready') return ''
  return `${opened.key} ${document.generation} ${session.index}`
}

let place = ''
/** Events of the session whose verdicts were asked for: a file may grow. */
let events = 0
let fetching = false
let wanted = ''
let asking: AbortController | null = null

/** Follows the session in view and its selection; called once when the page starts. */
export function followCoach(): void {
  store.subscribe((state) => {
    if (valueOf(state.document.info) && coachStore.getState().settings.status === 'idle')
      void loadCoachSettings()
    const now = placeOf(state)
    if (valueOf(state.document.opened) === null && place !== '') leave()
    else if (now !== '' && now !== place) {
      place = now
      wanted = ''
      patchCoach({ columns: idle, output: idle })
      void loadVerdicts()
    } else if (now !== '' && countOf(state) !== events) void loadGrown()
    refreshOutput()
  })
}

function countOf({ session }: State): number {
  return valueOf(session.events)?.kind.length ?? 0
}

/** [U2] The session grew: one question at a time, and what was known stays until the answer. */
async function loadGrown(): Promise<void> {
  if (fetching) return
  fetching = true
  await loadVerdicts()
  fetching = false
  if (placeOf(store.getState()) === place && countOf(store.getState()) !== events) await loadGrown()
}

function leave(): void {
  place = ''
  wanted = ''
  patchCoach({ columns: idle, output: idle })
}

/** Where the session in view is, for a call; null when there is none. */
export function sessionAddress(): { readonly key: string; readonly session: number } | null {
  const { document, session } = store.getState()
  const opened = valueOf(document.opened)
  return opened && { key: opened.key, session: session.index }
}

/** Fetches the verdicts of the session in view. Never calls a model. */
export async function loadVerdicts(): Promise<void> {
  const address = sessionAddress()
  const asked = place
  if (!address) return
  const count = countOf(store.getState())
  events = count
  patchCoach({ columns: loading(coachStore.getState().columns) })
  try {
    const columns = await host().call('coach.session', address)
    // A question about more events is on its way, or another session is in view.
    if (asked !== place || count !== events) return
    patchCoach({ columns: ready(columns) })
    refreshOutput()
  } catch (error) {
    if (asked === place)
      patchCoach({ columns: failed(failureOf(error, 'The verdicts of this session')) })
  }
}

/** The output that belongs to the selection; null when there is none. */
export function outputOfSelection(): NearestOutput | null {
  const { session, view } = store.getState()
  const seqs = valueOf(coachStore.getState().columns)?.seq
  const turns = valueOf(session.replay)?.columns.seq
  return view.selected === null || !seqs ? null : nearestOutput(seqs, view.selected, turns)
}

/** Fetches the output that the tab shows for the selection. `anew` asks again for the same one. */
export function refreshOutput(anew = false): void {
  // Told of every change: nothing is looked for while another tab is open.
  if (store.getState().view.tab !== 'coach') return
  const nearest = outputOfSelection()
  if (!nearest) return
  const question = `${place} ${nearest.seq}`
  if (question === wanted && !anew) return
  wanted = question
  asking?.abort()
  asking = new AbortController()
  void fetchOutput(nearest.seq, asking.signal)
}

async function fetchOutput(seq: number, signal: AbortSignal): Promise<void> {
  const address = sessionAddress()
  if (!address) return
  patchCoach({ output: loading(coachStore.getState().output) })
  try {
    const output = await host().call('coach.output', { ...address, seq }, signal)
    if (!signal.aborted) patchCoach({ output: ready(output) })
  } catch (error) {
    if (!signal.aborted && !wasCancelled(error))
      patchCoach({ output: failed(failureOf(error, `Event ${seq + 1}`)) })
  }
}

/** Sets or removes the label of an output; verdicts and the tab follow. */
export async function labelOutput(seq: number, label: CoachLabel | null): Promise<void> {
  const address = sessionAddress()
  if (!address) return
  try {
    await host().call('coach.label', { ...address, seq, label })
    await loadVerdicts()
    refreshOutput(true)
  } catch (error) {
    patchView({ notice: failureOf(error, 'The label of this output') })
  }
}

export async function loadCoachSettings(): Promise<void> {
  patchCoach({ settings: loading(coachStore.getState().settings) })
  try {
    const { coach } = await host().call('settings.get', {})
    patchCoach({ settings: ready(coach) })
  } catch (error) {
    patchCoach({ settings: failed(failureOf(error, 'Settings of the coach')) })
  }
}
