import { advanced, failed, idle, loading, ready, valueOf } from '../../app/async-data.ts'
import { sessionAddress } from '../coach/coach.ts'
import { failureOf, host, wasCancelled } from '../../app/host.ts'
import { currentEmbedder, isUsable, messageAt, probeNeed, type ProbeNeed } from './selectors.ts'
import { type ProbedTurn, patchProbe, probeStore } from './store.ts'
import { KINDS } from '../../app/select.ts'
import { type State, runKey, store } from '../../app/store.ts'
import { wireConfig } from '../../app/wire.ts'

const USER = KINDS.indexOf('user')
/** A file that grows is probed again when it pauses. */
const GROWN_MS = 1200
const KEEP = 60

let place = ''
let messages = 0
let stop: (() => void) | null = null
let grown: ReturnType<typeof setTimeout> | undefined
let wanted = ''
/** Something was removed: nothing is probed by itself until a person asks, or another session opens. */
let isForgotten = false
let asking: AbortController | null = null
const turns = new Map<string, ProbedTurn>()

/** The session in view and what it is replayed with; empty = none, or not replayed yet. */
function placeOf({ document, session, view }: State): string {
  const opened = valueOf(document.opened)
  if (!opened || session.replay.status !== 'ready') return ''
  return `${opened.key} ${document.generation} ${session.index} ${runKey(view.run)}`
}

/** Messages of persons in the session in view. */
export function messagesOf({ session }: Pick<State, 'session'>): number {
  return valueOf(session.events)?.kind.filter((kind) => kind === USER).length ?? 0
}

/** Follows the session in view and its selection; called once when the page starts. */
export function followProbe(): void {
  let events: unknown = null
  store.subscribe((state) => {
    const now = placeOf(state)
    // The host's probe starts with the first question: not before there is a session to ask about.
    if (now !== '') loadDeskOnce()
    if (valueOf(state.document.opened) === null && place !== '') enter('')
    else if (now !== '' && now !== place) enter(now)
    if (state.session.events !== events) {
      events = state.session.events
      countMessages(state)
    }
    refreshProbe()
  })
}

function countMessages(state: State): void {
  const now = messagesOf(state)
  if (now === messages) return
  messages = now
  if (place === '') return
  clearTimeout(grown)
  grown = setTimeout(probeByItself, GROWN_MS)
}

function enter(now: string): void {
  stop?.()
  stop = null
  place = now
  isForgotten = false
  wanted = ''
  turns.clear()
  messages = messagesOf(store.getState())
  patchProbe({ session: idle, turn: idle })
  if (now !== '') probeByItself()
}

/** The same, unless it is known or under way. */
export function loadDeskOnce(): void {
  if (probeStore.getState().settings.status === 'idle') void loadDesk()
}

/** Settings, embedders and collections, all that the lane needs to say what to do. */
export async function loadDesk(): Promise<void> {
  const now = probeStore.getState()
  patchProbe({
    settings: loading(now.settings),
    embedders: loading(now.embedders),
    collections: loading(now.collections),
  })
  await Promise.all([
    host()
      .call('settings.get', {})
      .then(({ probe }) => patchProbe({ settings: ready(probe) }))
      .catch((error: unknown) =>
        patchProbe({ settings: failed(failureOf(error, 'Settings of the probe')) }),
      ),
    host()
      .call('probe.embedders', {})
      .then((embedders) => patchProbe({ embedders: ready(embedders) }))
      .catch((error: unknown) =>
        patchProbe({ embedders: failed(failureOf(error, 'Embedders'), now.embedders) }),
      ),
    host()
      .call('probe.collections', {})
      .then(({ collections }) => patchProbe({ collections: ready(collections) }))
      .catch((error: unknown) =>
        patchProbe({ collections: failed(failureOf(error, 'Collections'), now.collections) }),
      ),
  ])
  if (probeStore.getState().session.status === 'idle') probeByItself()
}

/** Why the session in view is not probed by itself, or that it is. */
export function needNow(): ProbeNeed {
  const { settings, embedders, collections } = probeStore.getState()
  return probeNeed({
    messages: messagesOf(store.getState()),
    collections: valueOf(collections) ?? [],
    embedder: currentEmbedder(valueOf(embedders)),
    auto: valueOf(settings)?.auto ?? false,
  })
}

function probeByItself(): void {
  if (place !== '' && !isForgotten && needNow() === 'nothing') startProbe()
}

/** Probes the messages of the session in view; hits that are known stay until the new ones are here. */
export function startProbe(): void {
  const address = sessionAddress()
  const asked = place
  if (!address || asked === '') return
  isForgotten = false
  stop?.()
  patchProbe({ session: loading(probeStore.getState().session) })
  const config = wireConfig(store.getState().view.run)
  stop = host().subscribe(
    'probe.session',
    { ...address, config, options: {} },
    {
      next: (message) => {
        if (asked !== place) return
        const { session } = probeStore.getState()
        if (message.kind === 'progress') patchProbe({ session: advanced(session, message) })
        else {
          patchProbe({ session: ready(message) })
          if (needNow() === 'samples') void loadDesk()
          refreshProbe()
        }
      },
      error: (error) => {
        if (asked !== place || wasCancelled(error)) return
        const { session } = probeStore.getState()
        patchProbe({ session: failed(failureOf(error, 'Probe of this session'), session) })
      },
    },
  )
}

export function cancelProbe(): void {
  stop?.()
  stop = null
  const known = valueOf(probeStore.getState().session)
  patchProbe({ session: known ? ready(known) : idle })
}

/** What was probed stands no more; the lane waits for a click. */
export function forgetProbe(): void {
  stop?.()
  stop = null
  turns.clear()
  isForgotten = true
  patchProbe({ session: idle })
}

/** Collections or the embedder changed: what was probed is probed again. */
export function probeAnew(): void {
  turns.clear()
  isForgotten = false
  wanted = ''
  const { session, revision } = probeStore.getState()
  const had = session.status !== 'idle'
  patchProbe({ revision: revision + 1 })
  if (had && valueOf(probeStore.getState().collections)?.some(isUsable) === true) startProbe()
  else {
    cancelProbe()
    patchProbe({ session: idle })
    probeByItself()
  }
  refreshProbe()
}

/** The message that the tab shows for the selection; null when there is none at or before it. */
export function messageOfSelection({ session, view }: State): number | null {
  const kinds = valueOf(session.events)?.kind
  if (!kinds || view.selected === null) return null
  return messageAt((seq) => kinds[seq] === USER, view.selected)
}

/** Fetches the probe of the selected message while its tab is open. `anew` asks again for the same one. */
export function refreshProbe(anew = false): void {
  const state = store.getState()
  // Told of every change: nothing is looked for while another tab is open.
  if (state.view.tab !== 'probe' || place === '') return
  const seq = messageOfSelection(state)
  if (seq === null) return
  const question = `${place} ${seq} ${probeStore.getState().revision}`
  if (question === wanted && !anew) return
  wanted = question
  asking?.abort()
  asking = new AbortController()
  void fetchTurn(seq, question, asking.signal)
}

async function fetchTurn(seq: number, question: string, signal: AbortSignal): Promise<void> {
  const address = sessionAddress()
  if (!address) return
  const known = turns.get(question)
  if (known) {
    patchProbe({ turn: ready(known) })
    return
  }
  patchProbe({ turn: loading(probeStore.getState().turn) })
  try {
    const config = wireConfig(store.getState().view.run)
    const request = { ...address, seq, config, options: {} }
    const turn = { seq, ...(await host().call('probe.turn', request, signal)) }
    if (signal.aborted) return
    // A probe that failed in part may work the next time.
    if (turn.result.errors.length === 0) turns.set(question, turn)
    for (const oldest of turns.keys()) {
      if (turns.size <= KEEP) break
      turns.delete(oldest)
    }
    patchProbe({ turn: ready(turn) })
    // The first probe indexes the samples: what the desk says is old then.
    if (turn.result.skipped === null && needNow() === 'samples') void loadDesk()
  } catch (error) {
    if (!signal.aborted && !wasCancelled(error))
      patchProbe({ turn: failed(failureOf(error, `Event ${seq + 1}`)) })
  }
}
