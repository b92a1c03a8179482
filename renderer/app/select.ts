import {
  type EventKind,
  EventKind as EventKindSchema,
} from '../../core/engine/schema/event-kind.ts'
import type { ReplayColumns } from '../../core/engine/schema/replay.ts'
import { valueOf } from './async-data.ts'
import { registry } from './commands.ts'
import { followed } from './query.ts'
import { call, mapped } from './question.ts'
import { selectedTurn } from './selectors.ts'
import { flipAt } from '../timeline/data.ts'
import { firstAtOrAfter } from '../ui/sorted.ts'
import { showTab } from './shown.ts'
import { pauseSticking, resumeSticking } from './stick.ts'
import {
  type Awaited,
  type ViewState,
  patchSession,
  patchView,
  store,
  sessionPlace,
  type State,
} from './store.ts'
import { inForce } from './wire.ts'

export const KINDS: readonly EventKind[] = EventKindSchema.options
/** Codes of the `event` column, by their place in EVENT_CODES. */
export const RESIST = 3
export const BREAK = 5

/** Selections that follow each other faster than this are a held key. */
const HELD_MS = 120
/** While a key is held, the inspector fetches its data after a pause of this many ms. */
const PAUSE_MS = 70

/** [U11] Explains the first step immediately. Of the steps of a held key, explains only the last one. */
const pace = createPace()

function createPace() {
  let last = -Infinity
  let isHeld = false
  return {
    step: () => {
      const now = performance.now()
      isHeld = now - last < HELD_MS
      last = now
    },
    pause: () => (isHeld ? PAUSE_MS : 0),
  }
}

/** Traces that are kept of turns that were visited. */
const TRACES = 200

function traceOf(turn: number, compared: boolean) {
  const about = inForce()
  const config = compared ? about?.other : about?.config
  // A recorded run has no reasons.
  if (!about || !config || ('kind' in config && config.kind === 'observed')) return null
  return call(
    'session.trace',
    { ...about.address, turn, config },
    {
      where: `Turn ${turn + 1}`,
      of: compared ? about.ofCompare : about.of,
      isLasting: about.isLasting,
    },
  )
}

followed({
  place: sessionPlace('trace'),
  keep: TRACES,
  watch: [store],
  pause: pace.pause,
  question: () => {
    const turn = selectedTurn(store.getState())
    return turn === null ? null : traceOf(turn, false)
  },
})

followed({
  place: sessionPlace('otherTrace'),
  keep: TRACES,
  watch: [store],
  pause: pace.pause,
  question: () => {
    const state = store.getState()
    const turn = selectedTurn(state)
    const flips = valueOf(state.session.replay)?.flips ?? []
    // [L38] The other side numbers its turns by the events that it classifies.
    const flip = state.view.compare !== null && turn !== null ? flipAt(flips, turn) : undefined
    return flip ? traceOf(flip.other, true) : null
  },
})

/** The record of the selected event, if the Raw tab is open or the event is no turn. */
followed({
  place: sessionPlace('raw'),
  watch: [store],
  pause: pace.pause,
  question: () => {
    const state = store.getState()
    const { selected: seq, tab } = state.view
    const about = inForce(state)
    if (!about || seq === null || valueOf(state.session.replay) === null) return null
    if (tab !== 'raw' && selectedTurn(state) !== null) return null
    const of = String(state.document.generation)
    const question = call('session.raw', { ...about.address, seq }, { where: 'This record', of })
    return mapped(question, (record) => ({ ...record, seq }))
  },
})

/** The event that was selected automatically when it appeared, not by the operator. */
let waitedFor: number | null = null

/**
 * Selects an event that the operator created and waited for. This is no step in the history, so Back leads to the place
 * before it.
 */
export function selectMade(seq: number): void {
  follow(seq)
  waitedFor = seq
  showSeq(seq)
}

/** True if the selection was made automatically. */
export function isWaitedFor(selected: number | null): boolean {
  return selected !== null && selected === waitedFor
}

/**
 * Selects an event; the inspector follows. Going back pauses following, going to the end resumes it.
 * @param also changes to apply in the same update, so that the window is notified once
 */
export function selectSeq(seq: number, also: Partial<ViewState> = {}): void {
  follow(seq)
  waitedFor = null
  showSeq(seq, also)
}

function follow(seq: number): void {
  const { document, session } = store.getState()
  if (document.follow.state === 'off') return
  const last = valueOf(session.replay)?.columns.seq.at(-1)
  if (last !== undefined && seq < last) pauseSticking()
  else resumeSticking()
}

/** The same without a reader's intent. */
function showSeq(seq: number, also: Partial<ViewState> = {}): void {
  const { view, session } = store.getState()
  const events = valueOf(session.events)
  if (!events || seq < 0 || seq >= events.kind.length || view.selected === seq) {
    if (Object.keys(also).length > 0) patchView(also)
    return
  }
  pace.step()
  patchView({ ...also, selected: seq, domain: null, signal: null })
}

/** Keeps the newest turn selected while the file is followed. */
export function selectNewest(): void {
  const seq = valueOf(store.getState().session.replay)?.columns.seq.at(-1)
  if (seq !== undefined) showSeq(seq)
}

/** Selects a turn, 0-based. */
export function selectTurn(turn: number): void {
  const seq = valueOf(store.getState().session.replay)?.columns.seq[turn]
  if (seq !== undefined) selectSeq(seq)
}

/**
 * Goes to the place that the session was opened at, once index and replay are here.
 */
export function selectAwaited(): void {
  const { session, view } = store.getState()
  const columns = valueOf(session.replay)?.columns
  const count = valueOf(session.events)?.kind.length ?? 0
  if (!session.awaited || !columns || count === 0) return
  const { meanwhile } = session.awaited
  if (view.selected !== meanwhile) patchSession({ awaited: null })
  else if (meanwhile === null) selectFirst(session.awaited, columns, count)
  else if (isThere(session.awaited, columns, count)) {
    patchSession({ awaited: null })
    selectSeq(seqOf(session.awaited, columns))
  }
}

/** [L108] A turn wants to be replayed, an event to be read. */
function isThere({ turn, event }: Awaited, { turns }: ReplayColumns, count: number): boolean {
  return turn === null ? (event ?? 0) < count : turn <= turns
}

/** Of a file that is still being read a later place is awaited, with the first turn in its place. */
function selectFirst(awaited: Awaited, columns: ReplayColumns, count: number): void {
  const isRead = valueOf(store.getState().document.opened)?.complete !== false
  const waits = !isRead && !isThere(awaited, columns, count)
  const seq = Math.min(waits ? (columns.seq[0] ?? 0) : seqOf(awaited, columns), count - 1)
  patchSession({ awaited: waits ? { ...awaited, meanwhile: seq } : null })
  showSeq(seq)
}

/** The event of a place: its turn, or the last one of fewer; else its event, or the first turn. */
function seqOf({ turn, event }: Awaited, { seq, turns }: ReplayColumns): number {
  const wanted = turn === null ? event : seq[Math.min(turn, turns) - 1]
  return wanted ?? seq[0] ?? 0
}

export function chooseTab(tab: string): void {
  patchView({ tab })
  showTab(tab, registry.getState().lanesOfTab(tab))
}

export function chooseDomain(domain: string | null): void {
  patchView({ domain, signal: null })
}

/** Points at the spans of one signal, or stops pointing when it is the one already. */
export function chooseSignal(domain: string, signal: number): void {
  const { view } = store.getState()
  const same = view.domain === domain && view.signal === signal
  patchView({ domain, signal: same ? null : signal })
}

export type Step = 'turn' | 'user' | 'break' | 'resist' | 'flip' | 'event' | 'step'

/** Moves the selection to the next (`by` 1) or previous (-1) place of a kind. Returns false if none exists. */
export function move(step: Step, by: 1 | -1): boolean {
  const { session, view } = store.getState()
  const events = valueOf(session.events)
  const replayed = valueOf(session.replay)
  if (!events || !replayed) return false
  const from = view.selected ?? -1
  const { seq, event } = replayed.columns
  const userKind = KINDS.indexOf('user')
  const stepKind = KINDS.indexOf('step')
  const wanted: Record<Step, () => number | undefined> = {
    event: () => from + by,
    turn: () => nextTurnWhere(seq, from, by, () => true),
    step: () => nextWhere(events.kind.length, from, by, (at) => events.kind[at] === stepKind),
    user: () => nextWhere(events.kind.length, from, by, (at) => events.kind[at] === userKind),
    break: () => nextTurnWhere(seq, from, by, (turn) => event[turn] === BREAK),
    resist: () => nextTurnWhere(seq, from, by, (turn) => event[turn] === RESIST),
    flip: () => nextTurnWhere(seq, from, by, (turn) => flipAt(replayed.flips, turn) !== undefined),
  }
  const target = wanted[step]()
  if (target === undefined || target < 0 || target >= events.kind.length) return false
  selectSeq(target)
  return true
}

function nextWhere(size: number, from: number, by: 1 | -1, is: (at: number) => boolean) {
  for (let at = from + by; at >= 0 && at < size; at += by) if (is(at)) return at
  return undefined
}

function nextTurnWhere(
  seq: readonly number[],
  from: number,
  by: 1 | -1,
  is: (turn: number) => boolean,
): number | undefined {
  const after = firstAtOrAfter(seq, by === 1 ? from + 1 : from)
  return seq[nextWhere(seq.length, by === 1 ? after - 1 : after, by, is) ?? -1]
}

/** First or last turn. */
export function moveToEnd(end: 'first' | 'last'): void {
  const columns = valueOf(store.getState().session.replay)?.columns
  const seq = end === 'first' ? columns?.seq[0] : columns?.seq.at(-1)
  if (seq !== undefined) selectSeq(seq)
}

const STEP = KINDS.indexOf('step')

/** `seq` of the selected event if it is a step, else null. */
export function selectedStep({ session, view }: State): number | null {
  if (view.selected === null) return null
  return valueOf(session.events)?.kind[view.selected] === STEP ? view.selected : null
}
