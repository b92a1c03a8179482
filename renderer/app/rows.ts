import { valueOf } from './async-data.ts'
import { createAsking } from './asking.ts'
import { firstRowsOf, ROW_CHARS, WINDOW } from './first-rows.ts'
import { call } from './question.ts'
import { type Row, type RowWindow, patchSession, patchView, store } from './store.ts'
import { forceOf, inForce } from './wire.ts'

const WHOLE_CHARS = 200_000
/** Windows that are kept; the oldest go. */
const KEEP = 60

const asking = createAsking()

/** Answers for another session are ignored. */
export function forgetRows(): void {
  asking.stop()
}

const WHERE = 'Rows of this session'

function rowsOf(from: number, to: number, maxChars: number, where: string) {
  const about = inForce()
  if (!about) return null
  const { address, config, of } = about
  return call('session.rows', { ...address, from, to, maxChars, config }, { where, of })
}

/**
 * [U188] Requests the first rows of a newly opened session without marks, because marks need compiled signals. Resolves
 * when the rows have arrived or will not arrive. The list requests the marks.
 */
export async function firstRows(): Promise<void> {
  const about = inForce()
  if (!about) return
  await asking.once(
    call('session.rows', firstRowsOf(about.address), { where: WHERE, of: about.of }),
    {
      answer: ({ rows }) => {
        if (!store.getState().session.windows.has(0)) keep(0, { of: UNMARKED, marked: null, rows })
      },
      failed: (notice) => patchView({ notice }),
    },
  )
}

/** Key of rows without marks. It never equals a key in force. */
const UNMARKED = ''

/** Fetches the windows that hold rows `from` to `to` (inclusive) and are not here with today's marks. */
export function ensureRows(from: number, to: number): void {
  const events = valueOf(store.getState().session.events)
  if (!events || events.kind.length === 0) return
  const last = Math.min(to, events.kind.length - 1)
  for (let at = Math.floor(Math.max(0, from) / WINDOW); at <= Math.floor(last / WINDOW); at += 1)
    fetchWindow(at, Math.min((at + 1) * WINDOW, events.kind.length))
}

function fetchWindow(at: number, to: number): void {
  const question = rowsOf(at * WINDOW, to, ROW_CHARS, WHERE)
  const of = inForce()?.of
  const known = store.getState().session.windows.get(at)
  // The last window of a file that grows is requested again.
  if (!question || of === undefined) return
  const isMarked = known !== undefined && (known.of === of || known.marked === of)
  if (isMarked && known.rows.length >= to - at * WINDOW) return
  const { generation } = store.getState().document
  void asking.once(question, {
    answer: ({ rows, key }) =>
      keep(at, { of, marked: key === null ? null : forceOf(generation, key), rows }),
    failed: (notice) => patchView({ notice }),
  })
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

async function fetchWhole(seq: number): Promise<void> {
  const question = rowsOf(seq, seq + 1, WHOLE_CHARS, 'This event')
  if (!question) return
  await asking.once(question, {
    answer: ({ rows: [row] }) => {
      if (row) patchSession({ whole: new Map(store.getState().session.whole).set(seq, row) })
    },
    failed: (notice) => patchView({ notice }),
  })
}

/** Another configuration marks other signals: rows shown whole are fetched again. */
export function refreshWhole(): void {
  for (const seq of store.getState().session.whole.keys()) void fetchWhole(seq)
}

/** The row of an event, if it has been fetched. */
export function rowAt(windows: ReadonlyMap<number, RowWindow>, seq: number): Row | null {
  return windows.get(Math.floor(seq / WINDOW))?.rows[seq % WINDOW] ?? null
}
