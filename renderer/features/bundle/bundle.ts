import type { BudgetOverrides, BundleEstimatorName } from '../../../core/engine/schema/bundle.ts'
import type { BuiltStep, BundleLibrary, StepBar } from '../../../core/engine/schema/bundle-wire.ts'
import { type AsyncData, idle, valueOf } from '../../app/async-data.ts'
import { featureStore, followed } from '../../app/query.ts'
import { call, mapped } from '../../app/question.ts'
import { KINDS, selectedStep } from '../../app/select.ts'
import { remember } from '../../ui/remember.ts'
import { type State, store } from '../../app/store.ts'
import { createDelay } from '../../app/timing.ts'
import { inForce, sessionAddress } from '../../app/wire.ts'

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

/** Pipeline steps of the session in view. A separate store, because no other feature reads or writes it. */
export interface BundleState {
  readonly tried: Tried
  /** The same once nothing was changed for a moment. */
  readonly settled: Tried
  readonly steps: AsyncData<SessionSteps>
  /** The selected step, while a tab shows it. */
  readonly shown: AsyncData<ShownStep>
  readonly library: AsyncData<BundleLibrary>
}

export const emptyBundles: BundleState = {
  tried: NOTHING_TRIED,
  settled: NOTHING_TRIED,
  steps: idle,
  shown: idle,
  library: idle,
}
export const { store: bundles, use: useBundles, place: bundlePlace } = featureStore(emptyBundles)

const STEP = KINDS.indexOf('step')
const hasSteps = remember((kinds: readonly number[]) => kinds.includes(STEP))

/** Whether the session has step events; null while its index is not here. */
export function sessionHasSteps({ session }: State): boolean | null {
  const events = valueOf(session.events)
  return events && hasSteps(events.kind)
}

/** Milliseconds without another change before the host is asked. */
const PAUSE = 110
const KEEP = 24
const settling = createDelay()

/** Tries other limits: every step is built again after a pause; older questions are given up. */
export function tryLimits(tried: Tried): void {
  bundles.setState({ tried })
  settling.restart(() => bundles.setState({ settled: tried }), PAUSE)
}

/** Tried limits belong to one session. */
export function followBundles(): () => void {
  let before = ''
  return store.subscribe((state) => {
    const now = JSON.stringify(sessionAddress(state))
    if (now === before) return
    before = now
    settling.stop()
    bundles.setState({ tried: NOTHING_TRIED, settled: NOTHING_TRIED })
  })
}

/** Address of the steps and the inputs of their build; null without steps, or before they are replayed. */
function aboutSteps() {
  const state = store.getState()
  const about = inForce(state)
  if (!about || sessionHasSteps(state) !== true || !valueOf(state.session.replay)) return null
  const { estimator, budgets } = bundles.getState().settled
  const choice = { preset: about.config.preset, estimator, budgets: { ...budgets }, root: null }
  return { ...about, choice }
}

followed({
  place: bundlePlace('steps'),
  keepWhenFailed: false,
  watch: [store, bundles],
  question: () => {
    const about = aboutSteps()
    if (!about) return null
    const { address, choice, of } = about
    return call('bundle.session', { ...address, choice }, { where: 'Steps of this session', of })
  },
})

/** The selected step, if a tab shows it. */
followed<ShownStep>({
  place: bundlePlace('shown'),
  keep: KEEP,
  watch: [store, bundles],
  question: () => {
    const about = aboutSteps()
    if (!about) return null
    const state = store.getState()
    const seq = selectedStep(state)
    if ((state.view.tab !== 'budget' && state.view.tab !== 'bundle') || seq === null)
      return undefined
    const { address, choice, of, isLasting } = about
    const question = call(
      'bundle.step',
      { ...address, seq, choice },
      { where: `Event ${seq + 1}`, of },
    )
    return mapped(question, (built) => ({ seq, built }), isLasting)
  },
})

/** Sources that bundles are made from; read once. */
const LIBRARY = call('bundle.library', {}, { where: 'prompts/steps' })
const library = followed({
  place: bundlePlace('library'),
  watch: [store],
  question: () => (sessionHasSteps(store.getState()) === true ? LIBRARY : undefined),
})

export function loadLibrary(): void {
  library.show(LIBRARY)
}

/** Bars of the session's steps by `seq` of their events. */
export const barsBySeq = remember(
  (steps: readonly StepBar[]): ReadonlyMap<number, StepBar> =>
    new Map(steps.map((bar) => [bar.seq, bar])),
)
