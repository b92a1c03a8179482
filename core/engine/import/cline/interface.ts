import {
  draft,
  freshText,
  sessionDraft,
  setEvents,
  type EventDraft,
  type Origin,
  type SessionDraft,
} from '../shared/drafts.ts'
import { compact, isList, isObject, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { parseJson } from '../json/value.ts'
import { uiEvents } from './ui.ts'
import { attachUsage, usageOf } from '../shared/usage.ts'
import type { Recorded } from '../shared/model-calls.ts'

/** A task as the user saw it: the records of the interface as a session. */
export interface Interface {
  readonly take: (record: unknown, origin: Origin) => void
  /** [I116] A text that the user typed, as recorded in the model's messages. */
  readonly typed: (event: EventDraft) => void
  /** The session; beside one of the messages a thread of that one. Null without records. */
  readonly session: (messages: SessionDraft | null) => SessionDraft | null
  readonly tidy: (messages: SessionDraft | null) => void
}

/** A record that was still being written when it was saved, with its events. */
interface Partial {
  readonly record: unknown
  readonly events: readonly EventDraft[]
}

/** A user text in the interface. */
interface Claim {
  readonly event: EventDraft
  readonly key: string
  readonly what: string
}

interface State {
  readonly log: ImportLog
  readonly main: SessionDraft
  /** Partial records that may still be superseded, by identity. */
  readonly partial: Map<string, Partial>
  readonly claims: Claim[]
  readonly typed: Map<string, number>
  readonly gone: Set<EventDraft>
  /** [X19] The numbers of the last request, until its answer comes. */
  request: Recorded | null
  /** Number of events, without the superseded ones. */
  count: number
  /** The thread beside the messages, once there are some. */
  beside: SessionDraft | null
  /** The range of messages that the model no longer sees. */
  deleted: string
}

export function createInterface(log: ImportLog): Interface {
  const state: State = {
    log,
    main: sessionDraft('session-1'),
    beside: null,
    deleted: '',
    request: null,
    count: 0,
    partial: new Map(),
    claims: [],
    typed: new Map(),
    gone: new Set(),
  }
  const { main, typed } = state
  return {
    take: (record, origin) => takeRecord(state, record, origin),
    typed(event) {
      const key = keyOf(event)
      typed.set(key, (typed.get(key) ?? 0) + 1)
    },
    session(messages) {
      if (main.events.length === 0) return null
      if (messages === null) return main
      // Beside the messages it is another view of the same task, not the task twice.
      const beside = sessionDraft(`${messages.id}/ui`, 'ui', messages.id)
      state.beside ??= { ...beside, events: main.events, startedAt: main.startedAt }
      return state.beside
    },
    tidy(messages) {
      if (messages !== null) giveUpClaims(state)
      if (state.gone.size === 0) return
      setEvents(
        main,
        main.events.filter((event) => !state.gone.has(event)),
      )
      state.gone.clear()
    },
  }
}

function takeRecord(state: State, record: unknown, origin: Origin): void {
  const { main, log, claims } = state
  main.startedAt ??= origin.at
  const range = own(record, 'conversationHistoryDeletedRange')
  const deleted = isList(range) ? compact(range) : state.deleted
  if (deleted !== state.deleted) {
    state.deleted = deleted
    main.events.push(draft('meta', deleted, origin, { name: 'context-truncated' }))
  }
  supersede(state, record)
  const events = uiEvents(record, state.count === 0, origin, log.skip)
  state.count += events.length
  if (whatOf(record) === 'api_req_started')
    state.request = usageOf(parseJson(textAt(record, 'text') ?? ''))
  else if (state.request !== null && attachUsage(events, { id: null, ...state.request }))
    state.request = null
  for (const event of events) {
    main.events.push(event)
    if (event.kind === 'user') claims.push({ event, key: keyOf(event), what: whatOf(record) })
  }
  const what = whatOf(record)
  if (own(record, 'partial') === true) state.partial.set(what, { record, events })
  else state.partial.delete(what)
}

function whatOf(record: unknown): string {
  return textAt(record, 'say', 'ask') ?? 'untyped'
}

/** [I116] A partial record is superseded by the record that continues it. */
function supersede(state: State, record: unknown): void {
  const { partial, gone, claims, log } = state
  const before = partial.get(whatOf(record))
  if (before === undefined || before.events.length === 0 || !goesOn(before.record, record)) return
  for (const event of before.events) {
    gone.add(event)
    const claim = claims.findLastIndex((each) => each.event === event)
    if (claim >= 0) claims.splice(claim, 1)
  }
  state.count -= before.events.length
  const side = String(own(before.record, 'type'))
  log.skip(`${side}/${whatOf(before.record)} (partial)`)
}

/** The same moment, the same text and more, or the same tool on the same file. */
function goesOn(before: unknown, record: unknown): boolean {
  if (own(before, 'ts') === own(record, 'ts')) return true
  const old = textAt(before, 'text') ?? ''
  const now = textAt(record, 'text') ?? ''
  if (now.startsWith(old.trimEnd())) return true
  const tool = parseJson(old)
  const next = parseJson(now)
  if (!isObject(tool) || !isObject(next)) return false
  return ['tool', 'path'].every((key) => tool[key] !== undefined && tool[key] === next[key])
}

/** The beginning of a text and its length, which suffice to distinguish typed texts. Pictures are excluded. */
function keyOf(event: EventDraft): string {
  const text = freshText(event)
    .replaceAll(/\n?\[image [^\]\n]*\]/g, '')
    .trim()
  return `${text.length} ${text.slice(0, 300)}`
}

/**
 * [I116] A text that the user typed counts once. If the model's messages contain it too, the interface's copy is
 * dropped and counted as skipped.
 */
function giveUpClaims({ claims, typed, gone, log }: State): void {
  const left = new Map(typed)
  const counts = new Map<string, number>()
  for (const { event, key, what } of claims) {
    const times = left.get(key) ?? 0
    if (times === 0 || gone.has(event)) continue
    left.set(key, times - 1)
    gone.add(event)
    const type = `${what} (in the messages)`
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  log.recount(counts)
}
