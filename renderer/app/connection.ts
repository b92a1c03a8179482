import type { HostEvent, TurnscopeContract } from '../../core/wire/contract.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'
import type { Output } from '../../core/wire/rpc.ts'
import { connectHost, type ConnectionListener, type Host } from './api.ts'
import { type AheadHost, askAhead } from './asked-ahead.ts'
import { firstRowsOf } from './first-rows.ts'
import { largestOf } from './which-session.ts'

type Settings = Output<TurnscopeContract, 'settings.get'>

/** Answers to the first requests of every window. */
interface FirstAnswers {
  readonly settings: Promise<Settings>
  /** Passes each host event to the watcher until a listener is attached. Accepts one watcher. */
  readonly watch: (watcher: (event: Immutable<HostEvent>) => void) => void
  /** Passes host events to the listener, including those that arrived before it was attached. Accepts one listener. */
  readonly listen: (listener: (event: Immutable<HostEvent>) => void) => void
}

const asked = new WeakMap<Host, FirstAnswers>()

/** [U203] The first questions to a host, which are asked once, and together. */
export function firstAnswers(host: Host): FirstAnswers {
  const known = asked.get(host)
  if (known !== undefined) return known
  let held: Array<Immutable<HostEvent>> = []
  let seen = (_: Immutable<HostEvent>): void => undefined
  let tell = (event: Immutable<HostEvent>): void => {
    held.push(event)
    seen(event)
  }
  host.subscribe('host.events', {}, { next: (event) => tell(event) })
  const settings = host.call('settings.get', {})
  // The caller that awaits the settings receives the error. Until then no caller may be waiting.
  settings.catch(() => undefined)
  const answers: FirstAnswers = {
    settings,
    watch: (watcher) => {
      seen = watcher
      for (const event of held) watcher(event)
    },
    listen: (listener) => {
      tell = listener
      for (const event of held) listener(event)
      held = []
    },
  }
  asked.set(host, answers)
  return answers
}

type Said = (listener: ConnectionListener) => void

let attached: ConnectionListener | null = null
/** Last connection state that arrived before a listener was attached. */
let last: Said | null = null
let retry: (() => void) | null = null

function say(said: Said): void {
  if (attached === null) last = said
  else said(attached)
}

/**
 * [U204] Prefetches the session that the host was started with, and the data of its first screen. Does nothing if the
 * address names another place.
 */
export function openAhead(ahead: AheadHost): void {
  if (location.hash !== '') return
  firstAnswers(ahead.host).watch((event) => {
    if (event.kind !== 'open' || event.source.kind !== 'path') return
    const isPlain = [event.session, event.id, event.event].every((place) => place === undefined)
    ahead.stream('session.open', { source: event.source }, (message) => {
      if (message.kind !== 'opened' || !isPlain || message.sessions.length === 0) return
      const address = { key: message.key, session: largestOf(message.sessions) }
      ahead.call('session.index', address)
      ahead.call('session.rows', firstRowsOf(address))
    })
  })
}

/** [U203] Connects while the window's script is still being read, and asks what every window asks first. */
export function beginConnection(): void {
  retry ??= connectHost({
    online: (raw) => {
      const ahead = askAhead(raw)
      firstAnswers(ahead.host)
      if (attached === null) openAhead(ahead)
      say((listener) => listener.online(ahead.host, ahead.drop))
    },
    lost: (attempt, wait) => say((listener) => listener.lost(attempt, wait)),
    shut: (why) => say((listener) => listener.shut(why)),
  })
}

/** Reports the connection, starting with its current state. Returns a function that retries immediately. */
export function listenToConnection(listener: ConnectionListener): () => void {
  beginConnection()
  attached = listener
  last?.(listener)
  last = null
  return () => retry?.()
}
