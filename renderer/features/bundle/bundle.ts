import { createStore, useStore } from 'zustand'
import type { BudgetOverrides, BundleEstimatorName } from '../../../core/engine/schema/bundle.ts'
import type { BuiltStep, BundleLibrary, StepBar } from '../../../core/engine/schema/bundle-wire.ts'
import { type AsyncData, failed, idle, loading, ready, valueOf } from '../../app/async-data.ts'
import { failureOf, host, wasCancelled } from '../../app/host.ts'
import { KINDS } from '../../app/select.ts'
import { remember } from '../../ui/remember.ts'
import { type State, store } from '../../app/store.ts'

/** Limits that are tried out over those of records and presets. Never written to a file. */
export interface Tried {
  readonly estimator: BundleEstimatorName | null
  readonly budgets: BudgetOverrides
}
export const NOTHING_TRIED: Tried = { estimator: null, budgets: {} }

export interface SessionSteps {
  readonly steps: readonly StepBar[]
  readonly words: readonly string[]
}

export interface ShownStep {
  readonly seq: number
  readonly built: BuiltStep
}

/** Pipeline steps of the session in view. A store of its own: nothing else reads or writes it. */
export interface BundleState {
  readonly tried: Tried
  readonly steps: AsyncData<SessionSteps>
  /** The selected step, while a tab shows it. */
  readonly shown: AsyncData<ShownStep>
  readonly library: AsyncData<BundleLibrary>
}

export const emptyBundles: BundleState = {
  tried: NOTHING_TRIED,
  steps: idle,
  shown: idle,
  library: idle,
}
export const bundles = createStore<BundleState>(() => emptyBundles)

export function useBundles<T>(pick: (state: BundleState) => T): T {
  return useStore(bundles, pick)
}

const STEP = KINDS.indexOf('step')
const hasSteps = remember((kinds: readonly number[]) => kinds.includes(STEP))

/** Whether the session has step events; null while its index is not here. */
export function sessionHasSteps({ session }: State): boolean | null {
  const events = valueOf(session.events)
  return events && hasSteps(events.kind)
}

/** `seq` of the selected event where it is a step, else null. */
export function selectedStep({ session, view }: State): number | null {
  if (view.selected === null) return null
  return valueOf(session.events)?.kind[view.selected] === STEP ? view.selected : null
}

interface Place {
  readonly key: string
  readonly session: number
  readonly preset: string
}

function placeOf(state: State): Place | null {
  const opened = valueOf(state.document.opened)
  if (!opened || sessionHasSteps(state) !== true) return null
  return { key: opened.key, session: state.session.index, preset: state.view.run.preset }
}

/** Milliseconds without another change before the host is asked. */
const PAUSE = 110
const KEEP = 24
const known = new Map<string, BuiltStep>()
let timer: ReturnType<typeof setTimeout> | undefined
let askingSteps: AbortController | null = null
let askingStep: AbortController | null = null

/** Follows session, preset, selection and tab of the window, and keeps the steps up to date with them. */
export function followBundles(): () => void {
  let place = ''
  let step = ''
  const look = (state: State) => {
    const now = placeOf(state)
    const key = now === null ? '' : `${now.key} ${now.session} ${now.preset}`
    if (key !== place) {
      const other = place.split(' ').slice(0, 2).join(' ') !== key.split(' ').slice(0, 2).join(' ')
      place = key
      step = ''
      if (other) reset()
      if (now) {
        void loadSteps()
        void loadLibrary()
      }
    }
    const tabs = state.view.tab === 'budget' || state.view.tab === 'bundle'
    const wanted = tabs && now ? `${key} ${selectedStep(state) ?? ''}` : ''
    if (wanted === step) return
    step = wanted
    void loadStep()
  }
  return store.subscribe(look)
}

function reset(): void {
  clearTimeout(timer)
  askingSteps?.abort()
  askingStep?.abort()
  bundles.setState(({ library }) => ({ ...emptyBundles, library }))
}

/** Tries other limits: every step is built again after a pause; older questions are given up. */
export function tryLimits(tried: Tried): void {
  bundles.setState({ tried })
  clearTimeout(timer)
  timer = setTimeout(() => {
    void loadStep()
    void loadSteps()
  }, PAUSE)
}

function wireChoice(place: Place) {
  const { estimator, budgets } = bundles.getState().tried
  return { preset: place.preset, estimator, budgets: { ...budgets }, root: null }
}

export async function loadSteps(): Promise<void> {
  askingSteps?.abort()
  const place = placeOf(store.getState())
  if (!place) return
  const { signal } = (askingSteps = new AbortController())
  bundles.setState(({ steps }) => ({ steps: loading(steps) }))
  try {
    const { key, session } = place
    const input = { key, session, choice: wireChoice(place) }
    const answer = await host().call('bundle.session', input, signal)
    if (!signal.aborted) bundles.setState({ steps: ready(answer) })
  } catch (error) {
    if (!wasCancelled(error) && !signal.aborted)
      bundles.setState({ steps: failed(failureOf(error, 'Steps of this session')) })
  }
}

/** Fetches the selected step, where a tab shows it. */
export async function loadStep(): Promise<void> {
  askingStep?.abort()
  const state = store.getState()
  const place = placeOf(state)
  const seq = selectedStep(state)
  if (!place || seq === null) return
  const { key, session } = place
  const input = { key, session, seq, choice: wireChoice(place) }
  const question = JSON.stringify(input)
  const old = known.get(question)
  if (old) {
    bundles.setState({ shown: ready({ seq, built: old }) })
    return
  }
  const { signal } = (askingStep = new AbortController())
  bundles.setState(({ shown }) => ({ shown: loading(shown) }))
  try {
    const built = await host().call('bundle.step', input, signal)
    if (signal.aborted) return
    known.set(question, built)
    for (const oldest of known.keys()) {
      if (known.size <= KEEP) break
      known.delete(oldest)
    }
    bundles.setState({ shown: ready({ seq, built }) })
  } catch (error) {
    if (!wasCancelled(error) && !signal.aborted)
      bundles.setState({ shown: failed(failureOf(error, `Event ${seq + 1}`)) })
  }
}

/** What bundles are made from; read once. */
export async function loadLibrary(): Promise<void> {
  const { library } = bundles.getState()
  if (library.status === 'ready' || library.status === 'loading') return
  bundles.setState({ library: loading() })
  try {
    bundles.setState({ library: ready(await host().call('bundle.library', {})) })
  } catch (error) {
    bundles.setState({ library: failed(failureOf(error, 'prompts/steps')) })
  }
}

/** Bars of the session's steps by `seq` of their events. */
export const barsBySeq = remember(
  (steps: readonly StepBar[]): ReadonlyMap<number, StepBar> =>
    new Map(steps.map((bar) => [bar.seq, bar])),
)
