import type { HostEvent, HostInfo } from '../../core/wire/contract.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'
import type { Host } from './api.ts'
import { firstAnswers } from './connection.ts'
import { emptyLink, type Link } from './link.ts'
import { readLink } from './url.ts'
import { failed, ready, valueOf } from './async-data.ts'
import { TABS } from './features.ts'
import { tell } from './tell.ts'
import { failureOf, setHost } from './host.ts'
import './drawn.ts'
import { fetchParts } from './on-demand.tsx'
import { openSource } from './open.ts'
import { refreshLibrary } from './recent-files.ts'
import { isBehind, runReplay } from './replay.ts'
import { checkedRun, needsInfo, usualOf } from './run-of-link.ts'
import { openPaths } from './open-together.ts'
import { beginRestore, restoredSoon } from './restore.ts'
import { tellSaved } from './saved.ts'
import { whenIdle } from './timing.ts'
import {
  DEFAULT_RUN,
  type RunChoice,
  type ShownSource,
  patchDocument,
  patchView,
  runKey,
  store,
} from './store.ts'

/**
 * Runs when a host connects. Opens the link, or the session that the host was started with, then loads the host's
 * lists. [U202] The first screen does not wait for those lists. After a reconnection the same session is opened again,
 * because the host may be another process.
 * @param fragment the URL's current fragment
 * @param onCommand runs a shell menu command by its id
 */
export async function online(
  client: Host,
  fragment: string,
  onCommand: (id: string) => void,
): Promise<void> {
  // Until it is opened again, the data on screen belongs to the previous host.
  setHost(client, false)
  patchDocument({ connection: { kind: 'online' } })
  const { link, notice } = beginRestore(readLink(fragment), String(performance.timeOrigin))
  const open = () => {
    // Without a session there is nothing to wait for.
    if (!link.source) restoredSoon()
    if (link.source) openSource(link.source, link)
    // Opening a source takes older notices away.
    if (notice) patchView({ notice })
    tell('onLink', link, true)
    patchView({ results: link.results })
    setHost(client)
  }
  const first = firstAnswers(client)
  try {
    const settings = await first.settings
    const { preset, domains, profile } = settings
    const chosen = { preset, domains, profile }
    // [U224] Settings that a link omits take the workspace defaults.
    const usual = link.source === null ? chosen : { ...usualOf(link, chosen), profile: null }
    // [U187] Names in the settings are taken on trust: to check them, the host reads and compiles files.
    patchView({ theme: settings.theme, run: usual })
    tell('onSettings', settings)
    const waits = needsInfo(link)
    if (!waits) open()
    first.listen((event) => onHostEvent(event, onCommand))
    // [U203] While a session is being opened, lists of other sessions are not needed first.
    const isOpening = !waits && store.getState().document.opened.status === 'loading'
    if (!isOpening) await refreshLists()
    if (!waits) {
      patchDocument({ started: true })
      await until(isSeen, LOOK_MS)
    }
    if (isOpening) await refreshLists()
    const info = await client.call('host.info', {})
    patchDocument({ info: ready(info) })
    void until(isDecided, DECIDED_MS).then(() => fetchParts(whenIdle))
    check(info, usual)
    if (waits) {
      open()
      patchDocument({ started: true })
    }
  } catch (error) {
    const info = failed(failureOf(error, 'Host'), store.getState().document.info)
    patchDocument({ info, started: true })
  }
}

const refreshLists = () => Promise.all([refreshLibrary(), ...tell('onLists')])

/** Replaces unchecked names with existing ones. If that changes the choice, the turns are decided again. */
function check(info: Immutable<HostInfo>, usual: RunChoice): void {
  const { document, view } = store.getState()
  const run = checkedRun(view.run, { info, usual, keepsProfile: document.source !== null })
  if (runKey(run) === runKey(view.run)) return
  patchView({ run })
  if (store.getState().session.replay.status !== 'idle') runReplay()
}

/** Maximum time in ms that the host's description waits until a session is first visible. */
const LOOK_MS = 2000
/** The longest that parts of the window wait for the turns of a session. */
const DECIDED_MS = 20_000

/** [U187] There is something to read, or nothing is being opened. */
function isSeen(): boolean {
  const { document, session } = store.getState()
  const { opened } = document
  if (opened.status === 'loading') return false
  return (
    valueOf(opened)?.sessions.length === 0 || session.windows.size > 0 || opened.status !== 'ready'
  )
}

/**
 * [U200] True if nothing is being opened, read or replayed. Lazily loaded parts wait for this, so that a busy page does
 * not delay the replay.
 */
function isDecided(): boolean {
  const { document, session } = store.getState()
  const { opened, growth } = document
  if (opened.status !== 'ready') return opened.status !== 'loading'
  return (
    opened.value.sessions.length === 0 ||
    (growth === null && !['idle', 'loading'].includes(session.replay.status) && !isBehind())
  )
}

/** Resolves when the store says so, or after so many milliseconds. */
function until(isOver: () => boolean, most: number): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      unsubscribe()
      resolve()
    }
    const look = () => {
      if (isOver()) finish()
    }
    const timer = setTimeout(finish, most)
    const unsubscribe = store.subscribe(look)
    look()
  })
}

function onHostEvent(event: Immutable<HostEvent>, onCommand: (id: string) => void): void {
  if (event.kind === 'command') {
    onCommand(event.command)
    return
  }
  if (event.kind === 'refused') {
    const { what, where, do: advice } = event
    patchView({ notice: { what, where, do: advice } })
    return
  }
  if (event.kind === 'saved') {
    tellSaved(event.what)
    return
  }
  if (event.kind === 'trust') {
    patchDocument({ trustAsked: store.getState().document.trustAsked + 1 })
    return
  }
  const tab = TABS.find(({ id }) => id === event.tab)?.id ?? null
  const { source } = event
  const shown = source.kind === 'upload' ? { ...source, name: 'dropped file' } : source
  const { others = [] } = event
  if (others.length > 0 && source.kind === 'path') openPaths([source.path, ...others])
  else openSource(shown, { ...emptyLink, turn: event.turn, tab, ...placeOf(event, shown) })
}

/** [L108] A link that names a session means that one; without, the file opens on the largest (I85). */
function placeOf(
  opened: Omit<Extract<Immutable<HostEvent>, { kind: 'open' }>, 'source'>,
  source: ShownSource,
): Partial<Link> {
  const { session, id, event, preset, domains, profile, compare } = opened
  const isDecided = [preset, domains, profile, compare].some((name) => name !== undefined)
  return {
    // [U224] Settings that the link omits take the workspace defaults.
    ...(isDecided ? { preset: preset ?? DEFAULT_RUN.preset } : {}),
    ...(isDecided ? { domains: domains ?? DEFAULT_RUN.domains } : {}),
    ...(isDecided ? { profile: profile ?? null, compare: compare ?? null } : {}),
    ...(session === undefined ? {} : { source, session }),
    ...(id === undefined ? {} : { source, id }),
    ...(event === undefined ? {} : { event }),
  }
}
