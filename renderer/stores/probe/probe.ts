import type { TrustState } from '../../../core/engine/schema/trust.ts'
import { idle, valueOf } from '../../app/async-data.ts'
import { connectedHost } from '../../app/host.ts'
import { createQuery, followed } from '../../app/query.ts'
import { call, mapped, stream } from '../../app/question.ts'
import { KINDS } from '../../app/select.ts'
import { type State, store } from '../../app/store.ts'
import { createDelay } from '../../app/timing.ts'
import { isSettled } from '../../app/selectors.ts'
import { inForce } from '../../app/wire.ts'
import { remember } from '../../ui/remember.ts'
import {
  asksSamples,
  currentEmbedder,
  isUsable,
  messageAt,
  probeNeed,
  type ProbeNeed,
} from './selectors.ts'
import { patchProbe, probePlace, probeStore } from './store.ts'

const USER = KINDS.indexOf('user')
/** A file that grows is probed again when it pauses. */
const GROWN_MS = 1200
/** Probed messages that are kept of places that were visited. */
const KEEP = 60

/** The session in view and its configuration. Null if no session is open or it is not replayed yet. */
function placeOf(state: State) {
  const about = inForce(state)
  if (!about || state.session.replay.status !== 'ready') return null
  const { address, of } = about
  return { ...about, place: `${address.key} ${address.session} ${of}` }
}

/** Asked at every change of the window: counted once, since 100,000 events take milliseconds. */
const peopleAmong = remember(
  (kinds: readonly number[] | undefined): number =>
    kinds?.filter((kind) => kind === USER).length ?? 0,
)

/** Number of user messages in the session in view. */
export function messagesOf({ session }: Pick<State, 'session'>): number {
  return peopleAmong(valueOf(session.events)?.kind)
}

const probing = createQuery({
  place: probePlace('session'),
  onAnswer: loadSamples,
})

const settings = createQuery({
  place: probePlace('settings'),
  keepWhenFailed: false,
})

const embedders = createQuery({ place: probePlace('embedders') })

const collections = createQuery({ place: probePlace('collections') })

/** Probes a session when it is opened or on request, and again after it has grown and is at rest. */
export function followProbe(): void {
  const grown = createDelay()
  let events: unknown = null
  let messages = 0
  let trusted = ''
  store.subscribe((state) => {
    const now = placeOf(state)
    const { place } = probeStore.getState()
    // The host's probe worker starts with the first request, so it waits until the session is settled.
    if (now && isSettled(state)) loadServiceOnce()
    trusted = loadWhenTrusted(trusted, valueOf(state.document.trust))
    const wanted = valueOf(state.document.opened) === null ? '' : (now?.place ?? place)
    if (state.session.events !== events) {
      events = state.session.events
      const count = messagesOf(state)
      if (count !== messages && place !== '') grown.restart(probeByItself, GROWN_MS)
      messages = count
    }
    if (wanted === place) return
    grown.stop()
    enter(wanted)
  })
}

function enter(place: string): void {
  probing.leave()
  patchProbe({ place, isForgotten: false, session: idle })
  probeByItself()
}

const service = createService()

function createService() {
  let askedOf: unknown = null
  const load = async () => {
    askedOf = connectedHost()
    await Promise.all([
      settings.ask(
        mapped(call('settings.get', {}, { where: 'Settings of the probe' }), ({ probe }) => probe),
      ),
      embedders.ask(call('probe.embedders', {}, { where: 'Embedders' })),
      collections.ask(
        mapped(call('probe.collections', {}, { where: 'Collections' }), (all) => all.collections),
      ),
    ])
    if (probeStore.getState().session.status === 'idle') probeByItself()
  }
  return { load, isOf: (host: unknown) => askedOf === host }
}

/** Settings, embedders and collections, all that the lane needs to say what to do. */
export function loadService(): Promise<void> {
  return service.load()
}

/** Reloads stores and embedders after a change of trust, because they may now be enabled or disabled. */
function loadWhenTrusted(before: string, trust: TrustState | null): string {
  const now = trust === null ? before : `${trust.standing} ${trust.digest}`
  if (before !== '' && now !== before && service.isOf(connectedHost())) void service.load()
  return now
}

/** The same, unless it is known or under way. */
export function loadServiceOnce(): void {
  if (!service.isOf(connectedHost())) void service.load()
}

/** Whether the session in view is probed automatically, or the reason it is not. */
export function needNow(): ProbeNeed {
  const state = probeStore.getState()
  return probeNeed({
    messages: messagesOf(store.getState()),
    collections: valueOf(state.collections) ?? [],
    embedder: currentEmbedder(valueOf(state.embedders)),
    auto: valueOf(state.settings)?.auto ?? false,
    samples: samplesNow(),
  })
}

/** [D70] Whether the sample collections are asked about the session in view. */
export function samplesNow(): boolean {
  return asksSamples(valueOf(probeStore.getState().settings), store.getState().document.source)
}

/** The first probe indexes the samples, so the list of collections is stale and is reloaded. */
function loadSamples(): void {
  if (needNow() === 'samples') void loadService()
}

function probeByItself(): void {
  const { place, isForgotten } = probeStore.getState()
  if (place !== '' && !isForgotten && needNow() === 'nothing') startProbe()
}

/** Probes the messages of the session in view; hits that are known stay until the new ones are here. */
export function startProbe(): void {
  const about = inForce()
  if (!about || probeStore.getState().place === '') return
  patchProbe({ isForgotten: false })
  const { address, config } = about
  const where = 'Probe of this session'
  void probing.ask(stream('probe.session', { ...address, config, options: {} }, { where }))
}

export function cancelProbe(): void {
  probing.cancel()
}

/** Drops probe results that are no longer valid. The lane waits for a click. */
export function forgetProbe(): void {
  probing.leave()
  turn.forget()
  patchProbe({ isForgotten: true, session: idle })
}

/** Probes again after a change of collections or of the embedder. */
export function probeAnew(): void {
  const { session, revision } = probeStore.getState()
  patchProbe({ revision: revision + 1, isForgotten: false })
  const isUsed = session.status !== 'idle'
  if (isUsed && valueOf(probeStore.getState().collections)?.some(isUsable) === true) startProbe()
  else {
    probing.leave()
    patchProbe({ session: idle })
    probeByItself()
  }
}

/** The message that the tab shows for the selection; null if none exists at or before it. */
export function messageOfSelection({ session, view }: State): number | null {
  const kinds = valueOf(session.events)?.kind
  if (!kinds || view.selected === null) return null
  return messageAt((seq) => kinds[seq] === USER, view.selected)
}

/** The probe of the selected message, while its tab is open. */
const turn = followed({
  place: probePlace('turn'),
  keep: KEEP,
  watch: [store, probeStore],
  question: () => {
    const state = store.getState()
    if (valueOf(state.session.replay) === null) return null
    const about = placeOf(state)
    const seq = state.view.tab === 'probe' && about ? messageOfSelection(state) : null
    if (!about || seq === null) return undefined
    const { address, config, of, isLasting } = about
    const question = call(
      'probe.turn',
      { ...address, seq, config, options: {} },
      { where: `Event ${seq + 1}`, of: `${of} ${probeStore.getState().revision}` },
    )
    return mapped(
      question,
      (answer) => ({ seq, ...answer }),
      // A probe that failed in part may work the next time.
      ({ result }) => result.errors.length === 0 && isLasting(),
    )
  },
  onAnswer: ({ result }) => {
    if (result.skipped === null) loadSamples()
  },
})

/** Repeats the probe of the selected message. */
export function refreshProbe(): void {
  void turn.again()
}
