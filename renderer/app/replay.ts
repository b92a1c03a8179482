import { type Link, emptyLink } from './link.ts'
import { advanced, failed, idle, loading, ready, valueOf } from './async-data.ts'
import { type Find, emptyFind } from '../features/find/find-state.ts'
import { findAgain } from '../features/find/find.ts'
import { refreshFolder } from '../features/library/folders.ts'
import { failureOf, host } from './host.ts'
import { loadOracle } from '../features/self-signals/answers.ts'
import { refreshSelection, selectAwaited, selectFirst, selectNewest } from './select.ts'
import { forgetRequests, refreshWhole } from '../features/turns/rows.ts'
import { isSticking } from '../features/follow/stick.ts'
import { type RunChoice, emptySession, patchSession, patchView, runKey, store } from './store.ts'
import { wireConfig } from './wire.ts'

let cancel: (() => void) | null = null
/** Events of the session when its last replay began. */
let covered = 0
/** A replay of a session that has grown is due. */
let due: ReturnType<typeof setTimeout> | undefined

/** Shows one session of the opened file: its index, its replay, then the turn that `link` names. */
export function startSession(index: number, link: Link = emptyLink): void {
  const opened = valueOf(store.getState().document.opened)
  if (!opened) return
  stopReplay()
  forgetRequests()
  store.setState({ session: { ...emptySession, index, events: loading() } })
  patchView({ selected: null, find: findOf(link), domain: null, signal: null })
  if (link.tab) patchView({ tab: link.tab })
  if (link.show) patchView({ show: link.show })
  if (link.dock) patchView({ dock: link.dock })
  if (link.study) patchView({ study: link.study })
  host()
    .call('session.index', { key: opened.key, session: index })
    .then((events) => {
      if (store.getState().session.index !== index) return
      patchSession({ events: ready(events) })
      selectFirst(link)
    })
    .catch((error: unknown) => patchSession({ events: failed(failureOf(error, opened.name)) }))
  runReplay(() => selectFirst(link))
}

function findOf({ find: query, only, scope }: Link): Find | null {
  return query === null ? null : { ...emptyFind, query, only, scope }
}

/**
 * The session has more events than its last replay saw: it is replayed again, at most a third of the
 * time while the file is being read, sooner when somebody follows it.
 */
export function replayGrown(): void {
  const { document, session } = store.getState()
  if (due !== undefined || session.replay.status === 'loading' || !isBehind()) return
  const least = valueOf(document.opened)?.complete === false ? LEAST_READING_MS : LEAST_FOLLOWING_MS
  const last = valueOf(session.replay)?.elapsedMs ?? 0
  due = setTimeout(
    () => {
      due = undefined
      if (isBehind()) runReplay(afterGrowth)
    },
    Math.min(MOST_WAIT_MS, Math.max(least, 2 * last)),
  )
}

const LEAST_READING_MS = 1200
const LEAST_FOLLOWING_MS = 120
const MOST_WAIT_MS = 8000

function isBehind(): boolean {
  return (valueOf(store.getState().session.events)?.kind.length ?? 0) > covered
}

function afterGrowth(): void {
  if (isSticking(store.getState())) selectNewest()
  else selectAwaited()
  refreshSelection()
}

/** Replays the session in view with the chosen configuration and the one compared with. */
export function runReplay(done: () => void = refreshSelection): void {
  const { document, session, view } = store.getState()
  const opened = valueOf(document.opened)
  if (!opened) return
  stopReplay()
  covered = opened.sessions[session.index]?.events ?? 0
  patchSession({ replay: loading(session.replay) })
  void refreshWhole()
  void loadDomains(view.run)
  cancel = host().subscribe(
    'session.replay',
    {
      key: opened.key,
      session: session.index,
      config: wireConfig(view.run),
      compare: view.compare && wireConfig(view.compare),
    },
    {
      next: (message) => {
        if (message.kind === 'progress') {
          patchSession({ replay: advanced(store.getState().session.replay, message) })
          return
        }
        patchSession({ replay: ready(message) })
        done()
        void loadOracle()
        void findAgain()
        replayGrown()
      },
      error: (error) => {
        const { replay } = store.getState().session
        patchSession({ replay: failed(failureOf(error, opened.name), replay) })
      },
      end: () => {
        cancel = null
      },
    },
  )
}

async function loadDomains(run: RunChoice): Promise<void> {
  const { domains } = store.getState().session
  try {
    const answer = await host().call('host.domains', { preset: run.preset, domains: run.domains })
    if (runKey(run) === runKey(store.getState().view.run))
      patchSession({ domains: ready(answer.domains) })
  } catch (error) {
    patchSession({ domains: failed(failureOf(error, run.domains), domains) })
  }
}

/** Stops a replay under way. */
export function stopReplay(): void {
  clearTimeout(due)
  due = undefined
  cancel?.()
  cancel = null
}

/** The Cancel button: keeps what was shown before. */
export function cancelReplay(): void {
  stopReplay()
  const { replay } = store.getState().session
  const previous = valueOf(replay)
  patchSession({
    replay: previous
      ? ready(previous)
      : failed({
          what: 'The replay was cancelled',
          where: 'this session',
          do: 'Choose a preset to run it again.',
        }),
  })
}

/** Changes what the replay runs with. The comparison follows domain file and profile. */
export function chooseRun(patch: Partial<RunChoice>): void {
  const { view } = store.getState()
  const run = { ...view.run, ...patch }
  if (runKey(run) === runKey(view.run)) return
  const other = view.compare && { ...run, preset: view.compare.preset }
  const compare = other?.preset === run.preset ? null : other
  patchView({ run, compare, show: showAfter(compare) })
  runReplay()
  refreshFolder()
  rememberRun(run)
}

/** Compares with a second preset; null ends the comparison. */
export function chooseCompare(preset: string | null): void {
  const { view } = store.getState()
  const compare = preset === null || preset === view.run.preset ? null : { ...view.run, preset }
  patchView({ compare, show: showAfter(compare) })
  patchSession({ otherTrace: idle })
  runReplay()
  refreshFolder()
}

/** Without a comparison there are no flips to list. */
function showAfter(compare: RunChoice | null) {
  const { show } = store.getState().view
  return compare === null && show === 'flips' ? 'all' : show
}

function rememberRun(run: RunChoice): void {
  host()
    .call('settings.set', run)
    .catch(() => undefined)
}
