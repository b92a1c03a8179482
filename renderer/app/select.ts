import { type EventKind, EventKind as EventKindSchema } from '../../core/engine/schema/event.ts'
import type { TurnTrace } from '../../core/engine/schema/trace.ts'
import type { Link } from './link.ts'
import { type AsyncData, failed, idle, loading, ready, valueOf } from './async-data.ts'
import { failureOf, host, wasCancelled } from './host.ts'
import { refreshOracle } from '../features/self-signals/answers.ts'
import { flipAt, turnOf } from './selectors.ts'
import { firstAtOrAfter } from '../ui/sorted.ts'
import { pauseSticking, resumeSticking } from '../features/follow/stick.ts'
import { type RunChoice, patchSession, patchView, runKey, store } from './store.ts'

export const KINDS: readonly EventKind[] = EventKindSchema.options
/** Codes of the `event` column, by their place in EVENT_CODES. */
export const RESIST = 3
export const BREAK = 5

const TRACES = 200
const traces = new Map<string, TurnTrace>()
let asking: AbortController | null = null

/** Selects an event; the inspector follows. Going back pauses following, going to the end resumes it. */
export function selectSeq(seq: number): void {
  const { document, session } = store.getState()
  if (document.follow.state !== 'off') {
    const last = valueOf(session.replay)?.columns.seq.at(-1)
    if (last !== undefined && seq < last) pauseSticking()
    else resumeSticking()
  }
  showSeq(seq)
}

/** The same without a reader's intent. */
function showSeq(seq: number): void {
  const { view, session } = store.getState()
  const events = valueOf(session.events)
  if (!events || seq < 0 || seq >= events.kind.length || view.selected === seq) return
  patchView({ selected: seq, domain: null, signal: null })
  explainSoon()
}

/** Keeps the newest turn selected while the file is followed. */
export function selectNewest(): void {
  const seq = valueOf(store.getState().session.replay)?.columns.seq.at(-1)
  if (seq !== undefined) showSeq(seq)
}

/** The file was replaced: what was computed of it is nobody's. */
export function forgetTraces(): void {
  traces.clear()
}

/** Selects a turn, 0-based. */
export function selectTurn(turn: number): void {
  const seq = valueOf(store.getState().session.replay)?.columns.seq[turn]
  if (seq !== undefined) selectSeq(seq)
}

/** A link to a turn that has not been read yet, and what is selected until then. */
let awaited: { readonly link: Link; readonly meanwhile: number } | null = null

/** A file is still being read: goes to the turn of the link as soon as it is there, unless the reader moved. */
export function selectAwaited(): void {
  const { session, view } = store.getState()
  const turn = awaited?.link.turn ?? null
  const columns = valueOf(session.replay)?.columns
  if (!awaited || turn === null || !columns) return
  if (view.selected !== awaited.meanwhile) awaited = null
  else if (columns.turns >= turn) {
    awaited = null
    selectTurn(turn - 1)
  }
}

/** Applies a link once index and replay are both here; without one the first turn is selected. */
export function selectFirst(link: Link): void {
  const { document, session, view } = store.getState()
  const columns = valueOf(session.replay)?.columns
  const events = valueOf(session.events)
  if (!columns || !events) return
  if (view.selected !== null) {
    refreshSelection()
    return
  }
  const wanted =
    link.turn === null ? link.event : columns.seq[Math.min(link.turn, columns.turns) - 1]
  const isLater = valueOf(document.opened)?.complete === false && (link.turn ?? 0) > columns.turns
  const seq = (isLater ? null : wanted) ?? columns.seq[0] ?? 0
  awaited = isLater ? { link, meanwhile: seq } : null
  if (events.kind.length > 0) showSeq(Math.min(seq, events.kind.length - 1))
}

/** Selections that follow each other faster than this are a held key. */
const HELD_MS = 120
/** While a key is held, what the inspector shows is fetched when it pauses for that long. */
const PAUSE_MS = 70
let selectedAt = -Infinity
let pause: ReturnType<typeof setTimeout> | undefined

/** [U11] The first step is explained at once; of a held key's steps the one it stops at. */
function explainSoon(): void {
  const now = performance.now()
  const held = now - selectedAt < HELD_MS
  selectedAt = now
  clearTimeout(pause)
  if (!held) refreshSelection()
  else {
    asking?.abort()
    pause = setTimeout(refreshSelection, PAUSE_MS)
  }
}

/** Fetches what the inspector shows of the selection. */
export function refreshSelection(): void {
  asking?.abort()
  clearTimeout(pause)
  const { session, view } = store.getState()
  const replayed = valueOf(session.replay)
  if (view.selected === null || !replayed) return
  const controller = new AbortController()
  asking = controller
  const turn = turnOf(replayed.columns, view.selected)
  if (turn === undefined) {
    patchSession({ trace: idle, otherTrace: idle })
  } else {
    void fetchTrace('trace', turn, view.run, controller.signal)
    if (view.compare && flipAt(replayed.flips, turn))
      void fetchTrace('otherTrace', turn, view.compare, controller.signal)
    else patchSession({ otherTrace: idle })
  }
  if (view.tab === 'raw' || turn === undefined) void fetchRaw(view.selected, controller.signal)
  else patchSession({ raw: idle })
  refreshOracle()
}

async function fetchTrace(
  field: 'trace' | 'otherTrace',
  turn: number,
  run: RunChoice,
  signal: AbortSignal,
): Promise<void> {
  const { document, session } = store.getState()
  const opened = valueOf(document.opened)
  if (!opened) return
  const key = `${opened.key} ${session.index} ${turn} ${runKey(run)}`
  const put = (data: AsyncData<TurnTrace>) => {
    if (!signal.aborted) patchSession(field === 'trace' ? { trace: data } : { otherTrace: data })
  }
  const known = traces.get(key)
  if (known) {
    put(ready(known))
    return
  }
  put(loading(session[field]))
  try {
    const config = { ...run, classify: null }
    const trace = await host().call(
      'session.trace',
      { key: opened.key, session: session.index, turn, config },
      signal,
    )
    traces.set(key, trace)
    for (const oldest of traces.keys()) {
      if (traces.size <= TRACES) break
      traces.delete(oldest)
    }
    put(ready(trace))
  } catch (error) {
    if (!wasCancelled(error)) put(failed(failureOf(error, `Turn ${turn + 1}`)))
  }
}

async function fetchRaw(seq: number, signal: AbortSignal): Promise<void> {
  const { document, session } = store.getState()
  const opened = valueOf(document.opened)
  if (!opened) return
  if (valueOf(session.raw)?.seq === seq && session.raw.status === 'ready') return
  patchSession({ raw: loading(session.raw) })
  try {
    const request = { key: opened.key, session: session.index, seq }
    const record = await host().call('session.raw', request, signal)
    if (!signal.aborted) patchSession({ raw: ready({ ...record, seq }) })
  } catch (error) {
    if (!wasCancelled(error) && !signal.aborted)
      patchSession({ raw: failed(failureOf(error, 'This record')) })
  }
}

export function chooseTab(tab: string): void {
  patchView({ tab })
  if (tab === 'raw') refreshSelection()
  else refreshOracle()
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

/** Moves the selection to the next (`by` 1) or previous (-1) place of a kind; false when there is none. */
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
