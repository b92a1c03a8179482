import { valueOf } from '../../app/async-data.ts'
import { focusRegion } from '../../app/regions.ts'
import { move } from '../../app/select.ts'
import { featureStore } from '../../app/query.ts'
import { patchView, type Present, store, type Thing, THINGS } from '../../app/store.ts'
import { createDelay } from '../../app/timing.ts'
import { evidenceOf } from './evidence.ts'

/** A turn is on screen for so long at speed 1, in milliseconds. */
const TURN_MS = 3000
export const SPEEDS = [0.5, 0.75, 1, 1.5, 2, 3, 4, 5] as const

interface Spot {
  /** Event whose evidence is spoken of. */
  readonly seq: number
  /** Place in the list of its matches. */
  readonly at: number
}

interface Spots {
  readonly spot: Spot | null
  /** The last one that a key chose: a long text is cut around it, and stays still under a pointer. */
  readonly anchor: Spot | null
}

/** [U139] The match that is being spoken of. */
export const {
  use: useSpots,
  patch: patchSpots,
  store: spots,
} = featureStore<Spots>({
  spot: null,
  anchor: null,
})

/** [U139] The next or previous match of the message, around the end. */
export function stepEvidence(by: 1 | -1): void {
  const trace = valueOf(store.getState().session.trace)
  const count = trace ? evidenceOf(trace).length : 0
  showThing('message')
  if (!trace || count === 0) return
  const { spot } = spots.getState()
  const from = spot?.seq === trace.seq ? spot.at : by === 1 ? -1 : count
  const next = { seq: trace.seq, at: (from + by + count) % count }
  patchSpots({ spot: next, anchor: next })
}

const first: Present = { thing: 'message', isPlaying: false, speed: 1 }

export function patchPresent(patch: Partial<Present>): void {
  const { present } = store.getState().view
  if (present !== null) patchView({ present: { ...present, ...patch } })
}

/** [U137] Leaves presenter mode. Returns false if it was not active. */
export function leave(): boolean {
  if (store.getState().view.present === null) return false
  patchView({ present: null })
  patchSpots({ spot: null, anchor: null })
  // The workbench is there in the next frame.
  requestAnimationFrame(() => focusRegion('list'))
  return true
}

export function present(): void {
  if (!leave()) patchView({ present: first, dialog: null })
}

/** [U138] A presenter who steps by hand has taken over, so playing stops. */
function byHand(act: () => void): void {
  patchPresent({ isPlaying: false })
  act()
}

export const stepTurn = (by: 1 | -1) => byHand(() => move('turn', by))
export const stepFlip = (by: 1 | -1) => byHand(() => move('flip', by))
export const stepBreak = (by: 1 | -1) => byHand(() => move('break', by))
export const showThing = (thing: Thing) => byHand(() => patchPresent({ thing }))

/** [U137] One thing after the other: after the last one of a turn comes the first of the next. */
export function stepThing(by: 1 | -1): void {
  const thing = store.getState().view.present?.thing ?? 'message'
  const next = THINGS[THINGS.indexOf(thing) + by]
  if (next !== undefined) {
    showThing(next)
    return
  }
  byHand(() => {
    if (move('turn', by)) patchPresent({ thing: by === 1 ? 'message' : 'momentum' })
  })
}

export function togglePlay(): void {
  const { present: now } = store.getState().view
  if (now) patchPresent({ isPlaying: !now.isPlaying })
}

export function changeSpeed(by: 1 | -1): void {
  const { present: now } = store.getState().view
  if (!now) return
  const at = SPEEDS.findIndex((speed) => speed >= now.speed)
  patchPresent({ speed: SPEEDS[at + by] ?? now.speed })
}

/** [U138] Turn after turn while it plays; at the end it stops there. */
export function followPlay(): void {
  const pause = createDelay()
  let running = ''
  const play = () => {
    const { present: now } = store.getState().view
    if (!now?.isPlaying) return
    // A replay that is under way has no next turn yet.
    const isReady = valueOf(store.getState().session.replay) !== null
    if (isReady && !move('turn', 1)) patchPresent({ isPlaying: false })
    else pause.restart(play, TURN_MS / now.speed)
  }
  store.subscribe(({ view: { present: now } }) => {
    const wanted = now?.isPlaying === true ? `at ${now.speed}` : ''
    if (wanted === running) return
    running = wanted
    if (wanted === '') pause.stop()
    else pause.restart(play, TURN_MS / (now?.speed ?? 1))
  })
}
