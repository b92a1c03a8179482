import { valueOf } from '../../app/async-data.ts'
import { failureOf, host } from '../../app/host.ts'
import {
  type Row,
  type RowWindow,
  patchSession,
  patchView,
  runKey,
  store,
} from '../../app/store.ts'

export const WINDOW = 100
/** Text fetched per row: more than the clamped lines can show. */
export const ROW_CHARS = 700
const WHOLE_CHARS = 200_000
const KEEP = 60

const asked = new Set<string>()

/** Another session: answers to old questions are nobody's. */
export function forgetRequests(): void {
  asked.clear()
}

/** Fetches the windows that hold rows `from` to `to` (inclusive) and are not here with today's marks. */
export function ensureRows(from: number, to: number): void {
  const events = valueOf(store.getState().session.events)
  if (!events || events.kind.length === 0) return
  const last = Math.min(to, events.kind.length - 1)
  for (let at = Math.floor(Math.max(0, from) / WINDOW); at <= Math.floor(last / WINDOW); at += 1)
    void fetchWindow(at)
}

async function fetchWindow(at: number): Promise<void> {
  const { document, session, view } = store.getState()
  const opened = valueOf(document.opened)
  const events = valueOf(session.events)
  const configKey = runKey(view.run)
  if (!opened || !events) return
  const to = Math.min((at + 1) * WINDOW, events.kind.length)
  const known = session.windows.get(at)
  // The last window of a file that grows is asked for again.
  if (known?.configKey === configKey && known.rows.length >= to - at * WINDOW) return
  const question = `${opened.key} ${session.index} ${at} ${to} ${configKey}`
  if (asked.has(question)) return
  asked.add(question)
  try {
    const { rows } = await host().call('session.rows', {
      key: opened.key,
      session: session.index,
      from: at * WINDOW,
      to,
      maxChars: ROW_CHARS,
      config: { ...view.run, classify: null },
    })
    if (asked.has(question)) keep(at, { configKey, rows })
  } catch (error) {
    patchView({ notice: failureOf(error, 'Rows of this session') })
  } finally {
    asked.delete(question)
  }
}

function keep(at: number, window: RowWindow): void {
  const windows = new Map(store.getState().session.windows)
  windows.delete(at)
  windows.set(at, window)
  for (const oldest of windows.keys()) {
    if (windows.size <= KEEP) break
    windows.delete(oldest)
  }
  patchSession({ windows })
}

/** Shows the whole text of an event in the list, or its beginning again. */
export async function toggleWhole(seq: number): Promise<void> {
  const whole = new Map(store.getState().session.whole)
  if (whole.delete(seq)) patchSession({ whole })
  else await fetchWhole(seq)
}

/** Another configuration marks other signals: rows shown whole are fetched again. */
export async function refreshWhole(): Promise<void> {
  await Promise.all([...store.getState().session.whole.keys()].map(fetchWhole))
}

async function fetchWhole(seq: number): Promise<void> {
  const { document, session, view } = store.getState()
  const opened = valueOf(document.opened)
  if (!opened) return
  try {
    const { rows } = await host().call('session.rows', {
      key: opened.key,
      session: session.index,
      from: seq,
      to: seq + 1,
      maxChars: WHOLE_CHARS,
      config: { ...view.run, classify: null },
    })
    const row = rows[0]
    if (row) patchSession({ whole: new Map(store.getState().session.whole).set(seq, row) })
  } catch (error) {
    patchView({ notice: failureOf(error, 'This event') })
  }
}

/** The row of an event, where it has been fetched. */
export function rowAt(windows: ReadonlyMap<number, RowWindow>, seq: number): Row | null {
  return windows.get(Math.floor(seq / WINDOW))?.rows[seq % WINDOW] ?? null
}
