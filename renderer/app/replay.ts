import { type Link, emptyLink, stageOf } from './link.ts'
import { failed, valueOf } from './async-data.ts'
import {
  type CompareChoice,
  compareBeside,
  compareName,
  compareOf,
  wireCompared,
} from './compared.ts'
import { type Find, emptyFind } from './find-state.ts'
import { tell } from './tell.ts'
import { host } from './host.ts'
import { createQuery, followed } from './query.ts'
import { type Answer, call, mapped, stream } from './question.ts'
import { selectAwaited, selectNewest } from './select.ts'
import { firstRows, forgetRows, refreshWhole } from './rows.ts'
import { joinColumns } from '../../core/wire/replay-part.ts'
import { isSticking } from './stick.ts'
import { createDelay } from './timing.ts'
import {
  type Replayed,
  type RunChoice,
  emptySession,
  patchSession,
  patchView,
  runKey,
  store,
  sessionPlace,
} from './store.ts'
import { inForce, sessionAddress, wireConfigs } from './wire.ts'

/** The events of the session in view. */
const index = createQuery({
  place: sessionPlace('events'),
  onAnswer: selectAwaited,
})

const replaying = createQuery<Replayed>({
  place: sessionPlace('replay'),
  onAnswer: () => {
    if (store.getState().session.awaited === null && isSticking(store.getState())) selectNewest()
    else selectAwaited()
    refreshWhole()
    tell('onReplayed')
    replayGrown()
  },
})

/** Domains of the configuration in force. */
followed({
  place: sessionPlace('domains'),
  watch: [store],
  question: () => {
    const about = inForce()
    if (!about) return null
    const { preset, domains } = about.config
    const question = call('host.domains', { preset, domains }, { where: domains, of: about.of })
    return mapped(question, (answer) => asBefore(answer.domains))
  },
})

/** [U11] Unchanged domains keep the same list object. A new one would restart the preparation of the timeline. */
function asBefore(domains: Domains): Domains {
  const before = valueOf(store.getState().session.domains)
  return JSON.stringify(before) === JSON.stringify(domains) ? (before ?? domains) : domains
}

type Domains = Answer<'host.domains'>['domains']

/** A replay of a session that has grown is due. */
const due = createDelay()

/** Shows one session of the opened file: its index, its replay, then the turn that `link` names. */
export function startSession(at: number, link: Link = emptyLink): void {
  const opened = valueOf(store.getState().document.opened)
  if (!opened) return
  stopReplay()
  store.setState({
    session: {
      ...emptySession,
      index: at,
      awaited: { turn: link.turn, event: link.event, meanwhile: null },
    },
  })
  patchView({ selected: null, find: findOf(link), domain: null, signal: null })
  if (link.tab) patchView({ tab: link.tab })
  if (link.show) patchView({ show: link.show })
  if (link.dock) patchView({ dock: link.dock })
  if (link.study) patchView({ study: link.study })
  if (link.tour || link.present) patchView(stageOf(link))
  void index.ask(call('session.index', { key: opened.key, session: at }, { where: opened.name }))
  void replayAfterRows()
}

/** Counts sessions that were shown: what waits for one must not act on the next. */
let shown = 0

/** [U188] Requests the visible rows before the replay, because a replay compiles signals and keeps the thread busy. */
async function replayAfterRows(): Promise<void> {
  const mine = shown
  await firstRows()
  if (mine === shown && store.getState().session.replay.status === 'idle') runReplay()
}

function findOf({ find: query, only, scope }: Link): Find | null {
  return query === null ? null : { ...emptyFind, query, only, scope }
}

/**
 * Replays a session that has more events than its last replay saw. While the file is being read or followed, it waits
 * twice as long as the last replay took, within bounds. The minimum is shorter if the operator follows the file.
 */
export function replayGrown(): void {
  const { document, session } = store.getState()
  const { status } = session.replay
  // The first one begins when the first rows are there.
  if (status === 'idle' || status === 'loading' || !isBehind()) return
  const isRead = valueOf(document.opened)?.complete !== false
  if (isRead && document.follow.state === 'off') {
    // [U191] All is there that will come: nothing is gained by waiting.
    runReplay()
    return
  }
  const least = isRead ? LEAST_FOLLOWING_MS : LEAST_READING_MS
  const last = valueOf(session.replay)?.elapsedMs ?? 0
  const act = () => {
    if (isBehind()) runReplay()
  }
  due.unlessDue(act, Math.min(MOST_WAIT_MS, Math.max(least, 2 * last)))
}

const LEAST_READING_MS = 1200
const LEAST_FOLLOWING_MS = 120
const MOST_WAIT_MS = 8000

/** The session has events that its replay has not seen. */
export function isBehind(): boolean {
  const { events, replay } = store.getState().session
  return (valueOf(events)?.kind.length ?? 0) > (valueOf(replay)?.events ?? 0)
}

/** Replays the session in view with the chosen configuration and the one compared with. */
export function runReplay(): void {
  const { document, session, view } = store.getState()
  const opened = valueOf(document.opened)
  const address = sessionAddress()
  if (!opened || !address) return
  due.stop()
  const before = valueOf(session.replay)
  const known = before && { run: before.run, turns: before.columns.turns }
  const question = stream(
    'session.replay',
    { ...address, ...wireConfigs(view), known },
    { where: opened.name },
  )
  const { run, compare } = view
  const other = compare && { name: compareName(compare, run), wire: wireCompared(compare) }
  void replaying.ask(
    mapped(question, (replayed) => {
      const { from, columns, ...rest } = replayed
      const whole = before ? joinColumns(before.columns, from, columns) : columns
      return { ...rest, columns: whole, other }
    }),
  )
}

/** The session in view is left: nothing more is asked about it. */
export function stopReplay(): void {
  shown += 1
  due.stop()
  forgetRows()
  index.leave()
  replaying.leave()
}

/** The Cancel button: keeps the previous replay. */
export function cancelReplay(): void {
  due.stop()
  replaying.cancel()
  if (store.getState().session.replay.status !== 'idle') return
  const failure = {
    what: 'The replay was cancelled',
    where: 'this session',
    do: 'Choose a preset to run it again.',
  }
  patchSession({ replay: failed(failure) })
}

/** Changes the replay's configuration. The other side stays the same (`compareBeside`). */
export function chooseRun(patch: Partial<RunChoice>): void {
  const { view } = store.getState()
  const run = { ...view.run, ...patch }
  if (runKey(run) === runKey(view.run)) return
  const compare = view.compare && compareBeside(view.compare, view.run, run)
  patchView({ run, compare, show: showAfter(compare) })
  runReplay()
  tell('onRun')
  rememberRun(run)
}

/** Compares with a preset, `domains:NAME`, `revision:NAME` or `observed`; null ends the comparison. */
export function chooseCompare(value: string | null): void {
  const { document, view } = store.getState()
  const info = valueOf(document.info)
  compareWith(value === null || !info ? null : compareOf(value, view.run, info))
}

/** [L50] The one other side: list, Decision, timeline, counts and the panel Compare are about it. */
export function compareWith(compare: CompareChoice | null): void {
  patchView({ compare, draftWanted: false, show: showAfter(compare) })
  runReplay()
  tell('onRun')
}

/** Without a comparison there are no flips to list. */
function showAfter(compare: CompareChoice | null) {
  const { show } = store.getState().view
  return compare === null && show === 'flips' ? 'all' : show
}

function rememberRun(run: RunChoice): void {
  host()
    .call('settings.set', run)
    .catch(() => undefined)
}
